"""Files of sessions: what was asked, what was observed, and no state."""

import collections
import contextlib
import errno
import glob
import hashlib
import json
import os
import secrets
import stat
from pathlib import Path

import filelock

from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.confidence.boxes import UNKNOWN
from pareto_core.loop.algorithm import Algorithm, describe
from pareto_lab.experiment.names import is_named
from pareto_lab.experiment.withdrawal import replaced

FORMAT, VERSION = "pareto_core session", 6
PATIENCE = 60  # seconds to wait for another writer
SETTINGS = (
    "algorithm",
    "parameters",
    "n_arms",
    "n_objectives",
    "arms",
    "objectives",
    "units",
    "standard_deviation",
    "bounds",
    "features",
    "polyhedron",
    "costs",
    "seed",
)
PROGRESS = (
    "observations",
    "waiting",
    "outstanding",
    "paid",
    "budget",
    "withdrawn",
    "identifiers",
    "former",
    "next_arm",
    "ended_by",
)
NEW = {  # what came with a version, and what it was before
    2: {"seed": 0},  # when nothing was left to chance
    3: {
        "arms": None,
        "objectives": None,
        "units": None,
        "costs": None,
        "budget": None,
        "paid": None,
        "withdrawn": [],
    },
    4: {"bounds": None},
    5: {"identifiers": {}},
    6: {"former": {}},  # what was told of identifiers before they were withdrawn and told again
}


@contextlib.contextmanager
def locked(path):
    """Keep other writers of a file waiting.

    Raises
    ------
    OSError
        If there is no such folder, or another program keeps the lock for a minute.
    """
    lock = _beside(path, "lock")
    if not lock.parent.is_dir():  # which would be made
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(lock.parent))
    with filelock.FileLock(lock, timeout=PATIENCE):
        yield


def write(content, path):
    """Write the content of a session to a file that is `locked`.

    Raises
    ------
    ValueError
        If the file holds another session, or observations that this one has not got.
    """
    target = _resolved(path)
    if target.exists() and not _continues(content, read(path)):
        raise ValueError(
            f"{path} holds another session, or observations that this one has not got; "
            "expected a new name, or an earlier state of this session"
        )
    document = {"format": FORMAT, "version": VERSION, "sha256": _digest(content)}
    _replace(target, _text({**document, "content": content}) + "\n")


def _replace(target, text):
    """Write a file under a name that cannot be guessed, and rename it.

    It gets the mode of the file that it replaces. A link that was planted is not followed.
    """
    for left in target.parent.glob(f".{glob.escape(target.name)}.*.partial"):
        left.unlink()  # of a writer that was killed: no other one has the lock
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    partial = target.with_name(f".{target.name}.{secrets.token_hex(8)}.partial")

    def private(name, flags):
        return os.open(name, flags, 0o666 if mode is None else 0o600)

    try:
        with open(partial, "x", encoding="utf-8", opener=private) as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            partial.chmod(mode)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _resolved(path):
    """Absolute path of a file, links followed; refuse what is no regular file.

    Raises
    ------
    ValueError
        If it is a loop of links, a pipe, a folder or a device.
    """
    try:
        target = Path(path).resolve(strict=False)
        kind = target.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return target
    except (OSError, RuntimeError) as error:
        if isinstance(error, OSError) and error.errno != errno.ELOOP:
            raise
        raise ValueError(f"{path} is a loop of links; expected a file") from None
    if not stat.S_ISREG(kind):
        raise ValueError(
            f"{path} is no regular file; expected the file of a session, or a new name"
        )
    return target


def _beside(path, ending):
    """Path of a hidden file beside a session."""
    target = _resolved(path)
    return target.with_name(f".{target.name}.{ending}")


def as_read(content):
    """JSON of a content, as Python reads it again."""
    return json.loads(_text(content))


def _text(content):
    """JSON in one spelling; numbers of NumPy are written as those of Python."""
    try:
        return json.dumps(content, allow_nan=False, separators=(",", ":"), default=describe)
    except TypeError as error:  # a key of a dict that is no text
        raise ValueError(f"the session can't be kept in a file: {error}") from error


def content_of(session):
    """What the file of a session says, as it is read again."""
    return as_read(_describe(session))


def digest(session):
    """SHA-256 of the content of a session's file, as the file itself has it."""
    return _digest(content_of(session))


def _digest(content):
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _describe(session):
    """What is kept of a session."""
    algorithm, design, course = session.algorithm, session.design, session._course
    for kind in kinds_of(algorithm):
        if algorithms_by_name().get(kind.__name__, kind) is not kind:
            raise ValueError(
                f"algorithm = {algorithm!r}; expected another name for its class, since "
                f"{kind.__name__} is one of the package's"
            )
    region = design.polyhedron
    return {
        "algorithm": type(algorithm).__name__,
        "parameters": algorithm.hyper_parameters(),
        "n_arms": design.n_arms,
        "n_objectives": design.n_objectives,
        "arms": design.arms if is_named(design.arms) else None,
        "objectives": _described_objectives(design),
        "units": design.units if any(design.units) else None,
        "standard_deviation": _described_noise(design),
        "bounds": design.bounds,
        "features": design.features,
        "polyhedron": None if region is None else [region.A, region.b],
        "costs": design.costs,
        "seed": session.seed,
        "observations": course.log,
        "waiting": [[*queue] for queue in course.queues],
        "outstanding": session.outstanding,
        "paid": session._ledger.paid,
        "budget": session.budget,
        "withdrawn": [[design.find(each.arm), *each[1:]] for each in session.withdrawn],
        "identifiers": session._samples.identifiers,
        "former": session._samples.former,
        "next_arm": course.next_arm,
        "ended_by": session.ended_by,
    }


