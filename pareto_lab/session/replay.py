"""A session made anew of the content of its file: its settings, and its observations.

The observations are given to it in the order in which the saved one used them, and each has to
be of the arm that the algorithm asks for.
"""

import dataclasses

import numpy as np

from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.checks.arguments import check_choice, check_count, shown
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.regression.gaussian_process import Hyperparameters
from pareto_lab.experiment.ledger import MOST_OUTSTANDING, Ledger
from pareto_lab.experiment.samples import Row, check_identifier
from pareto_lab.experiment.session_file import as_read, content_of, kinds_of, write
from pareto_lab.experiment.withdrawal import new_withdrawal

MOST_PAID = 2**53  # samples of an arm: sums of them are exact


def _algorithm(content, kinds):
    """Algorithm of a name and parameters, one of which may be an algorithm."""
    parameters = dict(content["parameters"])
    if "hyperparameters" in parameters:
        parameters["hyperparameters"] = tuple(
            Hyperparameters(**fields) for fields in parameters["hyperparameters"]
        )
    for name, value in parameters.items():
        if isinstance(value, dict) and set(value) == {"algorithm", "parameters"}:
            parameters[name] = _algorithm(value, kinds)
    return kinds[check_choice(content["algorithm"], "algorithm", kinds)](**parameters)


def _algorithm_of(content, kinds):
    """The algorithm; one that had not been told costs yet is told that all are alike."""
    algorithm = _algorithm(content, kinds)
    told = content["costs"] is None or "costs" in content["parameters"]
    if told or not algorithm.weighs_costs:
        return algorithm
    return dataclasses.replace(algorithm, costs=(1.0,) * content["n_arms"])


def new_session(kind, content, kinds):
    """Session of the settings, without observations; `kind` is its class."""
    algorithm = _algorithm_of(content, kinds)
    for name in ("observations", "waiting", "outstanding", "withdrawn"):
        if not isinstance(content[name], list):
            raise ValueError(f"{name} = {shown(content[name])}; expected a list")
    for name in ("identifiers", "former"):
        if not isinstance(content[name], dict):
            raise ValueError(f"{name} = {shown(content[name])}; expected an object")
    if not content["former"].keys() <= content["identifiers"].keys():
        raise ValueError(f"former = {shown(content['former'])}; expected those of identifiers")
    for name in ("waiting", "outstanding"):
        if len(content[name]) != content["n_arms"]:
            raise ValueError(f"{name} has {len(content[name])} entries; expected one per arm")
    region, objectives, units = (content[name] for name in ("polyhedron", "objectives", "units"))
    session = kind(
        algorithm,
        content["n_arms"],
        content["n_objectives"],
        _deviation(content, algorithm),
        content["features"],
        None if region is None else Polyhedron(*region),
        content["seed"],
        arms=content["arms"],
        objectives=None if objectives is None else dict(objectives),
        costs=content["costs"],
        bounds=content["bounds"],
        units=_by_name(units, content["n_objectives"], objectives),
    )
    # Not as an argument: the warning of a small budget came when it was given
    session._ledger = Ledger(session.design, content["budget"])
    session._ledger.refuse_too_small(session._course, session.algorithm)
    return session


def _deviation(content, algorithm):
    """Standard deviations; none if bounds or the algorithm state them, where files have a 1."""
    given = content["standard_deviation"]
    elsewhere = content["bounds"] is not None or algorithm.knows_noise
    return None if elsewhere and (np.asarray(given) == 1).all() else given


def _by_name(units, n_objectives, objectives):
    """Units of objectives by their names, or by their numbers."""
    if units is None:
        return None
    names = range(n_objectives) if objectives is None else [name for name, _ in objectives]
    return dict(zip(names, units, strict=True))


