"""The search for the easiest partition against the enumeration of all valid partitions."""

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from references.noise import random_covariance
from references.partition_algorithms import REGIONS, random_region
from references.seeds import seeds_of
from references.top_two import easiest_labels

import pareto_core as pc
from pareto_core.geometry.partition import is_valid_partition, valid_partitions
from pareto_core.questions import read_partition

ACCURACY = 0.01


def time_of(means, region, partition, given):
    return pc.characteristic_time(
        means, ACCURACY / 10, problem="partition", polyhedron=region, partition=partition, **given
    ).time


@pytest.mark.slow
@pytest.mark.parametrize("is_plain", [True, False])
@pytest.mark.parametrize("seed", seeds_of(4, 16, 60))
def test_no_partition_is_easier(seed, is_plain):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 4))
    region = random_region(rng, d, REGIONS[seed % len(REGIONS)])
    means = rng.uniform(-0.5, 1.5, (int(rng.integers(3, 8)), d))
    covariance, costs = random_covariance(rng, *means.shape), rng.uniform(0.2, 5, len(means))
    given = {} if is_plain else {"covariance": covariance, "costs": costs}
    found = read_partition(easiest_labels(means, region, 400, **given))
    assert is_valid_partition(means, region, found)
    partitions = valid_partitions(means, region)
    if len(partitions) > 1:
        least = min(time_of(means, region, each, given) for each in partitions)
        assert time_of(means, region, found, given) <= (1 + ACCURACY) * least


@pytest.mark.slow
@hypothesis.given(st.integers(0, 10**6), st.sampled_from([0.0, 1.0, 1e-8, 1e8]))
def test_labels_are_valid_for_tied_degenerate_and_badly_scaled_means(seed, scale):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 4))
    region = random_region(rng, d, REGIONS[seed % len(REGIONS)])
    means = scale * rng.integers(-1, 3, (int(rng.integers(2, 6)), d)) / 2
    found = read_partition(easiest_labels(means, region, 20))
    assert is_valid_partition(means, region, found)
