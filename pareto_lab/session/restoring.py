"""Sessions from the content of their files, and files from which sessions can be restored."""

from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.checks.arguments import check_choice, shown
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_lab.experiment.restoring import (
    refuse_other_run,
    restored_event,
    restored_predecessors,
)
from pareto_lab.experiment.session_file import as_read, kinds_of, write
from pareto_lab.experiment.starting import started
from pareto_lab.experiment.state import State


def start_of(content, kinds):
    """How the session of a file began; `kinds` are the algorithms that it may name."""
    algorithm = _algorithm(content, kinds)
    region, objectives, units = (content[name] for name in ("polyhedron", "objectives", "units"))
    deviation = content["standard_deviation"]
    noise = (deviation, content["bounds"], content["covariance"])
    if algorithm.noise.is_stated and deviation == 1:
        noise = (None, *noise[1:])
    start = started(
        algorithm,
        (content["n_arms"], content["n_objectives"]),
        (
            content["arms"],
            None if objectives is None else dict(objectives),
            _by_name(units, content["n_objectives"], objectives),
        ),
        noise,
        content["features"],
        None if region is None else Polyhedron(*region),
        content["costs"],
        content["budget"],
        content["seed"],
    )
    return start._replace(predecessors=restored_predecessors(content["predecessors"]))


def _algorithm(content, kinds):
    """The algorithm of a name and parameters, which may include algorithms."""
    parameters = dict(content["parameters"])
    for name, value in parameters.items():
        if isinstance(value, dict) and set(value) == {"algorithm", "parameters"}:
            parameters[name] = _algorithm(value, kinds)
    if "forced_exploration" in parameters:  # until version 0.9.0
        is_forced = parameters.pop("forced_exploration")
        parameters["exploration"] = "square_root" if is_forced else "none"
    return kinds[check_choice(content["algorithm"], "algorithm", kinds)](**parameters)


def _by_name(units, n_objectives, objectives):
    """Units of objectives by their names, or by their numbers."""
    if units is None:
        return None
    names = range(n_objectives) if objectives is None else [name for name, _ in objectives]
    return dict(zip(names, units, strict=True))


def restored_events(start, content):
    """The events of a file, after which the algorithm has done what it says, and the state."""
    state, found = State(start), []
    for saved in content["events"]:
        found.append(restored_event(saved, state))
        state.apply(found[-1])
    refuse_other_run(state, content)
    return found, state


def write_restorable(content, algorithm, path):
    """Write a content to a file that is `locked`, unless it could not be restored from it."""
    package = algorithms_by_name()
    kinds = {kind.__name__: kind for kind in kinds_of(algorithm)}
    try:
        start = start_of(content, {**kinds, **package})
        if not kinds.keys() <= package.keys():
            restored_events(start, content)
        found = as_read(start.algorithm.hyper_parameters())
        if found != content["parameters"]:
            raise ValueError(f"its parameters become {shown(found)}")
    except Exception as error:  # the caller's own code may raise anything
        raise ValueError(
            f"algorithm = {shown(algorithm)} can't be restored from a file: {error}"
        ) from error
    write(content, path)
