"""Instances of growing size, and what is counted and measured on them."""

import math

import numpy as np
import pytest

from pareto_book.chapters.ranking_selection import scale


@pytest.mark.parametrize("d", [3, 5])
def test_systems_are_in_the_ball_and_the_optimal_ones_on_its_sphere(d):
    instance = scale.systems(80, d, 7, seed=1)
    distances = np.linalg.norm(instance.means, axis=1)
    assert instance.n_arms == 80
    assert len(instance.pareto_set) == 7
    np.testing.assert_allclose(distances[instance.pareto_set], scale.RADIUS)
    assert (distances <= scale.RADIUS * (1 + 1e-12)).all()


def test_without_a_number_of_optimal_systems_all_are_uniform_in_the_ball():
    means = scale.systems(20_000, 3, None).means
    distances = np.linalg.norm(means, axis=1)
    assert abs(means.mean(axis=0)).max() < 0.1  # five standard errors
    for share in (0.5, 0.9):
        inside = (distances < share * scale.RADIUS).mean()
        assert inside == pytest.approx(share**3, abs=0.02)


def test_phantoms_in_three_objectives_and_cells_have_the_known_numbers():
    counts = scale.count_phantoms({3: (5, 12), 4: (6,)})
    for row in counts.itertuples():
        assert row.cells == math.comb(row.p + row.d - 1, row.d - 1)
        assert row.d > 3 or row.phantoms == 2 * row.p + 1


@pytest.mark.slow
def test_times_are_measured_and_drawn():
    sizes = (130, 160)
    times = scale.time_scale({(3, 10): sizes, (3, None): sizes}, seeds=(0, 1))
    assert times["K"].tolist() == [*sizes, *sizes]
    assert times["d"].tolist() == [3] * 4
    assert (times[times["family"] == "10 optimal"]["p"] == 10).all()
    assert (times.drop(columns=["d", "family"]) > 0).all(axis=None)
    exponents = scale.draw_scale(times, scale.count_phantoms({3: (5, 10)}))
    alone = exponents[exponents["family"] == "front alone"]
    assert alone["phantoms"].item() == pytest.approx(np.log2(21 / 11))
