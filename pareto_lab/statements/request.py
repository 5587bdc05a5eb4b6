"""What statements are asked for: their risk, their rule and their noise."""

from typing import NamedTuple

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.algorithms.proven_stopping import PROVEN
from pareto_core.checks.arguments import check_choice, check_probability
from pareto_core.confidence.noise_kinds import UNKNOWNS
from pareto_core.confidence.proven_rules import JOINT, RULES

USUAL_RISK = 0.1  # of statements, if the algorithm has no risk


class Request(NamedTuple):
    """A checked request."""

    delta: float
    rule: str
    standard_deviation: str | None


def checked_request(algorithm, delta, rule, standard_deviation):
    """The `Request` with these arguments of `Session.status`; None is what the algorithm states."""
    delta = getattr(algorithm, "delta", USUAL_RISK) if delta is None else delta
    delta = check_probability(delta, "delta")
    rule = own_rule(algorithm) if rule is None else check_choice(rule, "rule", RULES)
    if standard_deviation is not None:
        check_choice(standard_deviation, "standard_deviation", UNKNOWNS)
    return Request(delta, rule, standard_deviation)


def own_rule(algorithm):
    """The rule by which an algorithm stops; "joint" if it has none of the rules of statements."""
    if isinstance(algorithm, Certified):
        return algorithm.bets
    return PROVEN.get(str(getattr(algorithm, "threshold", "")), JOINT)
