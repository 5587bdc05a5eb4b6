"""What the paper says of its figures, measured: each function records the claims of one section."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

import pareto_core as pc
from pareto_book.chapters.kone2025linear import error_rates, readings
from pareto_book.chapters.kone2025linear.gap_picture import Statement
from pareto_book.chapters.kone2025linear.wrong_models import Departure
from pareto_book.records.measurements import Measurement, mean_of, rate_of, ratio_of, say
from pareto_book.records.scorecard import Scorecard

__all__ = [
    "record_arms_budget",
    "record_arms_confidence",
    "record_buildings",
    "record_buildings_by_budget",
    "record_departures",
    "record_noc_budget",
    "record_noc_confidence",
    "record_noc_needs",
    "record_racing",
    "record_risks",
    "record_statements",
]

Wrong = Mapping[str, Sequence[np.ndarray]]


def record_noc_budget(
    card: Scorecard, wrong: Wrong, budgets: np.ndarray, least: Sequence[np.ndarray]
) -> None:
    """Record the error rates of Figure 3."""
    for budget, each in zip(budgets, wrong["EGE-SH"], strict=True):
        card.record(f"fig3_sh_{budget}", *rate_of(each))
    for name, column in {"GEGE": "gege", "EGE-SR": "sr"}.items():
        card.record(f"fig3_{column}_low", *error_rates.average_rate(wrong[name][:5]))
        card.record(f"fig3_{column}_high", *error_rates.average_rate(wrong[name][5:]))
    card.record("fig3_uniform", *error_rates.average_rate(wrong["uniform"]))
    average = mean_of(np.mean(wrong["EGE-SH"], axis=0) - np.mean(wrong["GEGE"], axis=0))
    lead = mean_of(least[1] - least[0])
    card.record("fig3_lead", *lead, others={"average of the ten budgets": average})
    card.say("lead_at_2331", lead)
    say("average_lead", average)


def record_noc_needs(
    card: Scorecard, noc: pc.Instance, makers: Mapping[str, error_rates.Maker], program: pc.Runs
) -> None:
    """Record the size of NoC, and the smallest budgets with which algorithms can run."""
    card.record("noc_arms", noc.n_arms)
    card.record("noc_features", noc.features.shape[1])
    say("sh_needs", error_rates.least_budget(makers["EGE-SH"], noc))
    needed = error_rates.least_budget(makers["GEGE"], noc) / 2
    took = program.samples.mean() / 2
    others = {"the program, which rounds up and spends more than T": took}
    card.record("gege_needs", needed, others=others)


def record_noc_confidence(
    card: Scorecard, results: Mapping[str, pc.Runs], narrower: pc.Runs
) -> None:
    """Record the ratios of samples of Figure 4."""

    def ratio(first, second):
        return ratio_of(results[first].samples, results[second].samples)

    narrow = ratio_of(narrower.samples, results["GEGE"].samples)
    card.record("fig4_ape", *ratio("APE", "GEGE"))
    others = {"radius of the program of ε-PAL": narrow}
    card.record("fig4_pal", *ratio("PAL", "GEGE"), others=others)
    say("narrow_pal", narrow)
    card.say("printed_lengths_factor", ratio("GEGE, printed", "GEGE"))
    card.say("gege_share_of_ape_noc", ratio("GEGE", "APE"))
    card.say("printed_over_ape", ratio("GEGE, printed", "APE"))


def record_arms_budget(
    card: Scorecard, wrong: Mapping[tuple[str, str, int], np.ndarray], sizes: Sequence[int]
) -> None:
    """Record the growth of error rates with the number of arms of Figure 1."""
    columns = {"GEGE": "gege", "EGE-SH": "sh", "EGE-SR": "sr"}
    families = dict.fromkeys(family for family, _, _ in wrong)
    for family, (name, column) in itertools.product(families, columns.items()):
        widest = max(k for k in sizes if np.isfinite(wrong[family, name, k]).all())
        ratio = ratio_of(wrong[family, name, widest], wrong[family, name, sizes[0]])
        card.record(f"fig1_{column}_{family}", *ratio)
        say(f"fig1_{column}_{family}_ratio", ratio)


def record_arms_confidence(
    card: Scorecard, results: Mapping[tuple[str, str, int], pc.Runs], by_set: pd.DataFrame
) -> None:
    """Record the growth of samples with the number of arms of Figure 2."""
    growth = {
        (family, name): ratio_of(*(results[family, name, k].samples for k in (128, 8)))
        for family, name in dict.fromkeys(key[:2] for key in results)
    }
    for family in ("close", "far"):
        at = {k: results[family, "GEGE, printed", k].samples for k in (8, 32, 128)}
        logarithmic = ratio_of(at[128] - at[32], at[32] - at[8])
        if family == "close":
            card.record("fig2_log_close", *logarithmic)
        else:  # no run could contradict it
            say("fig2_log_far", logarithmic.value)
        card.record(f"fig2_gege_{family}", *growth[family, "GEGE"])
        say(f"printed_growth_{family}", growth[family, "GEGE, printed"])
        card.say(f"ape_growth_{family}", growth[family, "APE"])
    of_ape = mean_of(by_set["APE: K = 128 / K = 8"])
    cheaper = by_set["APE / GEGE at K = 128"] > 1
    others = {f"family {name}": growth[name, "APE"] for name in ("close", "far")}
    card.record("fig2_ape", *of_ape, others=others)
    card.record("gege_cheaper_than_ape_share", *rate_of(cheaper))
    say("random_ape_growth", of_ape.value)
    say("random_cheaper", cheaper.sum())
    say("short_drawn", len(by_set))
    say("random_risk", 100 * by_set["errors of GEGE"].mean())


def record_departures(card: Scorecard, departures: Mapping[str, Departure]) -> None:
    """Record where GEGE begins to err, and how often it errs with a wrong front."""
    for key, departure in zip(("noc", "low", "high"), departures.values(), strict=True):
        say(f"fails_{key}", 100 * departure.fails_at)
    exact = rate_of(np.concatenate([each.exact for each in departures.values()]))
    other = rate_of(np.concatenate([each.other_front for each in departures.values()]))
    card.say("exact_model", exact)
    card.say("other_front", other)
    say("exact_model_percent", 100 * exact.value)
    say("other_front_percent", 100 * other.value)


def record_risks(card: Scorecard, results: Mapping[tuple[str, float, str], pc.Runs]) -> None:
    """Record the error rates of GEGE at δ = 0.01."""
    measured = {
        name: rate_of(~result.correct)
        for (name, level, lengths), result in results.items()
        if (level, lengths) == (0.01, "experiment")
    }
    card.record("fig4_risk", *measured["NoC"])
    card.record("risk_far", *measured["far, K = 8"])
    card.record("risk_noc", *measured["NoC"])
    say("worst_risk", measured["far, K = 8"].times(100))
    say("noc_risk", measured["NoC"].times(100))
    say("noisy_risk", measured["far, K = 8, σ = 1"].times(100))


def record_buildings(
    card: Scorecard,
    instances: Mapping[str, pc.Instance],
    wrong: Mapping[tuple[str, str], np.ndarray],
) -> None:
    """Record the number of optimal buildings, and the error rates of Figure 6."""
    fronts = {name: len(each.pareto_set) for name, each in instances.items()}
    ratios: dict[str, Measurement] = {
        reading: ratio_of(wrong[reading, "EGE-SH"], wrong[reading, "GEGE"])
        for reading in ("low, linear fit", "low, as measured")
    }
    fit, measured = instances["low, linear fit"], instances["low, as measured"]
    say("front_low", fronts["low, as measured"])
    say("front_fit", fronts["low, linear fit"])
    card.record("energy_arms", fit.n_arms)
    card.record("energy_features", fit.features.shape[1])
    others = {
        "linear fit": fronts["low, linear fit"],
        "linear fit with intercept to centred features over their absolute sum": (
            readings.front_with_intercept(measured.means)
        ),
        "both loads high": fronts["high, as measured"],
        "both loads high and a linear fit": fronts["high, linear fit"],
    }
    card.record("energy_front", fronts["low, as measured"], others=others)
    others = {"means as measured": ratios["low, as measured"]}
    card.record("fig6", *ratios["low, linear fit"], others=others)


def record_buildings_by_budget(
    card: Scorecard, wrong: Wrong, budgets: Sequence[int], smaller: int
) -> None:
    """Record the error rate of GEGE with fewer samples than there are buildings."""
    card.record("fig6_below", *rate_of(wrong["GEGE"][list(budgets).index(smaller)]))


def record_racing(card: Scorecard, results: Mapping[str, pc.Runs]) -> None:
    """Record the samples of Racing over those of GEGE of Figure 7, with both kinds of lengths."""
    ratio = ratio_of(results["Racing"].samples, results["GEGE"].samples)
    proven = ratio_of(results["Racing, Algorithm 1"].samples, results["GEGE, printed"].samples)
    others = {"both with the lengths and radii that are proven": proven}
    card.record("fig7", *ratio, others=others)


def record_statements(card: Scorecard, statements: Sequence[Statement]) -> None:
    """Record how many statements about Figure 5 hold, as printed and amended."""
    others = {"k for j in the first of them": sum(each.amended for each in statements)}
    card.record("fig5_statements", sum(each.holds for each in statements), others=others)
