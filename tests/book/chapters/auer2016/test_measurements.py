"""What the chapter on racing measures: accuracies, statements of the text, data and bonuses."""

import dataclasses

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.auer2016 import bonuses, compiler_settings, pal, statements
from pareto_book.chapters.auer2016.accuracies import Grid, join, over_grid, racing, worst_of_ten
from pareto_book.rivals.gaussian_process import Hyperparameters

EPSILONS = np.array([0.1, 1.0])
LLVM = pc.load_instance("sw_llvm")


def grid(distance, samples=100, finished=True, runs=20):
    """A grid whose runs hardly differ."""
    shape = (2, runs)
    jitter = 1 + 0.01 * np.random.default_rng(0).random(shape)
    return Grid(
        EPSILONS,
        np.reshape(distance, (2, 1)) * jitter,
        np.ones(shape, bool),
        samples * jitter,
        np.full(shape, finished),
    )


def test_a_grid_has_a_row_for_each_accuracy():
    found = over_grid(racing(0.4), LLVM, EPSILONS, runs=3, n_jobs=1)
    assert found.samples.shape == (2, 3)
    assert (found.samples[0] >= found.samples[1]).all()
    assert join([found, found]).samples.shape == (2, 6)
    assert not found.late[found.finished].any()


def test_late_is_above_the_accuracy_and_worst_is_of_ten():
    found = grid([0.2, 0.2])
    assert found.late.tolist() == [[True] * 20, [False] * 20]
    assert worst_of_ten(found.distance).shape == (2, 2)
    assert worst_of_ten(found.distance)[0, 0] == found.distance[0, :10].max()


def test_statements_of_the_text_have_their_signs():
    race, near, far = grid([0.05, 0.5], 300), grid([0.2, 0.1], 100), grid([0.01, 0.9], 400)
    found = statements.against_pal(race, near)
    assert found["fig2_pal_small"].value > 0
    assert found["fig2_pal_large"].value > 0
    assert found["fig5_samples"].value == pytest.approx(3, rel=0.01)
    other = statements.against_pal(race, far)
    assert other["fig2_pal_small"].value < 0
    assert other["fig2_pal_large"].value < 0
    assert other["fig5_samples"].value < 1


def test_every_reading_is_beside_the_one_that_counts():
    readings = ("PAL, theory", "PAL, configuration", "PAL, main script")
    entries = {"Racing": grid([0.05, 0.5])} | {name: grid([0.2, 0.1]) for name in readings}
    found = statements.measure({"sw_llvm": entries, "sw_llvm_reversed": entries})
    assert set(statements.HEADINGS) < set(found)
    assert list(found["fig2_precision"].others) == ["directions reversed"]
    assert len(found["fig2_pal_large"].others) == 2
    assert not found["fig5_samples"].others
    assert found["pal_configuration"].measurement == found["fig2_pal_large"].measurement


def test_a_prior_with_directions_reversed_has_the_opposite_means():
    one = Hyperparameters(0.5, 1.0, 2.0, (1.0,), 0.1)
    reverse = pal.negated(pal.Priors((one, one), [(one,)]))
    assert [each.mean for each in (*reverse.best, *reverse.drawn[0])] == [-0.5] * 3
    assert dataclasses.replace(reverse.best[0], mean=0.5) == one


def test_a_regression_leaves_nothing_of_a_linear_objective():
    rng = np.random.default_rng(0)
    features = rng.integers(0, 2, (50, 5)).astype(float)
    linear, noise = features[:, :2] @ [1.0, 2.0], rng.standard_normal(50)
    left = compiler_settings.unexplained(features[:, :2], np.column_stack([linear, noise]))
    assert left[0] == pytest.approx(0, abs=1e-9)
    assert left[1] > 50
    assert compiler_settings.rank_of_features(features, linear, (0, 1)) == (1, 10)
    assert compiler_settings.rank_of_features(features, linear, (3, 4))[0] > 1


def test_directions_and_gaps_are_those_of_the_package():
    found = compiler_settings.by_direction(LLVM.means)
    assert found["how many"][0] == len(LLVM.pareto_set)
    reverse = pc.load_instance("sw_llvm_reversed")
    compared = compiler_settings.compare_gaps(LLVM, reverse)
    assert compared["hardness_ratio"] > 1
    assert compared["crowded_gap"] < 1
    back = compiler_settings.compare_gaps(reverse, LLVM)
    assert back["hardness_ratio"] == pytest.approx(1 / compared["hardness_ratio"])


def test_directions_are_counted_by_their_names():
    means = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -2.0]])
    row = compiler_settings.measure_directions(compiler_settings.by_direction(means))
    counts = {
        name: len(pc.pareto_set(means * signs))
        for name, signs in (
            ("the reverse", (-1, -1)),
            ("both maximised", (1, -1)),
            ("both minimised", (-1, 1)),
        )
    }
    assert row["optimal_points"].value == 2
    assert row["optimal_points"].others == counts


def test_a_union_over_fewer_comparisons_has_a_smaller_bonus():
    problem = pc.Problem(n_arms=20, n_objectives=3)
    constants = [
        algorithm.parameters(problem).bonus_constant
        for algorithm in (
            bonuses.PartialUnion(),
            bonuses.PartialUnion(comparisons=60),
            pc.APE(bonus="mixture"),
            bonuses.PartialUnion(comparisons=570),
        )
    ]
    assert constants[0] < constants[1] < constants[2]
    assert constants[2] == pytest.approx(constants[3])
