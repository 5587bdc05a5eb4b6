"""What the runs of the chapter measure of each claim of the paper, by the name of the claim."""

from collections.abc import Mapping, Sequence

from pareto_book.chapters.kone2025constrained import hardening
from pareto_book.chapters.kone2025constrained.contests import (
    Contests,
    error_readings,
    errors_of,
    ratio_readings,
    reading,
)
from pareto_book.chapters.kone2025constrained.duels import over_bound
from pareto_book.records.measurements import Measurement, ratio_of, samples_ratio
from pareto_book.records.recording import Row
from pareto_core.instances.constrained_instances import racing_hard
from pareto_core.simulation.results import Runs

__all__ = [
    "explainability",
    "limits",
    "racing_fails",
    "stopping_times",
    "two_stages",
    "vaccine_ratios",
]

STAGES, RACING, UNIFORM, ECAPE = "two stages", "racing", "uniform", "e-cAPE"


def chosen(values: Mapping[str, Measurement], name: str = "") -> Row:
    """Take one reading, with the others beside it."""
    others = {other: value for other, value in values.items() if other != name}
    return Row(*values[name], others=others)


def two_stages(results: Contests, closeness: Sequence[float], judged: str) -> dict[str, Row]:
    """Measure the claims of Figure 1."""
    near, nearer = (f"ε = {epsilon:g}" for epsilon in closeness[-2:])
    halving = {
        name: ratio_readings(results, (nearer, name), (near, name)) for name in (STAGES, ECAPE)
    }
    called = hardening.called_dominated(results, nearer, arm=2)
    return {
        "fig1_complexity": Row(hardening.complexity_slope(*closeness[-2:])),
        "fig1_stages": chosen(halving[STAGES], judged),
        "fig1_ecape": chosen(halving[ECAPE], judged),
        "fig1_answer": chosen(called, judged),
    }


def racing_fails(
    results: Contests, too_short: Contests, delta: float, judged: str
) -> dict[str, Row]:
    """Measure the claims of Figure 8."""
    ten, twenty = "10 arms", "20 arms"
    pairs = {
        "fig8_racing_10": ((ten, RACING), (ten, ECAPE)),
        "fig8_stages_10": ((ten, RACING), (ten, STAGES)),
        "fig8_racing_20": ((twenty, RACING), (twenty, ECAPE)),
        "fig8_stages_20": ((twenty, RACING), (twenty, STAGES)),
        "appF_racing": ((twenty, RACING), (ten, RACING)),
        "appF_ecape": ((twenty, ECAPE), (ten, ECAPE)),
    }
    found = {claim: chosen(ratio_readings(results, *pair), judged) for claim, pair in pairs.items()}
    for k in (10, 20):
        found[f"fig8_close_{k}"] = Row(hardening.stages_over_least(racing_hard(k)))
    names = ECAPE, STAGES, RACING
    errors = error_readings({**results, **too_short}, (ten, twenty), names, delta)
    return found | {"fig8_errors": chosen(errors, judged)}


def stopping_times(
    results: Contests, too_short: Contests, delta: float, judged: str
) -> dict[str, Row]:
    """Measure the claims of Figure 4."""
    keys = {STAGES: "two_stage", RACING: "racing", UNIFORM: "uniform"}
    ratios = {
        f"fig4_{key}_{suffix}": ratio_readings(results, (title, ECAPE), (title, rival))
        for title, key in (("vaccines", "covid"), ("doses", "dose"))
        for rival, suffix in keys.items()
    }
    # Of the vaccines the paper says how many more samples uniform sampling needs.
    over = ratio_readings(results, ("vaccines", UNIFORM), ("vaccines", ECAPE))
    ratios["fig4_covid_uniform"] = over
    worst = {"fig4_covid_two_stage": reading(2, delta)}  # for e-cAPE
    errors = error_readings({**results, **too_short}, ["vaccines"], (ECAPE, STAGES, RACING), delta)
    return {claim: chosen(values, worst.get(claim, judged)) for claim, values in ratios.items()} | {
        "fig4_covid_errors": chosen(errors, judged)
    }


def vaccine_ratios(wide: Mapping[str, Runs], narrow: Mapping[str, Runs]) -> dict[str, Measurement]:
    """Measure ratios of samples on the vaccines: e-cAPE over its rivals, and both radii."""
    return {
        "covid_racing": samples_ratio(wide, ECAPE, RACING),
        "covid_stages": samples_ratio(wide, ECAPE, STAGES),
        "radius_stages": ratio_of(wide[STAGES].samples, narrow[STAGES].samples),
        "radius_ecape": ratio_of(wide[ECAPE].samples, narrow[ECAPE].samples),
    }


def explainability(
    on_five: Mapping[str, Runs],
    on_three: Mapping[str, Runs],
    shortest: Runs,
    price: float,
    optimism: Mapping[str, str],
) -> dict[str, Row]:
    """Measure the claims of Figure 6."""
    wide, narrow, *_ = on_five
    judged = next(name for name, words in optimism.items() if not words)
    over = {"c_U = 2": samples_ratio(on_five, narrow, judged)}
    over |= {words: samples_ratio(on_five, wide, name) for name, words in optimism.items()}
    errors = {"c_U = 2": on_three[narrow], "c_U = 8": on_three[wide], "c_U = 0.5": shortest}
    errors = {words: errors_of(runs) for words, runs in errors.items()}
    wrong = {words: errors_of(on_three[name]) for name, words in optimism.items()}
    return {
        "fig6_samples": chosen(over),
        "fig6_close": Row(price),
        "fig6_ecape": chosen(errors, "c_U = 2"),
        "fig6_reasons": chosen(wrong),
    }


def limits(
    quick: Mapping[str, Runs],
    slow: Mapping[str, Runs],
    far: Mapping[str, Runs],
    far_bound: float,
    optimism: Mapping[str, str],
) -> dict[str, Row]:
    """Measure the claims on what happens as the risk falls."""
    wide, narrow = slow
    seen = {words: over_bound(far[name], far_bound) for name, words in optimism.items()}
    doubled = {
        words: ratio_of(slow[name].samples, quick[name].samples)
        for name, words in ((wide, reading(8)), (narrow, reading(2)))
    }
    return {
        "theorem44_growth": chosen(doubled, reading(8)),
        "theoremB2": chosen(seen),
    }
