"""Limits of detection: what lies beyond a limit is recorded as the limit itself.

Statements are then about the means of what is recorded; see Section 13 of the appendix *Proofs*.
"""

import numbers
from collections.abc import Mapping

import numpy as np
import pandas as pd

from pareto_core.algorithms.pareto.proven_stopping import PROVEN
from pareto_core.checks.arguments import LARGEST, shown
from pareto_core.confidence.boxes import UNKNOWN
from pareto_core.confidence.noise_kinds import UNKNOWN as OF_UNKNOWN_VARIANCE
from pareto_core.loop.reward_bounds import bounds_of_each
from pareto_lab.experiment.missing_values import ACCEPTED_BY
from pareto_lab.experiment.names import listed, named_objective, unknown

NO_LIMITS = (-np.inf, np.inf)
SIGNS = "<>"  # of a text such as "<0.01"
MOST_LISTED = 6  # pairs of an arm and an objective in a sentence


def checked_limits(given, objectives, bounds):
    """Limits of each objective, a tuple of pairs, infinite where there is no limit; or None.

    Parameters
    ----------
    given : mapping of objectives to pairs, or None
        See `Session`.
    objectives : tuple of str, or range
    bounds : tuple or None
        Bounds of the rewards.

    Raises
    ------
    ValueError
        If an objective is unknown, a limit is not a finite number, a pair has no limit or its
        first is not below its second, or a limit is not within the bounds.
    """
    if given is None:
        return None
    if not isinstance(given, Mapping) or not given:
        raise ValueError(
            f"limits = {shown(given)}; expected a mapping of objectives to pairs (low, high)"
        )
    for each in given:
        if each not in objectives:
            raise ValueError(f"limits has a value for {shown(each)}; {unknown(each, objectives)}")
    limits = tuple(_pair(given[each], each) if each in given else NO_LIMITS for each in objectives)
    if bounds is not None:
        pairs = zip(*bounds_of_each(bounds, len(objectives)), strict=True)
        for name, (low, high), (least, most) in zip(objectives, limits, pairs, strict=True):
            if any(np.isfinite(each) and not least < each < most for each in (low, high)):
                raise ValueError(
                    f"limits of {shown(name)} = {(low, high)}; expected limits between its bounds, "
                    f"{least:g} and {most:g}"
                )
    return limits


def _pair(given, name):
    """A lower and an upper limit, infinite where it is None."""
    text = f"limits of {shown(name)} = {shown(given)}"
    if not isinstance(given, tuple | list | np.ndarray) or len(given) != 2:
        raise ValueError(f"{text}; expected a pair (low, high), of which one may be None")
    if not all(each is None or _is_number(each) for each in given):
        raise ValueError(f"{text}; expected finite numbers, or None")
    low, high = (
        other if each is None else float(each) for each, other in zip(given, NO_LIMITS, strict=True)
    )
    if (low, high) == NO_LIMITS or not low < high:
        raise ValueError(f"{text}; expected a number in one of the two places, and low < high")
    return low, high


def _is_number(each):
    is_real = isinstance(each, numbers.Real) and not isinstance(each, bool | np.bool_)
    return is_real and abs(each) <= LARGEST


def refuse_unproven(algorithm, design):
    """Refuse limits for which the statements would have no proof.

    Raises
    ------
    ValueError
        If the algorithm does not stop by a proven rule; if the noise of an objective with limits
        has an unknown variance; or if arms have features, or their means a feasible region.
    """
    if design.limits is None:
        return
    text = f"limits = {stated_limits(design)}"
    if design.features is not None:
        raise ValueError(
            f"{text} with features, in which the means of recorded values are not linear; expected "
            "one of the two"
        )
    if design.polyhedron is not None:
        raise ValueError(
            f"{text} with a polyhedron, which concerns the means and not those of recorded values; "
            "expected one of the two"
        )
    has_limits = np.array([pair != NO_LIMITS for pair in design.limits])
    kinds = np.array(design.noise_kinds or ("",) * len(has_limits))
    is_unknown = getattr(algorithm, "variance", None) == UNKNOWN or design.is_noise_unknown
    if is_unknown or (kinds[has_limits] == OF_UNKNOWN_VARIANCE).any():
        raise ValueError(
            f"{text} with noise of unknown variance, whose rule is proven for Gaussian noise only; "
            "expected a standard deviation, or bounds"
        )
    if not is_proven(algorithm):
        raise ValueError(
            f"{text} for {algorithm!r}, whose stopping rule has no proof for recorded values; "
            f"expected a proven one: {ACCEPTED_BY.removesuffix(' accept missing values')}"
        )


