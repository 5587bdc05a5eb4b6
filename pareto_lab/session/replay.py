"""Restoring a session from the content of its file, by replaying its observations.

The observations enter in the order in which the saved session used them, and each has to be of
the arm that the algorithm wants.
"""

import numpy as np

from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.checks.arguments import check_choice, check_count, shown
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_lab.experiment.arrivals import restored_predecessors
from pareto_lab.experiment.changes import check_retirement, restored_retirements
from pareto_lab.experiment.identifiers import check_identifier
from pareto_lab.experiment.journal import restored_journal
from pareto_lab.experiment.ledger import MOST_OUTSTANDING
from pareto_lab.experiment.samples import Sample
from pareto_lab.experiment.session_file import as_read, content_of, kinds_of, write
from pareto_lab.experiment.withdrawal import new_withdrawal

MOST_PAID = 2**53  # samples of an arm, so that their sums are exact
SOURCE = "file"  # of the samples


def new_session(kind, content, kinds):
    """A session with the settings of a file, without observations.

    Parameters
    ----------
    kind : type
        `Session`.
    content : dict
        See `session_file.read`.
    kinds : dict of str to type
        Algorithms that the file may name.

    Returns
    -------
    Session

    Raises
    ------
    ValueError
        If a setting is invalid.
    """
    algorithm = _algorithm(content, kinds)
    _check_kinds(content, algorithm)
    region, objectives, units = (content[name] for name in ("polyhedron", "objectives", "units"))
    deviation, bounds = _noise(content, algorithm)
    session = kind(
        algorithm,
        content["n_arms"],
        content["n_objectives"],
        deviation,
        content["features"],
        None if region is None else Polyhedron(*region),
        content["seed"],
        arms=content["arms"],
        objectives=None if objectives is None else dict(objectives),
        costs=content["costs"],
        bounds=bounds,
        covariance=content.get("covariance"),
        units=_by_name(units, content["n_objectives"], objectives),
    )
    # Not an argument of the session, which would warn of a small budget again
    session._ledger.set_budget(content["budget"])
    session._ledger.predecessors = restored_predecessors(content["predecessors"])
    return session


def _algorithm(content, kinds):
    """The algorithm of a name and parameters, which may include algorithms."""
    parameters = dict(content["parameters"])
    for name, value in parameters.items():
        if isinstance(value, dict) and set(value) == {"algorithm", "parameters"}:
            parameters[name] = _algorithm(value, kinds)
    return kinds[check_choice(content["algorithm"], "algorithm", kinds)](**parameters)


def _check_kinds(content, algorithm):
    """Check that lists and objects of a file are lists and objects, of the right size."""
    for name in ("observations", "waiting", "outstanding", "withdrawn"):
        if not isinstance(content[name], list):
            raise ValueError(f"{name} = {shown(content[name])}; expected a list")
    for name in ("identifiers", "former"):
        if not isinstance(content[name], dict):
            raise ValueError(f"{name} = {shown(content[name])}; expected an object")
    if not content["former"].keys() <= content["identifiers"].keys():
        raise ValueError(
            f"former = {shown(content['former'])}; expected keys that identifiers has, too"
        )
    sampled = content["n_arms"] * (content["n_objectives"] if algorithm.measures_separately else 1)
    for name in ("waiting", "outstanding"):
        if len(content[name]) != sampled:
            raise ValueError(f"{name} has {len(content[name])} entries; expected one per arm")


def _noise(content, algorithm):
    """Standard deviations, None if they are 1 and stated elsewhere, and bounds or None."""
    noise = content.get("noise")
    if noise is not None:
        return noise, None
    return _deviation(content, algorithm), content["bounds"]


def _deviation(content, algorithm):
    """Standard deviations; None if they are stated elsewhere and the file has a 1."""
    given = content["standard_deviation"]
    stated = (content["bounds"], content.get("covariance"))
    elsewhere = any(each is not None for each in stated) or algorithm.knows_noise
    return None if elsewhere and (np.asarray(given) == 1).all() else given


def _by_name(units, n_objectives, objectives):
    """Units of objectives by their names, or by their numbers."""
    if units is None:
        return None
    names = range(n_objectives) if objectives is None else [name for name, _ in objectives]
    return dict(zip(names, units, strict=True))


