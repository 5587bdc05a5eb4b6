"""The assumptions of the statements of a session, in words."""

import collections

import numpy as np

from pareto_core.confidence.noise_kinds import EQUAL, UNKNOWN
from pareto_core.confidence.proven_rules import JOINT
from pareto_core.loop.parts import bounds_of_each
from pareto_core.questions import BEST_ARMS
from pareto_lab.experiment.arrivals import ASSUMPTION, has_new_arms
from pareto_lab.experiment.missing_values import missing_in_words
from pareto_lab.experiment.names import listed
from pareto_lab.experiment.noise import stated

OF_UNKNOWN = {
    UNKNOWN: "Gaussian, of unknown variance, which may differ between arms and objectives",
    EQUAL: "Gaussian, of unknown variance, which in each objective is the same for all arms",
}


def noise_model(algorithm, design, standard_deviation):
    """State the noise model of the statements."""
    unknown = standard_deviation or design.unknown_noise
    if unknown:
        return f"Noise model of the statements: {OF_UNKNOWN[unknown]}."
    if design.noise_kinds is not None:
        return f"Noise model, objective by objective: {'; '.join(_noise_of_each(design))}."
    if design.bounds is not None:
        return f"Noise model: no assumption except that rewards are within {_bounds(design)}."
    if algorithm.noise.variance_bound is not None:
        return (
            "Noise model: sub-Gaussian in every objective, with a variance of at most "
            f"{algorithm.noise.variance_bound:g}."
        )
    text = f"Noise model: sub-Gaussian, with standard deviations of at most {_deviations(design)}."
    if design.covariance is None:
        return text
    return (
        f"{text} The covariance between objectives, which the algorithm uses: {_matrices(design)}."
    )


def _noise_of_each(design):
    """The noise of each objective, if its kind differs between objectives."""
    for c, each in enumerate(stated(design)):
        words = (
            OF_UNKNOWN.get(each) or f"sub-Gaussian, with a standard deviation of at most {each:g}"
        )
        none = "no noise, so that the first value of an arm is its mean"
        yield f"{_with_unit(design, c)}: {words if each else none}"


def _bounds(design):
    """Bounds of the rewards of each objective."""
    low, high = bounds_of_each(design.bounds, design.n_objectives)
    return ", ".join(
        f"{low[c]:g} and {high[c]:g} in {_with_unit(design, c)}" for c in range(design.n_objectives)
    )


def _deviations(design):
    """Standard deviations of each objective, and of each arm if they differ."""
    given = design.standard_deviation
    if given.ndim == 0:
        return f"{given:g} in every objective"
    if given.ndim == 1:
        return ", ".join(f"{each:g} in {_with_unit(design, c)}" for c, each in enumerate(given))
    parts = [
        f"{arm}: " + ", ".join(f"{each:g} in {_with_unit(design, c)}" for c, each in enumerate(row))
        for arm, row in zip(design.arms, given, strict=True)
    ]
    return "; ".join(parts)


def _matrices(design):
    """The covariance, or that of each arm."""
    given = design.covariance.tolist()
    if design.covariance.ndim == 2:
        return given
    return "; ".join(f"{arm}: {each}" for arm, each in zip(design.arms, given, strict=True))


def _with_unit(design, c):
    unit = f" [{design.units[c]}]" if design.units[c] else ""
    return f"{design.objectives[c]}{unit}"


def assumptions(session, status, standard_deviation):
    """The assumptions that the statements rest on, a list of str."""
    texts = [
        "The rewards of an arm are independent and have the same law, whenever they were taken; "
        "the means are the expectations of these laws.",
        "The choice of the arms, and when to stop, may depend on all past rewards, but not on "
        "future ones.",
        "All rewards were told, or rewards were omitted without regard to their values.",
        noise_model(session.algorithm, session.design, standard_deviation),
        _correlation(session, status, standard_deviation),
        "The risk is that of statements at one risk, rule and noise model. If you compare reports "
        "with several of them and choose one, your risk is the sum of theirs.",
    ]
    if status.missing.any():
        texts.append(
            missing_in_words(status)
            + " No value is missing because of what it is; if the noise of the objectives is "
            "correlated, which of them were observed was fixed before a value of the sample was "
            "seen."
        )
    if session.withdrawn:
        arms = collections.Counter(each.arm for each in session.withdrawn)
        numbers = listed([f"{number} of arm {arm}" for arm, number in arms.items()])
        texts.append(
            f"None of the withdrawn rewards, {numbers}, was withdrawn because of its value."
        )
    if has_new_arms(session.predecessors, session.design.arms):
        texts.append(ASSUMPTION)
    if session.ended_by == "answer":
        texts.append(
            f"The answer of the algorithm has its own risk, {_own_risk(session)}, and "
            "the guarantee that its documentation states; it is not one of the statements above."
        )
    return texts


def _correlation(session, status, standard_deviation):
    if session.n_objectives == 1:
        return "There is one objective, so that noise is not correlated between objectives."
    kinds = standard_deviation, session.design.unknown_noise, *(session.design.noise_kinds or ())
    is_joint = status.rule == JOINT and session.algorithm.question is not BEST_ARMS
    if is_joint and UNKNOWN not in kinds:
        return "The noise of different objectives of a sample is independent (rule joint)."
    return "The noise of different objectives of a sample may be correlated in any way."


def _own_risk(session):
    delta = getattr(session.algorithm, "delta", None)
    text = "for which it has no parameter"
    return text if delta is None else f"delta = {np.float64(delta):g}"
