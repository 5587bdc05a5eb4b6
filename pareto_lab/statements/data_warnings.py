"""Warnings and notes about the data of a session.

They concern noise that contradicts what was stated, withdrawn rewards, and too few samples.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.confidence.comparisons import make_comparisons, may_suffice
from pareto_core.confidence.ledger import BOX_SHARE
from pareto_core.confidence.noise_kinds import EQUAL, KNOWN, UNKNOWN, UNKNOWNS, are_of_kind
from pareto_core.confidence.unknown_variance import residual_degrees, variance_grid
from pareto_lab.experiment.missing_values import observed_counts
from pareto_lab.experiment.names import listed, named_objective
from pareto_lab.statements.arm_statements import OPEN, RETIRED
from pareto_lab.statements.equal_noise import LEVEL as EQUAL_LEVEL
from pareto_lab.statements.equal_noise import unequal_arms
from pareto_lab.statements.variance_test import NOTICEABLE, variance_test

MANY_WITHDRAWN = 0.1  # share of all values told from which withdrawals are a warning
HARDLY_TESTED = (
    "The stated noise is hardly tested: so few arms were sampled more than once that even "
    f"{NOTICEABLE:g} times the stated standard deviation might go unnoticed. What is certain here "
    "rests on the stated noise alone; sample some arms again before you rely on it."
)
MISLABELLED = (
    " Withdrawn rewards that were not replaced are part of the test. A reward of a different arm, "
    "such as that of a mislabelled tube, can refute a true statement; it leaves the test when its "
    "identifier is told again with the right values."
)


class Remark(NamedTuple):
    """A sentence about the data, and whether it is a warning that statements may be wrong."""

    text: str
    is_warning: bool


def tested_rewards(state):
    """Rewards of each arm that test the noise: all but those that other values replaced."""
    rewards = [*map(list, state.rewards)]
    for sample in state.unreplaced():
        rewards[sample.arm].append(sample.rewards[-1])
    return rewards


def noise_test(algorithm, design, rewards):
    """Test the stated standard deviations against the `tested_rewards`."""
    deviation = _tested_deviation(algorithm, design)
    if deviation is None:
        return None
    shape = (design.n_arms, design.n_objectives)
    tested = np.ones(design.n_objectives, bool)
    if design.noise_kinds is not None:
        tested = are_of_kind(design.noise_kinds, KNOWN)
    if not tested.any():
        return None
    deviations = np.broadcast_to(deviation, shape)
    squares = np.zeros(shape)
    for k, told in enumerate(rewards):
        if told:
            squares[k] = _sum_of_squares(np.array(told), deviations[k])
    counts = observed_counts(rewards, design.n_objectives)
    counts, squares = (np.where(tested, each, 0) for each in (counts, squares))
    return variance_test(counts, squares, tested=tested)


def _tested_deviation(algorithm, design):
    if design.unknown_noise or design.bounds is not None:
        return None
    if not algorithm.noise.is_stated:
        return design.standard_deviation
    noise = algorithm.noise
    if noise.variance_bound is None or noise.reward_bounds is not None:
        return None
    return np.sqrt(noise.variance_bound)


def _sum_of_squares(rewards, deviation):
    """Squares around the average, in units of the stated variance; zero for equal rewards."""
    observed = ~np.isnan(rewards)
    first = rewards[observed.argmax(axis=0), np.arange(rewards.shape[1])]
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = np.clip((rewards - first) / deviation, -1e140, 1e140)
    scaled = np.where(observed, scaled, 0.0)
    mean = scaled.sum(axis=0) / np.maximum(observed.sum(axis=0), 1)
    return (np.where(observed, scaled - mean, 0.0) ** 2).sum(axis=0)


def samples_before_statements(design, deviation, rewards, delta):
    """Rewards that an unknown noise needs before any statement, if arms are sampled in turn."""
    if not isinstance(deviation, str):
        return None
    told, counts = sum(map(len, rewards)), observed_counts(rewards, design.n_objectives)
    size = design.n_objectives, delta, deviation
    more = min(least_samples(each, *size) - each.sum() for each in counts.T)
    return int(told + more) if more > 0 else None


def least_samples(counts, n_objectives, delta, noise):
    """Total number of samples of arms in turn with which the first statement becomes possible."""
    log_risk, level = -np.log(delta), 0
    if noise == EQUAL:
        grid = variance_grid(log_risk, n_objectives)
        while residual_degrees(grid, np.maximum(counts, level)) <= 0:
            level += 1
    else:
        comparisons = make_comparisons(log_risk, BOX_SHARE, np.ones(n_objectives), counts.size)
        while not may_suffice(comparisons, np.maximum(counts, level)):
            level += 1
    return int(np.maximum(counts, level).sum())


def remarks_on_data(status, has_answer):
    """Remarks on the noise that was stated, on withdrawn rewards and on too few of them."""
    found, test, told = [], status.variance_test, int(status.samples.sum())
    if test is not None and test.is_refuted.any():
        text = _refuted(test, status)
        found.append(Remark(text + MISLABELLED if status.unreplaced else text, True))
    elif test is not None and told and not test.is_telling:
        is_certain = has_answer or bool((status.statements != OPEN).any())
        found.append(Remark(HARDLY_TESTED, is_certain))
    if status.withdrawn:
        values = told + status.withdrawn
        is_many = status.withdrawn > MANY_WITHDRAWN * values
        found.append(Remark(_withdrawn(status, values), is_many))
    if status.least_samples is not None:
        found.append(Remark(_too_early(status.least_samples, told), False))
    return found


def remarks_on_missing(status):
    """A remark on missing values, if there are any, in a list."""
    if not status.missing.any():
        return []
    missing = status.missing
    parts = [
        f"{missing[k, c]} of arm {status.arms[k]} in {named_objective(status.objectives[c])}"
        for k, c in np.argwhere(missing)
    ]
    text = (
        f"Missing values: {missing.sum()}, namely {listed(parts)}. Statements and answers count "
        "the values of each arm and objective. They have their guarantee only if no value is "
        "missing because of what it is and, if the noise of the objectives is correlated, which "
        "objectives of a sample are observed was fixed before a value of it was seen."
    )
    return [Remark(text, False)]


def remarks_without_intervals(status, deviation):
    """A remark on arms without an interval in an objective of unknown noise, in a list."""
    kinds = stated_kinds(deviation, len(status.objectives))
    has_none = np.isinf(status.boxes).all(axis=2) & (status.statements != RETIRED)[:, None]
    if status.least_samples is not None or not status.samples.any():
        return []
    parts = []
    for c, name in enumerate(status.objectives):
        arms = [f"{status.arms[k]} ({status.samples[k]})" for k in np.flatnonzero(has_none[:, c])]
        if arms and kinds[c] in UNKNOWNS:
            parts.append(f"{listed(arms)} in {named_objective(name)}")
    text = (
        f"No interval yet for {'; '.join(parts)}: so few rewards, in brackets, or rewards that "
        "differ by no more than rounding may, say too little about an unknown standard deviation. "
        "Statements that need this interval have to wait until the arm is sampled more often, or "
        "its rewards vary; state 0 for an objective that is exact."
    )
    return [Remark(text, False)] if parts else []


def remarks_on_unequal(status, deviation, observed, scatter):
    """A warning on each objective whose noise differs between arms though it is called equal."""
    kinds, found = stated_kinds(deviation, len(status.objectives)), []
    if EQUAL not in kinds:
        return found
    for c, pair in enumerate(unequal_arms(observed, scatter)):
        if kinds[c] == EQUAL and pair is not None:
            own = np.sqrt(scatter[pair, c] / (observed[pair, c] - 1))
            parts = [
                f"{each:.3g} (arm {status.arms[k]})" for k, each in zip(pair, own, strict=True)
            ]
            found.append(Remark(_unequal(named_objective(status.objectives[c]), parts), True))
    return found


def stated_kinds(deviation, n_objectives):
    """What is stated of the noise of each objective."""
    if isinstance(deviation, list):
        return deviation
    return [deviation if isinstance(deviation, str) else KNOWN] * n_objectives


def remarks_on_retired(retired):
    """What retired arms do to the guarantee, a remark for each kind."""
    texts = {
        True: "No longer sampled, but part of the question: {}. All statements are about the "
        "Pareto set with these arms, keep their guarantee, and may never be made about some arms.",
        False: "No longer part of the question: {}. Statements and answers are about the Pareto "
        "set of the other arms, and keep their guarantee, whatever the reason for leaving them "
        "out.",
    }
    arms = {kind: [each.arm for each in retired if each.still_counts is kind] for kind in texts}
    return [Remark(texts[kind].format(listed(arms[kind])), False) for kind in texts if arms[kind]]


def _withdrawn(status, values):
    """How many rewards were withdrawn, and what that means for the guarantee."""
    tested = " The test of the stated noise includes those not replaced."
    return (
        f"Of the {values} values told, {status.withdrawn} were withdrawn, {status.unreplaced} of "
        "them without another value for the same sample. Statements and answers have their "
        "guarantee only if none was withdrawn because of its value."
        f"{'' if status.variance_test is None else tested}"
    )


def _too_early(least, told):
    """Why there are no intervals yet."""
    return (
        f"No statement is possible before about {least} rewards, if the arms are sampled in turn; "
        f"so far there are {told}. The standard deviation is unknown, and fewer rewards say too "
        "little about it."
    )


def _refuted(test, status):
    parts = []
    for c in np.flatnonzero(test.is_refuted):
        whose = "" if test.arms[c] < 0 else f" (arm {status.arms[test.arms[c]]})"
        name = named_objective(status.objectives[c])
        parts.append(f"{test.ratios[c]:.3g} times the stated one in {name}{whose}")
    return (
        "The stated noise is refuted: rewards of the same arm scatter with a standard deviation of "
        f"{', '.join(parts)}. This test errs with probability {test.level:g} at most, however "
        "often you look. Statements and answers that rest on the stated noise have no guarantee. "
        "Begin a new session with a larger standard deviation, or with standard_deviation = "
        f"{UNKNOWN!r}, and tell it all rewards."
    )


def _unequal(objective, parts):
    return (
        f"The noise is not equal in all arms: in {objective}, rewards scatter with a standard "
        f"deviation of {' and '.join(parts)}. This test errs with probability {EQUAL_LEVEL:g} at "
        "most, however often you look. Statements and answers have no guarantee. Begin a new "
        f"session with standard_deviation = {UNKNOWN!r}, and tell it all rewards."
    )
