"""The algorithm of a session, adapted to the design of its experiment."""

import dataclasses

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import shown
from pareto_core.confidence.noise_kinds import KNOWN, UNKNOWNS
from pareto_core.loop.algorithm import needs_independence, refuse_needless, weighs_costs
from pareto_core.loop.parts import Budget
from pareto_lab.experiment.names import listed


def adapted(algorithm, design):
    """The algorithm with the costs of the design, and with a stopping rule for unknown noise."""
    refuse_needless(algorithm, design.features, design.polyhedron)
    algorithm = algorithm.for_objectives(design.objectives)
    _refuse_noise(algorithm, design)
    if design.costs is not None:
        algorithm = _with_costs(algorithm, tuple(design.costs.tolist()))
    needs_noise = algorithm.noise.is_unit and not isinstance(algorithm, Certified)
    if not design.unknown_noise or not needs_noise:
        return algorithm
    if not hasattr(algorithm, "delta"):
        raise ValueError(
            f"standard_deviation = {design.unknown_noise!r} for {algorithm!r}, which has no "
            f"parameter delta; expected pc.Certified(algorithm, variance={design.unknown_noise!r})"
        )
    if isinstance(algorithm.stopping, Budget):
        raise ValueError(
            f"standard_deviation = {design.unknown_noise!r} for {algorithm!r}, whose budget the "
            "rule for unknown noise would replace; expected the algorithm without it, and the "
            "argument budget"
        )
    return Certified(algorithm, algorithm.delta, variance=design.unknown_noise)


def _refuse_noise(algorithm, design):
    """Refuse a statement about the noise that contradicts the algorithm, or is too detailed."""
    deviation, unknown = design.standard_deviation, design.unknown_noise
    rule = algorithm.variance if isinstance(algorithm, Certified) else None
    if unknown and rule not in (unknown, None):
        raise ValueError(
            f"standard_deviation = {unknown!r} for {algorithm!r}, which makes another statement; "
            f"expected the parameter variance = {unknown!r} of Certified"
        )
    if rule in UNKNOWNS and not unknown:
        raise ValueError(
            f"the noise is stated for {algorithm!r}, whose rule ignores that; expected "
            f"standard_deviation = {rule!r}, or Certified without the parameter variance"
        )
    _refuse_kinds(algorithm, design)
    _refuse_covariance(algorithm, design)
    is_common = algorithm.noise.is_unit and not algorithm.noise.reads_covariance
    if deviation.ndim == 2 and is_common:
        raise ValueError(
            f"standard_deviation = {shown(deviation.tolist())} for {type(algorithm).__name__}, "
            "which needs one number per objective, common to all arms; expected that, such as "
            f"the largest, {shown(deviation.max(axis=0).tolist())}, which bounds the noise of "
            "each, or an algorithm that uses the noise of each arm, such as TopTwoIDS or Certified"
        )


def _refuse_kinds(algorithm, design):
    """Refuse noise that differs in kind between objectives, unless the algorithm uses the kinds."""
    certified = isinstance(algorithm, Certified) and algorithm.variance == KNOWN
    if design.noise_kinds is not None and not certified:
        raise ValueError(
            "standard_deviation states noise of different kinds, "
            f"{listed(design.noise_kinds)}, for {algorithm!r}; expected pc.Certified(algorithm), "
            "whose rule is proven for them"
        )


def _refuse_covariance(algorithm, design):
    """Refuse a covariance that the algorithm does not use, or that its proof does not cover."""
    if design.covariance is None:
        return
    if not algorithm.noise.reads_covariance:
        raise ValueError(
            f"covariance = {shown(design.covariance.tolist())} for {type(algorithm).__name__}, "
            "which does not use it; expected TopTwoIDS, TrackAndStop or Certified, or "
            "standard_deviation instead"
        )
    if design.is_correlated and needs_independence(algorithm):
        raise ValueError(
            f"covariance = {shown(design.covariance.tolist())} for {algorithm!r}, whose rule needs "
            'independent objectives; expected the rule "pairs" (threshold "proven_correlated")'
        )


def _with_costs(algorithm, costs):
    """The algorithm with costs unless it has some, also within `Certified`."""
    if weighs_costs(algorithm) and algorithm.costs is None:
        return dataclasses.replace(algorithm, costs=costs)
    if isinstance(algorithm, Certified):
        return dataclasses.replace(algorithm, algorithm=_with_costs(algorithm.algorithm, costs))
    return algorithm
