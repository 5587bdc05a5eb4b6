"""The assumptions of the statements of a session, in words."""

import numpy as np

from pareto_core.confidence.noise_kinds import EQUAL, UNKNOWN
from pareto_core.confidence.proven_rules import JOINT
from pareto_core.loop.parts import bounds_of_each
from pareto_core.questions import BEST_ARMS
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
        f"{text} The covariance between objectives, of all arms or of each, which the algorithm "
        f"uses: {design.covariance.tolist()}."
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
    pairs = zip(*bounds_of_each(design.bounds, design.n_objectives), strict=True)
    return _in_each(design, [f"{low:g} and {high:g}" for low, high in pairs])


def _deviations(design):
    """Standard deviations of each objective, and of each arm if they differ."""
    given = design.standard_deviation
    if given.ndim == 0:
        return f"{given:g} in every objective"
    if given.ndim == 1:
        return _in_each(design, [f"{each:g}" for each in given])
    return f"{given.tolist()}, a row for each arm"


def _in_each(design, texts):
    """What is said of each objective, by its name."""
    return ", ".join(f"{each} in {_with_unit(design, c)}" for c, each in enumerate(texts))


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
            "No value of a sample is missing because of what it is; if the noise of the objectives "
            "is correlated, which of them are observed was fixed before a value of it was seen."
        )
    if session.withdrawn:
        texts.append("No reward was withdrawn because of its value.")
    if session.predecessors:
        texts.append(
            "No arm that was added was made or chosen with the help of the rewards told before."
        )
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