def replay(ledger, content):
    """Settle the observations of a file, and check that the algorithm wants the same arms.

    Parameters
    ----------
    ledger : Ledger
        Of a `new_session`. Modified in place.
    content : dict
        See `session_file.read`.

    Raises
    ------
    ValueError
        If the algorithm wants other arms, or an observation or a count is invalid.
    """
    kind, queued_run = type(ledger.algorithm).__name__, ledger.queued_run
    queued_run.schedule(_checked_retirements(ledger, content["retired"]))
    for number, (arm, reward) in enumerate(content["observations"], start=1):
        if queued_run.wanted() is None:
            raise ValueError(f"{kind} stops before observation {number}; expected one of arm {arm}")
        expected = {queued_run.wanted(), *(each.arm for each in queued_run.retirements)}
        if check_count(arm, "arm", at_least=0) not in expected:
            raise ValueError(
                f"observation {number} is of arm {arm}, but {kind} asks for arm "
                f"{queued_run.wanted()}; the file was changed, or the algorithm has changed since"
            )
        ledger.settle([_sample(ledger, arm, reward)])
    if len(queued_run.retirements) < len(content["retired"]):
        queued_run.wanted()  # which retires arms
    if len(queued_run.retirements) != len(content["retired"]):
        raise ValueError("retired has arms that left after the last observation of the file")
    arm = content["next_arm"]
    if arm is not None and check_count(arm, "next_arm", at_least=0) != queued_run.wanted():
        raise ValueError(f"next_arm = {arm}, but {kind} asks for arm {queued_run.wanted()}")
    waiting = enumerate(content["waiting"])
    ledger.settle([_sample(ledger, arm, each) for arm, queue in waiting for each in queue])
    if len(queued_run.used) != len(content["observations"]):
        raise ValueError(f"waiting has rewards that {kind} wants; expected them to be used")
    _restore_requests(ledger, content)
    _restore_withdrawn(ledger, content["withdrawn"])
    _restore_identifiers(ledger, content["identifiers"], content["former"])
    ledger.journal = restored_journal(content["journal"], ledger)
    if ledger.ended_by != content["ended_by"]:
        raise ValueError(
            f"ended_by = {shown(content['ended_by'])}, but after the observations of the file "
            f"it is {ledger.ended_by!r}"
        )


def _checked_retirements(ledger, saved):
    """Retirements of a file."""
    found = restored_retirements(saved, ledger.design)
    for each in found:
        check_retirement(ledger, *each[:3])
    if len({each.arm for each in found}) < len(found):
        raise ValueError(f"retired = {shown(saved)}; expected every arm once")
    return found


def _sample(ledger, arm, reward, identifier=None):
    """A sample of a file, whose rewards have no names."""
    if not isinstance(reward, list):
        raise ValueError(f"reward = {shown(reward)}; expected a list of numbers")
    number = check_count(arm, "arm", 0, ledger.design.n_arms - 1)
    return Sample(SOURCE, number, ledger.design.check_sample(number, reward), identifier)


def _restore_requests(ledger, content):
    """Restore how many samples are outstanding and how many were requested."""
    ledger.outstanding[:] = [
        check_count(each, "outstanding", 0, MOST_OUTSTANDING) for each in content["outstanding"]
    ]
    paid = [check_count(each, "paid", 0, MOST_PAID) for each in content["paid"]]
    ledger.requested[:] = ledger.outstanding + paid
    ledger.update_end()


def _restore_withdrawn(ledger, withdrawn):
    for arm, reward, instead, place, counted, reason in withdrawn:
        if not isinstance(counted, bool):
            raise ValueError(f"counted = {shown(counted)}; expected true or false")
        sample = _sample(ledger, arm, reward)
        ledger.withdrawn.append(
            new_withdrawal(
                ledger.design.arms[sample.arm],
                sample.reward,
                None if instead is None else _sample(ledger, arm, instead).reward,
                check_count(place, "place", at_least=0),
                counted,
                reason,
            )
        )


def _restore_identifiers(ledger, identifiers, former):
    """Restore the identifiers, whose values have to be among those told."""
    for name, latest in identifiers.items():
        for arm, reward in [*former.get(name, []), latest]:
            identifier = check_identifier(name, "identifier")
            ledger.identifiers.add(_sample(ledger, arm, reward, identifier))
    if not ledger.identifiers.are_consistent(ledger.told(), ledger.withdrawn):
        raise ValueError("identifiers has rewards that were not told; expected those told")


def write_restorable(session, path):
    """Write a session to a file that is `locked`, unless it could not be restored from it.

    An algorithm that the package does not provide is run again on all observations, because it
    might select other arms; tests establish that the package's own algorithms do not.

    Raises
    ------
    ValueError
        If the algorithm cannot be made from its parameters as JSON has them, or selects other
        arms; or if the file holds something else.
    """
    content = content_of(session._ledger)
    package = algorithms_by_name()
    kinds = {kind.__name__: kind for kind in kinds_of(session.algorithm)}
    try:
        twin = new_session(type(session), content, {**kinds, **package})
        if not kinds.keys() <= package.keys():
            replay(twin._ledger, content)
        found = as_read(twin.algorithm.hyper_parameters())
        if found != content["parameters"]:
            raise ValueError(f"its parameters become {shown(found)}")
    except Exception as error:  # the caller's own code may raise anything
        raise ValueError(
            f"algorithm = {shown(session.algorithm)} can't be restored from a file: {error}"
        ) from error
    write(content, path)