def _described_noise(design):
    """As it was given: the standard deviations that follow from bounds are not."""
    if design.is_noise_unknown:
        return UNKNOWN
    return 1.0 if design.bounds else design.standard_deviation.tolist()


def kinds_of(algorithm):
    """Classes of an algorithm and of those that are its parameters."""
    kinds = [type(algorithm)]
    for value in algorithm.hyper_parameters().values():
        if isinstance(value, Algorithm):
            kinds += kinds_of(value)
    return kinds


def _described_objectives(design):
    """Pairs of name and direction, if there are names."""
    if not is_named(design.objectives):
        return None
    return [*zip(design.objectives, design.directions, strict=True)]


def read(path):
    """Content of a file, whose format, version and checksum are right.

    Raises
    ------
    ValueError
        If they are not.
    """
    target = _resolved(path)
    try:
        document = json.loads(target.read_bytes(), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no session, or truncated: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"{path} is no session; expected a file that Session.save has written")
    version, content = document.get("version"), document.get("content")
    if type(version) is not int or version not in range(1, VERSION + 1):
        raise ValueError(
            f"{path} has version {version!r} of the format; expected at most {VERSION}, "
            "or a newer version of this package"
        )
    if document.get("sha256") != _digest(content):
        raise ValueError(f"{path} is damaged or altered: its checksum does not match its content")
    content = _up_to_date(content, version) if isinstance(content, dict) else {}
    if set(content) != {*SETTINGS, *PROGRESS}:
        raise ValueError(f"{path} is damaged; expected {', '.join(SETTINGS + PROGRESS)}")
    return content


def _unique(pairs):
    """A dict of pairs whose keys are all different."""
    found = dict(pairs)
    if len(found) < len(pairs):
        name, _ = collections.Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"the name {name!r} appears twice")
    return found


def _up_to_date(content, version):
    """Content of any version, with what that had no word for; empty if it had words for it."""
    added = {}
    for later in range(version + 1, VERSION + 1):
        added |= NEW[later]
    if set(added) & set(content):
        return {}
    content = {**content, **added}
    if version < 5 and content.get("costs") is not None:
        _told_equal_costs(content)
    if version < 3 and "finished" in content:
        stopped = content.pop("finished")
        content["ended_by"] = {"True": "answer", "False": None}.get(repr(stopped), stopped)
    return content


def _told_equal_costs(content):
    """Tell algorithms equal costs that weigh them now: before version 5 they were told none."""
    parameters = content["parameters"]
    inner = (each.get("parameters") for each in parameters.values() if isinstance(each, dict))
    for each in (parameters, *inner):
        weighs = each.get("tracking") != "C" and each.get("budget") is None
        if weighs and each.get("costs", ()) is None:
            each["costs"] = [1.0] * content["n_arms"]


def _continues(content, earlier):
    """Whether all that an earlier file says and observed is in the new content."""
    if any(content[name] != earlier[name] for name in SETTINGS if name != "parameters"):
        return False
    try:
        if not earlier["parameters"].items() <= content["parameters"].items():
            return False  # there may be new ones since, as they were all along
        if earlier["budget"] != content["budget"] and not earlier["budget"] < content["budget"]:
            return False
        old, new = _told_of_identifiers(earlier), _told_of_identifiers(content)
        if any(new.get(name, [])[: len(told)] != told for name, told in old.items()):
            return False
        pairs = zip(_rewards(content), _corrected(earlier, content), strict=True)
        return all(new[: len(old)] == old for new, old in pairs)
    except (AttributeError, IndexError, TypeError, ValueError):  # no observations of these arms
        return False


def _told_of_identifiers(content):
    """What was told of each identifier, in order."""
    former = content["former"]
    return {name: [*former.get(name, []), told] for name, told in content["identifiers"].items()}


def _rewards(content):
    """Rewards of each arm in the order told."""
    rewards = [[] for _ in range(content["n_arms"])]
    for arm, reward in content["observations"]:
        rewards[arm].append(reward)
    return [used + told for used, told in zip(rewards, content["waiting"], strict=True)]


def _corrected(earlier, content):
    """Rewards of an earlier file, after what has been withdrawn since."""
    rewards, known = _rewards(earlier), len(earlier["withdrawn"])
    if content["withdrawn"][:known] != earlier["withdrawn"]:
        raise ValueError("other rewards were withdrawn")
    for arm, reward, instead, place, *_ in content["withdrawn"][known:]:
        if place < len(rewards[arm]):
            if rewards[arm][place] != reward:
                raise ValueError("another reward was withdrawn")
            rewards[arm] = replaced(rewards[arm], place, instead)
    return rewards
