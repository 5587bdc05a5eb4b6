"""Files of sessions: what was asked, what was observed, and no state."""

import dataclasses
import hashlib
import json
import os
from pathlib import Path

import numpy as np

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
    return json.dumps(content, allow_nan=False, separators=(",", ":"), default=np.generic.item)


def _digest(content):
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _describe(session):
    """What is kept of a session."""
    algorithm, region = session.algorithm, session._polyhedron
    if not type(algorithm).__module__.startswith("pareto_core.algorithms."):
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
