"""What statements are asked for: their risk, their rule and their noise."""

from typing import NamedTuple

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.algorithms.pareto.proven_stopping import PROVEN
from pareto_core.checks.arguments import check_choice, check_probability
from pareto_core.confidence.boxes import UNKNOWN
from pareto_core.confidence.proven_rules import JOINT, RULES
from pareto_lab.experiment.announced_arms import at_level

USUAL_RISK = 0.1  # of statements, if the algorithm has no risk


class Request(NamedTuple):
    """A checked request."""

    delta: float  # risk of the statements about all sets of arms
    level: float  # risk of those about one set
    rule: str
    standard_deviation: str | None


def checked_request(algorithm, arms_to_come, delta, rule, standard_deviation):
    """The `Request` with these arguments of `Session.status`; None is what the algorithm states.

    Raises
    ------
    ValueError
        If an argument is invalid.
    """
    if delta is None:
        level = check_probability(getattr(algorithm, "delta", USUAL_RISK), "delta")
        delta = level * (arms_to_come + 1)
    else:
        delta = check_probability(delta, "delta")
        level = at_level(delta, arms_to_come)
    rule = own_rule(algorithm) if rule is None else check_choice(rule, "rule", RULES)
    if standard_deviation is not None:
        check_choice(standard_deviation, "standard_deviation", (UNKNOWN,))
    return Request(delta, level, rule, standard_deviation)


def own_rule(algorithm):
    """The rule by which an algorithm stops; "joint" if it has none of the rules of statements."""
    if isinstance(algorithm, Certified):
        return algorithm.bets
    return PROVEN.get(str(getattr(algorithm, "threshold", "")), JOINT)