def repeat(session, content):
    """Observe everything anew, and see that the algorithm asks for the same arms."""
    kind, course = type(session.algorithm).__name__, session._course
    for number, (arm, reward) in enumerate(content["observations"], start=1):
        if course.stopped:
            raise ValueError(f"{kind} stops before observation {number}; expected one of arm {arm}")
        if check_count(arm, "arm", at_least=0) != course.wanted():
            raise ValueError(
                f"observation {number} is of arm {arm}, but {kind} asks for arm "
                f"{course.wanted()}; the file was changed, or the algorithm has changed since"
            )
        course.use(session.design.check_reward(_numbers(reward)))
    arm = content["next_arm"]
    if arm is not None and check_count(arm, "next_arm", at_least=0) != course.wanted():
        raise ValueError(f"next_arm = {arm}, but {kind} asks for arm {course.wanted()}")
    _restore_queues(session, content)
    _restore_identifiers(session, content["identifiers"], content["former"])
    session._go_on()
    if len(course.log) != len(content["observations"]):
        raise ValueError(f"waiting has rewards that {kind} wants; expected them to be used")
    if session.ended_by != content["ended_by"]:
        raise ValueError(
            f"ended_by = {shown(content['ended_by'])}, but after the observations of the file "
            f"it is {session.ended_by!r}"
        )


def _restore_queues(session, content):
    """Restore what waits, what is outstanding and paid for, and what was withdrawn."""
    design, ledger = session.design, session._ledger
    for arm, queue in enumerate(content["waiting"]):
        session._course.queues[arm].extend(design.check_reward(_numbers(each)) for each in queue)
    ledger.outstanding[:] = [
        check_count(each, "outstanding", 0, MOST_OUTSTANDING) for each in content["outstanding"]
    ]
    if content["paid"] is None:  # in version 2, when all was
        ledger.paid[:] = [len(rewards) for rewards in session._course.told()]
    else:
        ledger.paid[:] = [check_count(each, "paid", 0, MOST_PAID) for each in content["paid"]]
    for arm, reward, instead, place, counted, reason in content["withdrawn"]:
        if not isinstance(counted, bool):
            raise ValueError(f"counted = {shown(counted)}; expected true or false")
        trace = new_withdrawal(
            design.arms[check_count(arm, "arm", 0, design.n_arms - 1)],
            design.check_reward(_numbers(reward)),
            None if instead is None else design.check_reward(_numbers(instead), "instead"),
            check_count(place, "place", at_least=0),
            counted,
            reason,
        )
        session._withdrawn.append(trace)


def _restore_identifiers(session, identifiers, former):
    """Restore which samples were told by name, which have to be among those told."""
    design, samples = session.design, session._samples
    for name, last in identifiers.items():
        for arm, reward in [*former.get(name, []), last]:
            number = check_count(arm, "arm", 0, design.n_arms - 1)
            values = design.check_reward(_numbers(reward))
            samples.remember(Row(name, number, values, check_identifier(name, "identifier")))
    if not samples.are_among(session._course.told(), session._withdrawn):
        raise ValueError("identifiers has rewards that were not told; expected those told")


def _numbers(reward):
    """A reward of a file, which has no names."""
    if not isinstance(reward, list):
        raise ValueError(f"reward = {shown(reward)}; expected a list of numbers")
    return reward


def write_restorable(session, path):
    """Write a session to a file that is `locked`, unless it could not be restored from it.

    An algorithm of the reader's own is run again on all observations, as it may ask for other
    arms then; for one of the package, tests establish that it does not.

    Raises
    ------
    ValueError
        If the algorithm cannot be made of its parameters as JSON has them, or asks for other
        arms; or if there is another file of that name.
    """
    content = content_of(session)
    package = algorithms_by_name()
    kinds = {kind.__name__: kind for kind in kinds_of(session.algorithm)}
    try:
        twin = new_session(type(session), content, {**kinds, **package})
        if not kinds.keys() <= package.keys():
            repeat(twin, content)
        found = as_read(twin.algorithm.hyper_parameters())
        if found != content["parameters"]:
            raise ValueError(f"its parameters become {shown(found)}")
    except Exception as error:  # whatever the reader's own code raises
        raise ValueError(
            f"algorithm = {shown(session.algorithm)} can't be restored from a file: {error}"
        ) from error
    write(content, path)
