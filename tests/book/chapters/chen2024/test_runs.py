"""Runs on draws and on readings of the sorting networks, and the rule that pays for pairs."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.chen2024 import networks, risks
from pareto_book.chapters.chen2024.draws import LAW, DrawnRuns, smallest_gap
from pareto_core.confidence.thresholds import iterated_logarithm_threshold
from pareto_core.instances.generators import distinct_best_arms


@pytest.fixture(scope="module")
def drawn():
    draws = [distinct_best_arms(4, 2, np.random.default_rng(k)) for k in range(3)]
    runs = DrawnRuns(draws)
    runs.run("MO-BAI", pc.MOBAI(), [LAW, 10, 14, 18, 30])
    return runs


def test_samples_relative_to_the_lower_bound(drawn):
    assert np.allclose(
        drawn.relative("MO-BAI", 10), drawn.samples["MO-BAI"][:, 1] / drawn.hardness / 10
    )
    assert drawn.ratio("MO-BAI", "MO-BAI").value == 1
    assert drawn.has("MO-BAI", 18) and not drawn.has("MO-BAI", 17)


def test_limits_lie_between_one_and_the_bound_of_the_theorem(drawn):
    assert np.all((drawn.limits(0.5) >= 1) & (drawn.limits(0.5) <= 1.5))


def test_the_recipe_has_gaps_of_at_least_a_fifth(drawn):
    assert smallest_gap(drawn.draws) >= 0.2


def test_a_proof_for_pairs_needs_more_samples(drawn):
    assert risks.price_of_pairs(drawn, "MO-BAI", [14, 18, 30]).value > 1


def test_a_grid_that_ends_too_early_is_refused(drawn):
    with pytest.raises(ValueError, match="longer grid"):
        risks.price_of_pairs(drawn, "MO-BAI", [10])


def test_the_threshold_for_pairs_exceeds_the_unproven_one():
    assert risks.pair_threshold(5000) > iterated_logarithm_threshold(5000, 0.1)


def test_readings_of_the_networks():
    snw = pc.load_instance("snw").means
    readings = networks.readings_of(snw)
    maximised = pc.load_instance("snw_tenfold_area_maximised").means
    assert np.allclose(readings[networks.MAXIMISED], maximised)
    assert np.allclose(np.log2(-readings[networks.AREA_ITSELF][:, 0] / 10), -snw[:, 0])


def test_printed_entries_are_found():
    assert networks.printed_samples(2, "MO-BAI", 100) == 8435
    assert networks.printed_samples(3, "MO-SE", LAW, "spread") == 461.54
