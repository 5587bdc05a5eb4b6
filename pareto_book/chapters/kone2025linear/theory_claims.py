"""Lemmas, theorems and bounds, measured: each function records the claims of one section."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

import pareto_core as pc
from pareto_book.chapters.kone2025linear import counts, lemmas
from pareto_book.chapters.kone2025linear.accuracy import accuracy_table, valid
from pareto_book.chapters.kone2025linear.bounds import (
    compare_with_orders,
    first_useful_budgets,
    growth_by_zero_arms,
    two_arms_over_bound,
)
from pareto_book.chapters.kone2025linear.good_event import follow_cases
from pareto_book.figures.results import results_table
from pareto_book.records.measurements import rate_of, ratio_of, say
from pareto_book.records.scorecard import Scorecard

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = [
    "record_accuracy",
    "record_bounds",
    "record_counts",
    "record_lemmas",
    "record_lower_bounds",
    "record_proofs",
    "record_remark",
    "record_rounds",
    "record_scale",
    "record_useful_budgets",
]


def record_proofs(
    card: Scorecard,
    cases: int,
    instances: Mapping[str, tuple[pc.Instance, int, float]],
    seed: int,
) -> None:
    """Record all lemmas and steps of proofs that hold without a bandit.

    Parameters
    ----------
    card : Scorecard
        Modified in place, as in all functions of this module.
    cases : int
        Number of random cases.
    instances : dict of str to tuple
        Instances, whose gaps `record_counts` takes, with their dimensions and risks.
    seed : int
        Seed of the lemmas; the rounds have the next one.
    """
    record_lemmas(card, lemmas.worst_cases(cases, seed), cases)
    record_rounds(card, cases, seed + 1)
    gaps = np.concatenate([pc.gaps(each.means) for each, _, _ in instances.values()])
    record_counts(card, range(2, 1025), gaps)


def record_lemmas(card: Scorecard, worst: Mapping[str, float], cases: int) -> None:
    """Record the worst cases of `lemmas.worst_cases`.

    Parameters
    ----------
    card : Scorecard
        Scorecard.
    worst : dict of str to float
        Worst ratios.
    cases : int
        Number of cases.
    """
    card.record("gap_forms", worst["forms"], runs=cases)
    card.record("gap_raise", 1 + worst["raise"], runs=cases)
    card.record("lemma1", 1 + worst["1"], runs=cases)
    for number in "4567":
        card.record(f"lemma{number}", worst[number], runs=cases)
    others = {"index j, as in Appendix C.1": worst["index j"]}
    card.record("equation5", worst["printed"], runs=cases, others=others)
    say("n_cases", cases)


def record_rounds(card: Scorecard, cases: int, seed: int) -> None:
    """Record what happens on the good event, with fixed confidence and with a fixed budget.

    Parameters
    ----------
    card : Scorecard
        Scorecard.
    cases : int
        Number of cases.
    seed : int
        Seed.
    """
    confidence = follow_cases(cases, seed)
    budget = follow_cases(cases, seed, share=0.2)  # the λ of the proof
    for claim, value in {
        "proposition1_confidence": confidence["shortfall"].max(skipna=False),
        "proposition1_budget": budget["shortfall"].max(skipna=False),
        "lemma3_arms": confidence["crowd"].max(skipna=False),
        "lemma10": confidence["wrong"].sum(),
        "lemma8": budget["wrong"].sum(),
    }.items():
        card.record(claim, value, runs=cases)
    others = {"natural logarithm": confidence["rounds_natural"].max(skipna=False)}
    card.record("lemma3_rounds", confidence["rounds"].max(skipna=False), runs=cases, others=others)
    for name, share in (("half", 0.5), ("one", 1.0), ("more", 1.5)):
        say(f"wrong_{name}", follow_cases(cases, seed, share=share)["wrong"].sum())


def record_counts(card: Scorecard, dimensions: range, gaps: np.ndarray) -> None:
    """Record the steps of proofs that count arms, for numbers of features from 2 upwards.

    Parameters
    ----------
    card : Scorecard
        Scorecard.
    dimensions : range
        Numbers of features.
    gaps : ndarray
        Gaps of instances, of which those below 1 are used.
    """
    halvings = [counts.active_arms(h) for h in dimensions]
    for claim, value in {
        "theorem1_count": max(map(counts.summed_arms, halvings)),
        "theorem1_half": max(map(counts.worst_half, halvings)),
        "theorem3_subsets": max(map(counts.most_shared_rounds, dimensions)),
    }.items():
        card.record(claim, value, runs=len(dimensions))
    halves = {h: counts.floored_half(h) for h in dimensions}
    others = {"even h alone": max(half for h, half in halves.items() if h % 2 == 0)}
    card.record("theorem3_eq31", max(halves.values()), runs=len(halves), others=others)
    below_one = gaps[gaps < 1]
    card.record("theorem3_eq36", counts.power_of_gap(below_one), runs=below_one.size)


def record_bounds(
    card: Scorecard,
    instances: Mapping[str, tuple[pc.Instance, int]],
    variance: float,
    cases: int,
    seed: int,
) -> None:
    """Record from which budgets bounds teach something, and the steps of the lower bounds.

    Parameters
    ----------
    card : Scorecard
        Scorecard.
    instances : dict of str to tuple
        Instances and their dimensions; see `bounds.first_useful_budgets`.
    variance, cases, seed
        See `record_lower_bounds`.
    """
    record_useful_budgets(card, first_useful_budgets(instances, variance))
    record_lower_bounds(card, variance, cases, seed)


def record_useful_budgets(card: Scorecard, begin: Mapping[str, tuple[int, int]]) -> None:
    """Record from which budgets the bounds of GEGE and of EGE-SH are below 1.

    Parameters
    ----------
    card : Scorecard
        Scorecard.
    begin : dict of str to tuple of int
        Results of `bounds.first_useful_budgets`, by instance.
    """
    improves = {name: of_ege / of_gege for name, (of_gege, of_ege) in begin.items()}
    million = 1e6  # the unit of the text
    say("theorem1_from", begin["noc"][0] / million)
    say("ege_from", begin["noc"][1] / million)
    say("far_from", begin["family far"][0] / million)
    say("far_ege_from", begin["family far"][1] / million)
    say("far_many", improves["family far with K = 2048"])
    card.record("bounds_far", improves["family far"])
    card.record("theorem1_improves", improves.pop("noc"), others=improves)


def record_lower_bounds(card: Scorecard, variance: float, cases: int, seed: int) -> None:
    """Record Theorem 2 for two arms, and the step of Theorem 4 that adds arms.

    Parameters
    ----------
    card : Scorecard
        Scorecard.
    variance : float
        Variance of the noise.
    cases, seed : int
        Number of random sets of arms, and their seed.
    """
    budgets = range(2, 2001)
    card.record("theorem2", two_arms_over_bound(0.05, variance, budgets), runs=len(budgets))
    say("zero_arms", growth_by_zero_arms(cases, np.random.default_rng(seed)))


def record_scale(
    card: Scorecard,
    instances: Mapping[str, tuple[pc.Instance, int, float]],
    measured: Mapping[tuple[str, str], np.ndarray],
    variance: float,
) -> None:
    """Record how the samples of GEGE compare with Theorem 3; see `bounds.compare_with_orders`."""
    compared = compare_with_orders(instances, measured, variance)
    card.record("theorem3_scale", *compared.scale_apart)
    say("scale_apart", compared.scale_apart)
    say("sums_apart", compared.sums_apart)
    say("theorem3_ratio", 100 * compared.largest_share)


def record_remark(card: Scorecard, results: Mapping[str, pc.Runs]) -> "HTML":
    """Record how often EGE-SH answers differently from GEGE, on the same random numbers.

    Parameters
    ----------
    card : Scorecard
        Scorecard.
    results : dict of str to Runs
        Runs of "GEGE", of "EGE-SH, samples forgotten" and of "EGE-SH, samples accumulated".

    Returns
    -------
    IPython.display.HTML
        Table of the runs.
    """
    unlike = [
        int((results["GEGE"].answers != other.answers).any(axis=1).sum())
        for other in results.values()
    ]
    others = {"samples accumulated": unlike[2]}
    card.record("remark1", unlike[1], runs=len(results["GEGE"].samples), others=others)
    _, forgotten, accumulated = (~result.correct for result in results.values())
    card.say("accumulating", ratio_of(accumulated, forgotten))
    return results_table(
        results,
        "GEGE and EGE-SH with the same budget, on the same random numbers.",
        columns=("runs", "error rate"),
        **{"answers that differ from GEGE's": unlike},
    )


def record_accuracy(
    card: Scorecard,
    by_accuracy: Mapping[float, pc.Runs],
    instance: pc.Instance,
    cases: int,
    seed: int,
) -> "HTML":
    """Record how good answers with an accuracy are, and what stopping earlier saves.

    Parameters
    ----------
    card : Scorecard
        Scorecard.
    by_accuracy : dict of float to Runs
        Runs of GEGE by accuracy, 0.2 and 0.4 among them.
    instance : Instance
        Their instance.
    cases, seed : int
        Number of cases on the good event, which end as in the paper or one round earlier.

    Returns
    -------
    IPython.display.HTML
        Table of the runs.
    """
    epsilon = 0.25  # of the cases
    followed = [follow_cases(cases, seed, epsilon=each) for each in (epsilon / 2, epsilon)]
    beyond, earlier = (each["beyond"].max(skipna=False) / epsilon for each in followed)
    card.record("epsilon_answer", beyond, runs=cases)
    card.record("farthest_one_round_earlier", earlier)
    say("beyond_paper", beyond)
    say("beyond_ours", earlier)
    say("missed", sum(each["missed"].sum() for each in followed))
    saving = ratio_of(by_accuracy[0.2].samples, by_accuracy[0.4].samples)
    card.say("stop_one_round_earlier", saving)
    still_valid = valid(by_accuracy[0.4].answers, instance, 0.2)
    card.record("valid_one_round_earlier", *rate_of(still_valid))
    return accuracy_table(by_accuracy, instance)
