"""Error rates of the proven rules over delta."""

import types

from pareto_book.chapters.price_of_proof.kept_risk import numbers


def estimate(delta, ratio, high, effective_errors=50):
    return types.SimpleNamespace(
        delta=delta,
        probability=ratio * delta,
        low=0.0,
        high=high * delta,
        runs=10,
        effective_errors=effective_errors,
    )


def test_the_worst_proven_rule_has_the_largest_upper_end_of_those_known():
    risks = {
        "hard": {
            "stylised": [estimate(0.1, 2, 3), estimate(0.01, 4, 5), estimate(1e-3, 9, 9, 3)],
            "joint": [estimate(0.1, 0.02, 0.03), estimate(0.01, 0.01, 0.9, 3)],
            "pairs": [estimate(0.1, 0.01, 0.04)],
        }
    }
    worst, said = numbers(risks, "hard")
    assert worst.interval[1] == said["largest_kept"] == 0.04
    assert (said["stylised_asked"], said["stylised_kept"].value) == (0.01, 4)
