"""Files of sessions: what was asked, what was observed, and no state.

A session is restored by its observations: they are given to a new session in the order in
which the saved one used them, and each has to be of the arm that the algorithm asks for.
"""

import dataclasses
import hashlib
import json
import os
from pathlib import Path

import numpy as np

from pareto_core import algorithms
from pareto_core._checks import check_choice, check_count
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.regression.gaussian_process import Hyperparameters

__all__ = ["algorithms_by_name", "load_session"]

FORMAT, VERSION = "pareto_core session", 1
SETTINGS = (
    "algorithm",
    "parameters",
    "n_arms",
    "n_objectives",
    "standard_deviation",
    "features",
    "polyhedron",
)
PROGRESS = ("observations", "waiting", "outstanding", "next_arm", "finished")


def algorithms_by_name():
    """Public algorithms of the package.

    Returns
    -------
    dict of str to type
        Their classes, by name.
    """
    public = {name: getattr(algorithms, name) for name in algorithms.__all__}
    return {name: kind for name, kind in public.items() if dataclasses.is_dataclass(kind)}


def load_session(path):
    """Restore a session that `Session.save` has written.

    The session is in exactly the state of the saved one: it asks for the same arms and gives
    the same answers.

    Parameters
    ----------
    path : path-like
        Name of the file.

    Returns
    -------
    Session

    Raises
    ------
    ValueError
        If the file is no session, is truncated or altered, or was written by a newer version
        of the package; or if the algorithm asks for other arms than those observed, because
        its program has changed since. The message names the file and what is wrong.
    OSError
        If there is no such file.
    """
    content = _read(path)
    try:
        session = _new_session(content)
        _repeat(session, content)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} can't be restored: {error}") from error
    return session


def write(session, path):
    """Write a session to a file; see `Session.save`."""
    content = json.loads(_text(_describe(session)))
    target = Path(path).resolve()
    if target.exists() and not _continues(content, _read(path)):
        raise ValueError(
            f"{path} holds another session, or observations that this one has not got; "
            "expected a new name, or an earlier state of this session"
        )
    document = {"format": FORMAT, "version": VERSION, "sha256": _digest(content)}
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with open(partial, "w", encoding="utf-8") as stream:
            stream.write(_text({**document, "content": content}) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _text(content):
    """JSON in one spelling; numbers of NumPy are written as those of Python."""
    return json.dumps(content, allow_nan=False, separators=(",", ":"), default=np.generic.item)


def _digest(content):
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _describe(session):
    """What is kept of a session."""
    algorithm, region = session.algorithm, session._polyhedron
    if algorithms_by_name().get(type(algorithm).__name__) is not type(algorithm):
        raise ValueError(f"algorithm = {algorithm!r}; expected one of the package")
    return {
        "algorithm": type(algorithm).__name__,
        "parameters": dataclasses.asdict(algorithm),
        "n_arms": session.n_arms,
        "n_objectives": session.n_objectives,
        "standard_deviation": session._deviation.tolist(),
        "features": None if session._features is None else session._features.tolist(),
        "polyhedron": None if region is None else [region.A.tolist(), region.b.tolist()],
        "observations": [[arm, reward.tolist()] for arm, reward in session._log],
        "waiting": [[reward.tolist() for reward in queue] for queue in session._queues],
        "outstanding": session.outstanding.tolist(),
        "next_arm": session._next_arm,
        "finished": session.finished,
    }


def _read(path):
    """Content of a file, whose format, version and checksum are right.

    Raises
    ------
    ValueError
        If they are not.
    """
    try:
        document = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no session, or truncated: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"{path} is no session; expected a file that Session.save has written")
    if document.get("version") != VERSION:
        raise ValueError(
            f"{path} has version {document.get('version')!r} of the format; expected {VERSION}, "
            "or a newer version of this package"
        )
    content = document.get("content")
    if document.get("sha256") != _digest(content):
        raise ValueError(f"{path} is damaged or altered: its checksum does not match its content")
    if not isinstance(content, dict) or set(content) != {*SETTINGS, *PROGRESS}:
        raise ValueError(f"{path} is damaged; expected {', '.join(SETTINGS + PROGRESS)}")
    return content


def _continues(content, earlier):
    """Whether all that an earlier file says and observed is in the new content."""
    if any(content[name] != earlier[name] for name in SETTINGS):
        return False
    pairs = zip(_rewards(content), _rewards(earlier), strict=True)
    return all(new[: len(old)] == old for new, old in pairs)


def _rewards(content):
    """Rewards of each arm in the order told."""
    rewards = [[] for _ in range(content["n_arms"])]
    for arm, reward in content["observations"]:
        rewards[arm].append(reward)
    return [used + told for used, told in zip(rewards, content["waiting"], strict=True)]


def _new_session(content):
    """Session of the settings, without observations."""
    kinds, parameters = algorithms_by_name(), dict(content["parameters"])
    if "hyperparameters" in parameters:
        parameters["hyperparameters"] = tuple(
            Hyperparameters(**fields) for fields in parameters["hyperparameters"]
        )
    algorithm = kinds[check_choice(content["algorithm"], "algorithm", kinds)](**parameters)
    region = content["polyhedron"]
    return algorithm.session(
        content["n_arms"],
        content["n_objectives"],
        content["standard_deviation"],
        content["features"],
        None if region is None else Polyhedron(*region),
    )


def _repeat(session, content):
    """Observe everything anew, and see that the algorithm asks for the same arms."""
    kind = type(session.algorithm).__name__
    for number, (arm, reward) in enumerate(content["observations"], start=1):
        if session.finished:
            raise ValueError(f"{kind} stops before observation {number}; expected one of arm {arm}")
        if session._wanted() != arm:
            raise ValueError(
                f"observation {number} is of arm {arm}, but {kind} asks for arm "
                f"{session._wanted()}; the file was changed, or the algorithm has changed since"
            )
        session._use(session._checked(reward))
    if session.finished != content["finished"]:
        raise ValueError(f"finished = {content['finished']}, but {kind} says {session.finished}")
    arm = content["next_arm"]
    if arm is not None and arm != session._wanted():
        raise ValueError(f"next_arm = {arm}, but {kind} asks for arm {session._wanted()}")
    for name in ("waiting", "outstanding"):
        if len(content[name]) != session.n_arms:
            raise ValueError(f"{name} has {len(content[name])} entries; expected one per arm")
    for arm, queue in enumerate(content["waiting"]):
        session._queues[arm].extend(session._checked(reward) for reward in queue)
        session._outstanding[arm] = check_count(content["outstanding"][arm], "outstanding", 0)
