"""Files of sessions: what was asked, what was observed, and no state."""

import hashlib
import json
import os
from pathlib import Path

from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.loop.algorithm import describe

FORMAT, VERSION = "pareto_core session", 2
SETTINGS = (
    "algorithm",
    "parameters",
    "n_arms",
    "n_objectives",
    "standard_deviation",
    "features",
    "polyhedron",
    "seed",
)
PROGRESS = ("observations", "waiting", "outstanding", "next_arm", "finished")


def write(session, path):
    """Write a session to a file; see `Session.save`."""
    content = json.loads(_text(_describe(session)))
    target = Path(path).resolve()
    if target.exists() and not _continues(content, read(path)):
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
    return json.dumps(content, allow_nan=False, separators=(",", ":"), default=describe)


def _digest(content):
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _describe(session):
    """What is kept of a session."""
    algorithm, region = session.algorithm, session._polyhedron
    kind = type(algorithm)
    if algorithms_by_name().get(kind.__name__, kind) is not kind:
        raise ValueError(
            f"algorithm = {algorithm!r}; expected another name for its class, since "
            f"{kind.__name__} is one of the package's"
        )
    return {
        "algorithm": kind.__name__,
        "parameters": algorithm.hyper_parameters(),
        "n_arms": session.n_arms,
        "n_objectives": session.n_objectives,
        "standard_deviation": session._deviation.tolist(),
        "features": None if session._features is None else session._features.tolist(),
        "polyhedron": None if region is None else [region.A.tolist(), region.b.tolist()],
        "seed": session.seed,
        "observations": [[arm, reward.tolist()] for arm, reward in session._log],
        "waiting": [[reward.tolist() for reward in queue] for queue in session._queues],
        "outstanding": session.outstanding.tolist(),
        "next_arm": session._next_arm,
        "finished": session.finished,
    }


def read(path):
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
    version, content = document.get("version"), document.get("content")
    if version not in range(1, VERSION + 1):
        raise ValueError(
            f"{path} has version {version!r} of the format; expected at most {VERSION}, "
            "or a newer version of this package"
        )
    if document.get("sha256") != _digest(content):
        raise ValueError(f"{path} is damaged or altered: its checksum does not match its content")
    if version == 1 and isinstance(content, dict):
        content["seed"] = 0  # when nothing was left to chance
    if not isinstance(content, dict) or set(content) != {*SETTINGS, *PROGRESS}:
        raise ValueError(f"{path} is damaged; expected {', '.join(SETTINGS + PROGRESS)}")
    return content


def _continues(content, earlier):
    """Whether all that an earlier file says and observed is in the new content."""
    if any(content[name] != earlier[name] for name in SETTINGS):
        return False
    try:
        pairs = zip(_rewards(content), _rewards(earlier), strict=True)
        return all(new[: len(old)] == old for new, old in pairs)
    except (IndexError, TypeError, ValueError):  # no observations of these arms
        return False


def _rewards(content):
    """Rewards of each arm in the order told."""
    rewards = [[] for _ in range(content["n_arms"])]
    for arm, reward in content["observations"]:
        rewards[arm].append(reward)
    return [used + told for used, told in zip(rewards, content["waiting"], strict=True)]
