"""What to read before the statements: noise that was stated wrongly, and samples too few."""

from typing import NamedTuple

import numpy as np

from pareto_core.confidence.boxes import UNKNOWN
from pareto_core.confidence.first_statement import least_samples
from pareto_core.confidence.variance_test import NOTICEABLE, variance_test

HARDLY_TESTED = (
    "The stated noise is hardly tested: so few arms were sampled more than once that even "
    f"{NOTICEABLE:g} times the stated standard deviation might go unnoticed. What is certain here "
    "rests on the stated noise alone; sample some arms again before you rely on it."
)


MANY = 0.1  # of all values told: a warning if more were withdrawn

OF_ANOTHER_ARM = (
    " Withdrawn rewards that were not replaced are part of the test. One that was no sample of its "
    "arm, such as that of a mislabelled tube, can refute a true statement; it leaves the test when "
    "its identifier is told again with the right values."
)


class Counts(NamedTuple):
    """Rewards that count, withdrawn ones, and withdrawn ones that nothing replaced."""

    told: int
    withdrawn: int
    unreplaced: int


class Remark(NamedTuple):
    """A sentence about the statements, and whether they are not to be trusted because of it."""

    text: str
    is_warning: bool


def remarks_of(session, delta=0.1):
    """Remarks on a session, by the noise that it states; see `Status.remarks`."""
    rewards, deviation = session._course.told(), None
    if session.design.is_noise_unknown:
        deviation = UNKNOWN
    least = samples_before_statements(session.design, deviation, rewards, delta)
    tested = tested_rewards(session)
    test = tested_noise(session.algorithm, session.design, tested)
    is_certain = session.ended_by == "answer"
    names = session.design.arms, session.design.objectives
    return in_words(test, least, counts_of(session, rewards, tested), is_certain, *names)


def tested_rewards(session):
    """Rewards of each arm that test the noise: all told, unless another value replaced them.

    Those withdrawn are among them: a choice of rewards by their values would hide the noise.
    """
    rewards = session._course.told()
    lost = session._samples.unreplaced(session._withdrawn)
    for arm, reward in lost.elements():
        rewards[arm].append(np.array(reward))
    return rewards


def counts_of(session, rewards, tested):
    """The `Counts` of a session, of its rewards that count and of those that test the noise."""
    told = sum(map(len, rewards))
    return Counts(told, len(session._withdrawn), sum(map(len, tested)) - told)


def tested_noise(algorithm, design, rewards):
    """Test the stated standard deviations against the `tested_rewards`.

    Returns
    -------
    VarianceTest or None
        None if no standard deviation is stated: the noise is unknown, rewards are bounded, or the
        algorithm has a model of the noise of its own.
    """
    deviation = _tested_deviation(algorithm, design)
    if deviation is None:
        return None
    shape = (design.n_arms, design.n_objectives)
    each, squares = np.broadcast_to(deviation, shape), np.zeros(shape)
    for k, told in enumerate(rewards):
        if told:
            squares[k] = _sum_of_squares(np.array(told), each[k])
    return variance_test([len(told) for told in rewards], squares)


def _tested_deviation(algorithm, design):
    if design.is_noise_unknown or design.bounds is not None:
        return None
    if not algorithm.knows_noise:
        return design.standard_deviation
    if algorithm.variance_bound is None or algorithm.reward_bounds is not None:
        return None
    return np.sqrt(algorithm.variance_bound)


def _sum_of_squares(rewards, deviation):
    """About their average, in units of the stated variance; equal rewards give exactly zero."""
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = np.clip((rewards - rewards[0]) / deviation, -1e140, 1e140)
    return ((scaled - scaled.mean(axis=0)) ** 2).sum(axis=0)


def samples_before_statements(design, deviation, rewards, delta):
    """Rewards that an unknown noise needs before any statement, if arms are sampled in turn.

    Returns
    -------
    int or None
        None if the noise is not unknown, or the rewards told suffice.
    """
    if not isinstance(deviation, str):
        return None
    counts = [len(told) for told in rewards]
    least = least_samples(counts, design.n_objectives, delta)
    return least if least > sum(counts) else None


def in_words(test, least, counts, is_certain, arms, objectives):
    """Return the remarks, warnings first.

    Parameters
    ----------
    test : VarianceTest or None
    least : int or None
        Rewards before which nothing can be said, if they are not there yet.
    counts : Counts
    is_certain : bool
        Whether anything is said to be certain.
    arms, objectives
        Their names, or numbers.

    Returns
    -------
    list of Remark
    """
    found = []
    if test is not None and test.is_refuted.any():
        text = _refuted(test, arms, objectives)
        found.append(Remark(text + OF_ANOTHER_ARM if counts.unreplaced else text, True))
    elif test is not None and counts.told and not test.is_telling:
        found.append(Remark(HARDLY_TESTED, is_certain))
    if counts.withdrawn:
        values = counts.told + counts.withdrawn
        is_many = counts.withdrawn > MANY * values
        found.append(Remark(_withdrawn(counts, values, test), is_many))
    if test is not None and test.is_generous.any():
        found.append(Remark(_generous(test, objectives), False))
    if least is not None:
        found.append(Remark(too_early(least, counts.told), False))
    return sorted(found, key=lambda remark: not remark.is_warning)


def _withdrawn(counts, values, test):
    """How many rewards were withdrawn, and what that means."""
    tested = "" if test is None else " The test of the stated noise includes those not replaced."
    return (
        f"Of the {values} values told, {counts.withdrawn} were withdrawn, {counts.unreplaced} of "
        "them without another value for the same sample. Statements and answers have their "
        f"guarantee only if none was withdrawn because of its value.{tested}"
    )


def too_early(least, told):
    """Why there are no intervals yet."""
    return (
        f"No statement is possible before about {least} rewards, if the arms are sampled in turn; "
        f"so far there are {told}. The standard deviation is unknown, and fewer rewards give no "
        "upper bound of it."
    )


def _refuted(test, arms, objectives):
    parts = []
    for c in np.flatnonzero(test.is_refuted):
        whose = "" if test.arms[c] < 0 else f" (arm {arms[test.arms[c]]})"
        parts.append(f"{test.ratios[c]:.3g} times the stated one in {_named(objectives, c)}{whose}")
    return (
        "The stated noise is refuted: rewards of the same arm scatter with a standard deviation of "
        f"{', '.join(parts)}. This test errs with probability {test.level:g} at most, however "
        "often you look. Statements and answers that rest on the stated noise have no guarantee. "
        "Begin a new session with a larger standard deviation, or with standard_deviation = "
        f"{UNKNOWN!r}, and tell it all rewards."
    )


def _generous(test, objectives):
    parts = [
        f"{test.upper_bounds[c]:.2g} times the stated one in {_named(objectives, c)}"
        for c in np.flatnonzero(test.is_generous)
    ]
    return (
        "The rewards scatter less than was stated: if the noise is Gaussian and equally large in "
        f"all arms, its standard deviation is at most {', '.join(parts)}. All statements hold, but "
        "they cost more samples than they would with a smaller standard deviation."
    )


def _named(objectives, c):
    name = objectives[c]
    return name if isinstance(name, str) else f"objective {name}"
