"""What the chapter records and states of the kept runs beside an oracle."""

from collections.abc import Mapping, Sequence

from pareto_book.chapters.one_rule.oracle_runs import (
    PARETO_SET,
    OracleRuns,
    extreme,
    extreme_ratio,
)
from pareto_book.chapters.one_rule.paper_instances import PAPERS
from pareto_book.records.measurements import Measurement

__all__ = ["oracle_numbers", "oracle_rows", "rival_ratios"]

RULE, ORACLE, EXPLORING, TRACK = "TopTwoIDS", "oracle", "oracle, exploring", "Track-and-Stop"
BEST_ARMS, D_TRACKING = "best arm of every objective, oracle", "D-Tracking"
COVID, FIVE = "COV-BOOST", "five arms"


def oracle_rows(questions: Mapping[str, OracleRuns]) -> dict[str, Measurement]:
    """Measure the claims of the chapter that rest on kept runs beside an oracle."""
    pareto, best_arms = questions[PARETO_SET], questions[BEST_ARMS]
    risks, top = pareto.risks, pareto.risks[:1]
    others = {name: runs for name, runs in questions.items() if name != PARETO_SET}
    beside_oracle = [
        runs.ratio(name, RULE, ORACLE, delta)
        for runs in others.values()
        for name in runs.instances
        for delta in runs.risks
    ]
    return {
        "oracle_tenth": extreme_ratio(pareto, RULE, ORACLE, top),
        "oracle_largest": extreme_ratio(pareto, RULE, ORACLE, risks),
        "oracle_questions": extreme(beside_oracle),
        "oracle_exploring": extreme_ratio(pareto, RULE, EXPLORING, top),
        "oracle_track": extreme_ratio(pareto, TRACK, ORACLE, top),
        "oracle_dtracking": extreme_ratio(best_arms, D_TRACKING, ORACLE, best_arms.risks),
        "rule_track": extreme_ratio(pareto, TRACK, RULE, risks, largest=False),
        "rule_papers": extreme(rival_ratios(others), largest=False),
    }


def rival_ratios(questions: Mapping[str, OracleRuns]) -> list[Measurement]:
    """Samples of the algorithms of the papers over those of our rule, in every case kept."""
    return [
        kept.ratio(instance, rival, RULE, delta)
        for paper in PAPERS
        if (kept := questions.get(paper.question)) is not None
        for instance in paper.instances
        for rival in paper.rivals
        for delta in kept.risks
        if kept.has(instance, rival, delta)
    ]


def oracle_numbers(runs: OracleRuns) -> dict[str, float | Measurement]:
    """Numbers of the text about Pareto sets that are no claims, by their names in the text."""
    top, smallest = runs.risks[0], runs.risks[-1]
    return {
        "oracle_tenth_least": extreme_ratio(runs, RULE, ORACLE, [top], largest=False),
        "oracle_covid": runs.ratio(COVID, RULE, ORACLE, top),
        "oracle_covid_samples": runs.mean(COVID, ORACLE, top),
        "rule_covid_samples": runs.mean(COVID, RULE, top),
        "five_exploring": runs.ratio(FIVE, RULE, EXPLORING, smallest),
        **_wrong_answers("wrong_oracle", runs.wrong(ORACLE)),
        **_wrong_answers("wrong_rule", runs.wrong(RULE)),
    }


def _wrong_answers(name: str, counts: Sequence[int]) -> dict[str, int]:
    wrong, total = counts
    return {name: wrong, f"{name}_runs": total}
