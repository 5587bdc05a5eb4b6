"""Random means of arms, with answers and precisions to judge them by."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import pareto as reference

SHAPES = st.tuples(st.integers(2, 8), st.integers(1, 4))
TIED = SHAPES.flatmap(lambda shape: arrays(float, shape, elements=st.integers(-3, 3)))
DECIMAL = TIED.map(lambda means: means / 10)
CONTINUOUS = SHAPES.flatmap(lambda shape: arrays(float, shape, elements=st.floats(-10, 10)))
POINTS = st.one_of(TIED, DECIMAL, CONTINUOUS)


@st.composite
def judged(draw):
    """(means, 20 masks, a precision that equals some distances)."""
    means = draw(POINTS)
    masks = draw(arrays(bool, (20, len(means))))
    distances = np.append(reference.excess(means), reference.distances_to_front(means))
    return means, masks, draw(st.sampled_from(np.unique(distances)))
