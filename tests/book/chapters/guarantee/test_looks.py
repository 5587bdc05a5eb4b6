"""Rules that look at the same runs."""

import numpy as np
import pytest

from pareto_book.chapters.guarantee import looks
from pareto_book.chapters.guarantee.instances import layers
from pareto_core.confidence.evidence import proven_evidence


def test_ratios_are_over_the_named_rule():
    found = {"here": np.array([[10.0, 5.0, 20.0], [30.0, 15.0, 60.0]])}
    (row,) = looks.ratio_rows(found, ["a", "b", "c"], over="b")
    assert list(row) == ["", "b", "a", "c"]
    assert (row["b"].value, row["a"].value, row["c"].value) == (10.0, 2.0, 4.0)


@pytest.mark.slow
def test_each_rule_stops_at_the_first_look_at_which_it_holds():
    instance, settings = layers(1), {"gradient_every": 10, "check_every": 25}
    (found,) = looks.stop_times(instance, 2000, runs=1, **settings)
    by_rule = dict(zip(looks.PARETO_RULES, found, strict=True))
    assert by_rule["stylised"] == min(found)
    assert by_rule["joint"] < by_rule["all means"]


def test_the_evidence_of_a_rule_has_to_reach_the_risk():
    counts, means = np.array([40, 40]), np.array([[0.0], [1.0]])
    nats = proven_evidence(counts, means).nats
    assert looks.evidence_suffices("joint")(counts, means) == (nats >= np.log(10))
    assert not looks.evidence_suffices("joint")(counts, 0.1 * means)