def is_proven(algorithm):
    """Whether the algorithm stops by a rule that is proven for sub-Gaussian noise."""
    if algorithm.measures_separately:
        return algorithm.threshold in PROVEN
    return algorithm.allows_missing_values


def stated_limits(design):
    """Limits of the objectives that have some, a dict of pairs with None for no limit."""
    return {
        name: tuple(float(each) if np.isfinite(each) else None for each in pair)
        for name, pair in zip(design.objectives, design.limits, strict=True)
        if pair != NO_LIMITS
    }


def as_saved(limits):
    """Limits of each objective as a session file stores them, or None."""
    if limits is None:
        return None
    return [[each if np.isfinite(each) else None for each in pair] for pair in limits]


def restored_limits(saved, objectives):
    """The argument ``limits`` of a session from a file.

    Raises
    ------
    ValueError
        If there is not a pair for each objective.
    """
    if saved is None:
        return None
    if not isinstance(saved, list) or len(saved) != len(objectives):
        raise ValueError(f"limits = {shown(saved)}; expected a pair for each objective")
    return {
        name: pair for name, pair in zip(objectives, saved, strict=True) if pair != [None, None]
    }


def with_numbers(values, limits, objectives, name):
    """Replace texts such as "<0.01" by the limit that they name; other values are returned as is.

    Parameters
    ----------
    values : sequence
        In the order of the objectives; anything else is returned as it is.
    limits : tuple of pairs, or None
    objectives : sequence
    name : str
        Of the values, for the message.

    Raises
    ------
    ValueError
        If a text names a number that is not the limit of its objective.
    """
    if isinstance(values, pd.Series | np.ndarray):
        values = values.tolist()
    is_sequence = isinstance(values, list | tuple) and len(values) == len(objectives)
    if not is_sequence or not any(map(_is_beyond, values)):
        return values
    pairs = (NO_LIMITS,) * len(objectives) if limits is None else limits
    return [
        _limit_of(each, pair, f"{name} of {named_objective(objective)}")
        if _is_beyond(each)
        else each
        for each, pair, objective in zip(values, pairs, objectives, strict=True)
    ]


def _is_beyond(value):
    return isinstance(value, str) and value.strip()[:1] in tuple(SIGNS)


def _limit_of(text, pair, where):
    """The limit that a text such as "<0.01" names."""
    sign, number = text.strip()[0], text.strip()[1:]
    limit = pair[SIGNS.index(sign)]
    try:
        is_limit = "_" not in number and float(number) == limit and np.isfinite(limit)
    except ValueError:
        is_limit = False
    if not is_limit:
        which = ("lower", "upper")[SIGNS.index(sign)]
        expected = (
            f"'{sign}{limit:g}', or a number"
            if np.isfinite(limit)
            else f"a number, because the session has no {which} limit for it (limits=)"
        )
        raise ValueError(f"{where} = {shown(text)}; expected {expected}")
    return limit


def recorded(values, limits):
    """Values, shape (d,), with those beyond a limit replaced by it; NaN remains."""
    if limits is None:
        return values
    low, high = np.array(limits).T
    return np.clip(values, low, high)


def counts_at_limits(rewards, limits):
    """Recorded values of each arm and objective that are a limit, shape (K, d).

    Parameters
    ----------
    rewards : sequence of list of ndarray, shape (d,)
        The rewards of each arm.
    limits : tuple of pairs, or None
        Of each entry of a reward.
    """
    n_entries = 1 if limits is None else len(limits)
    counts = np.zeros((len(rewards), n_entries), np.int64)
    if limits is None:
        return counts
    low, high = np.array(limits).T
    for k, told in enumerate(rewards):
        if told:
            counts[k] = ((np.array(told) == low) | (np.array(told) == high)).sum(axis=0)
    return counts


def limits_in_words(design):
    """The limits of each objective, in words, with units."""
    parts = []
    for name, pair in stated_limits(design).items():
        unit = design.units[design.objectives.index(name)]
        words = zip(("below", "above"), pair, strict=True)
        ends = " and ".join(f"{word} {each:g}" for word, each in words if each is not None)
        parts.append(f"{named_objective(name)} {ends}{f' {unit}' if unit else ''}")
    return "; ".join(parts)


def counts_in_words(at_limit, design):
    """How many values of which arms and objectives are recorded as a limit."""
    pairs = [
        f"{at_limit[k, c]} of arm {design.arms[k]} in {named_objective(design.objectives[c])}"
        for k, c in np.argwhere(at_limit)
    ]
    if not pairs:
        return "none so far"
    more = f", ... ({len(pairs)} pairs in all)" if len(pairs) > MOST_LISTED else ""
    return f"{at_limit.sum()} so far, namely {listed(pairs[:MOST_LISTED])}{more}"
