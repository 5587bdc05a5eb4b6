"""Formatted tables of samples: our rule, an oracle, and the algorithms of the papers."""

from collections.abc import Mapping, Sequence

import pandas as pd

import pareto_core as pc
from pareto_book.chapters.one_rule import oracle_runs, paper_instances, rare_arm
from pareto_book.chapters.one_rule.oracle_runs import PARETO_SET, OracleRuns
from pareto_book.figures.tables import show_table

__all__ = ["show_against_oracle", "show_oracle", "show_papers", "show_posterior", "show_rare_arm"]

RULE = "TopTwoIDS"
ORACLES = {
    "oracle": "an oracle that knows the optimal proportions",
    "oracle, exploring": "an oracle that samples an arm with at most √t − K/2 samples first",
}
ORACLE_CAPTION = (
    "Mean samples of {oracle}, and of our rule at δ = 0.1, those of our rule over the time tᵦ "
    "at which t/T* reaches the threshold, and the ratio of our rule to the oracle at each risk, "
    "with 95 % intervals from paired runs."
)
PAPERS_CAPTION = (
    "Samples of the algorithms of each paper over those of TopTwoIDS, with 95 % intervals from "
    "paired runs. Empty: not run, since APE and e-cAPE need runs of their own at each risk."
)
AGAINST_ORACLE_CAPTION = (
    "Samples of algorithms for best arms and for constrained Pareto sets over those of an oracle "
    "that knows the optimal proportions, with 95 % intervals from paired runs."
)
POSTERIOR_CAPTION = (
    "Samples of posterior sampling over those of TopTwoIDS, on the instances of its paper (kept "
    "runs of the arena; PSIPS runs at 0.1 and 0.01 only)."
)
RARE_ARM_CAPTION = (
    "Mean samples on the five arms of an oracle whose smallest proportion is multiplied by a "
    "factor, and the evidence per sample as a share of the largest possible one, C*."
)


def show_oracle(runs: OracleRuns, oracle: str):
    """Make a table of our rule beside one of the `ORACLES`, by instance."""
    frame = oracle_runs.oracle_table(runs, RULE, oracle, runs.risks)
    formats = {"T*": ",.0f", "over tᵦ": ".2f"}
    formats |= {f"{name}, δ = {runs.risks[0]:g}": ",.0f" for name in (oracle, RULE)}
    caption = ORACLE_CAPTION.format(oracle=ORACLES[oracle])
    return show_table(frame, caption, **formats, **_ratios(frame))


def show_papers(questions: Mapping[str, OracleRuns]):
    """Make a table of the algorithms of each paper beside our rule."""
    return _show_papers(questions, RULE, PAPERS_CAPTION)


def show_against_oracle(questions: Mapping[str, OracleRuns]):
    """Make a table of our rule and of the papers beside the oracle, without Pareto sets."""
    others = {name: runs for name, runs in questions.items() if name != PARETO_SET}
    return _show_papers(others, "oracle", AGAINST_ORACLE_CAPTION)


def _show_papers(questions, reference, caption):
    frame = paper_instances.paper_table(questions, reference)
    repeated = {"paper": frame["paper"].duplicated(), "instance": frame["instance"].duplicated()}
    frame = frame.assign(**{name: frame[name].mask(same, "") for name, same in repeated.items()})
    return show_table(frame, caption, **{f"{reference}, δ = 0.1": ",.0f"}, **_ratios(frame))


def show_posterior(instances: tuple[str, ...]):
    """Make a table of posterior sampling beside our rule, on instances of the arena."""
    frame = paper_instances.posterior_sampling_table(instances)
    return show_table(frame, POSTERIOR_CAPTION, **_ratios(frame))


def show_rare_arm(
    instance: pc.Instance, factors: Sequence[float], deltas: Sequence[float], **settings: int
):
    """Make a table of oracles that sample the rarest arm more often; see `rare_arm_table`."""
    frame = rare_arm.rare_arm_table(instance, factors, deltas, **settings)
    formats = {"proportion": ".4f", "of C*": ".3f"}
    formats |= {f"δ = {delta:g}": ",.0f" for delta in deltas}
    return show_table(frame, RARE_ARM_CAPTION, **formats)


def _ratios(frame: pd.DataFrame) -> dict[str, str]:
    return {name: ".2f" for name in frame.columns if name.startswith("ratio at")}
