"""Partitions by the labels of their arms, and means and regions with ties for them."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pareto_core.geometry.partition import Partition
from pareto_core.geometry.polyhedron import Polyhedron


@st.composite
def instances(draw, most=4):
    """Means on a grid, many of them equal or on the boundary, and a region with integer rows."""
    d, halves = draw(st.integers(1, 3)), st.integers(-3, 3).map(lambda x: x / 2)
    means = draw(arrays(float, (draw(st.integers(2, most)), d), elements=halves))
    A = draw(arrays(float, (draw(st.integers(0, 3)), d), elements=st.integers(-2, 2)))
    b = draw(arrays(float, len(A), elements=st.sampled_from([1.0, 2.0])))
    return means, Polyhedron(A, b)


def labels_of(partition, n_arms):
    labels = np.full(n_arms, "?")
    for label, arms in zip("OSI", partition, strict=True):
        labels[arms] = label
    return tuple(labels.tolist())


def partition_of(labels):
    return Partition(*([i for i, own in enumerate(labels) if own == label] for label in "OSI"))
