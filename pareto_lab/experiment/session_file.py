"""Session files: how an experiment began, and its events."""

import collections
import contextlib
import errno
import glob
import hashlib
import itertools
import json
import os
import secrets
import stat
from pathlib import Path

import filelock

from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.loop.algorithm import Algorithm, describe
from pareto_lab.experiment.earlier_version import EARLIER, upgraded
from pareto_lab.experiment.events import Told, Withdrawn
from pareto_lab.experiment.missing_values import plain_reward
from pareto_lab.experiment.names import is_named
from pareto_lab.experiment.noise import stated_deviation

FORMAT, VERSION = "pareto_core session", 8
MOST_WAIT = 60  # seconds until the lock of another writer is an error
SETTINGS = (
    "parameters",
    "algorithm",
    "n_arms",
    "n_objectives",
    "arms",
    "objectives",
    "units",
    "standard_deviation",
    "bounds",
    "covariance",
    "features",
    "polyhedron",
    "costs",
    "seed",
    "predecessors",
)
PROGRESS = ("budget", "events", "used", "next_arm", "ended_by")


@contextlib.contextmanager
def locked(path):
    """Make other writers of a file wait, for a minute at most."""
    target = _resolved(path)
    lock = target.with_name(f".{target.name}.lock")
    if not lock.parent.is_dir():  # FileLock would create it
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(lock.parent))
    waiting = filelock.FileLock(lock, timeout=MOST_WAIT)
    try:
        waiting.acquire()
    except filelock.Timeout as error:
        raise TimeoutError(
            f"{path} is locked: another program has held {lock} for {MOST_WAIT:g} seconds; "
            "expected it to finish; nothing was written"
        ) from error
    try:
        yield
    finally:
        waiting.release()


def write(content, path):
    """Write a content to a file that is `locked`, unless that holds other rewards."""
    target = _resolved(path)
    if target.exists() and differences(content, read(path)):
        raise ValueError(
            f"{path} holds a different session, or observations or requests that this session "
            "lacks; expected a new name, or an earlier state of this session"
        )
    document = {"format": FORMAT, "version": VERSION, "sha256": digest(content)}
    replace_file(target, _text({**document, "content": content}) + "\n")


def replace_file(target, text):
    """Write a file under a name that cannot be guessed, and rename it, with the same mode."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.*.partial"):
        left.unlink()  # from a writer that was killed: only this one holds the lock
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    if mode is not None and not os.access(target, os.W_OK):  # renaming would not ask
        raise PermissionError(errno.EACCES, "the file is not writable", str(target))
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
    """Absolute path of a regular file or a new one, after following links."""
    target = Path(os.path.realpath(path))
    try:
        kind = target.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return target
    if not stat.S_ISREG(kind):
        raise ValueError(f"{path} is not a regular file; expected a session file, or a new name")
    return target


def as_read(content):
    """A content as it is read back from JSON."""
    return json.loads(_text(content))


def _text(content):
    """JSON in a canonical spelling; NumPy numbers are written like Python numbers."""
    try:
        return json.dumps(content, allow_nan=False, separators=(",", ":"), default=describe)
    except TypeError as error:  # a key of a dict is not a str
        raise ValueError(f"the session can't be written to a file: {error}") from error


def content_of(start, events, state):
    """Content of the file of an experiment, as it is read back."""
    for kind in kinds_of(start.algorithm):
        if algorithms_by_name().get(kind.__name__, kind) is not kind:
            raise ValueError(
                f"algorithm = {start.algorithm!r}; expected a different name for its class, since "
                f"the package has a class {kind.__name__}"
            )
    progress = {
        "budget": start.budget,
        "events": [*map(_described_event, events)],
        "used": state.run.order,
        "next_arm": state.run.wanted(),
        "ended_by": state.ended_by,
    }
    return as_read({**_settings(start), **progress})


def digest(content):
    """SHA-256 of the content of a file, as the file states it."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _settings(start):
    """The arguments of a session as JSON has them."""
    algorithm, design, region = start.algorithm, start.design, start.design.polyhedron
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
        "covariance": design.covariance,
        "features": design.features,
        "polyhedron": None if region is None else [region.A, region.b],
        "costs": design.costs,
        "seed": start.seed,
        "predecessors": [list(each) for each in start.predecessors],
    }


def _described_noise(design):
    """The standard deviations as given; None if other settings state the noise."""
    if design.bounds is not None or design.covariance is not None:
        return None
    deviation = stated_deviation(design)
    return deviation.tolist() if hasattr(deviation, "tolist") else deviation


def _described_event(event):
    """The kind and the values of an event, with null for what was not observed."""
    if isinstance(event, Told):
        plain = [each._replace(values=plain_reward(each.values)) for each in event.rewards]
        event = event._replace(rewards=plain)
    elif isinstance(event, Withdrawn) and event.instead is not None:
        event = event._replace(instead=plain_reward(event.instead))
    return [type(event).__name__.lower(), *event]


def kinds_of(algorithm):
    """Classes of an algorithm and of the algorithms among its parameters."""
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
    """Content of a session file; a ValueError says what is wrong with another file."""
    target = _resolved(path)
    try:
        document = json.loads(target.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not a session file, or is truncated: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(
            f"{path} is not a session file; expected a file that Session.save has written"
        )
    version, content = document.get("version"), document.get("content")
    if type(version) is not int or version not in (EARLIER, VERSION):
        raise ValueError(
            f"{path} has version {version!r} of the format; expected {VERSION}, or the version of "
            "this package that wrote the file"
        )
    if document.get("sha256") != digest(content):
        raise ValueError(f"{path} is damaged or altered: its checksum does not match its content")
    if version == EARLIER:
        try:
            content = upgraded(content, SETTINGS + PROGRESS)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} can't be restored: {error}") from error
    if not isinstance(content, dict) or set(content) != {*SETTINGS, *PROGRESS}:
        raise ValueError(f"{path} is damaged; expected {', '.join(SETTINGS + PROGRESS)}")
    return content


def differences(content, earlier):
    """Names of what keeps a content from being a later state of an earlier one; empty if it is.

    Later versions of an algorithm may have more parameters. When samples were asked for or told
    does not matter, nor the order of those of different arms.
    """
    try:
        known, *others = SETTINGS
        found = [name for name in others if content[name] != earlier[name]]
        if not earlier[known].items() <= content[known].items():
            found.append(known)
        old, new = _budget(earlier), _budget(content)
        if old != new and (None in (old, new) or old > new):
            found.append("budget")
        if _requests(earlier) - _requests(content):
            found.append("requests")
        old, new = _histories(earlier), _histories(content)
        other = [each for each, known in old.items() if new[each][: len(known)] != known]
        return [*found, *("rewards" if isinstance(each, int) else each for each in other)]
    except (AttributeError, IndexError, TypeError, ValueError):  # the earlier file is no session
        return ["rewards"]


def _budget(content):
    """The last budget of a content."""
    raised = [each[1] for each in content["events"] if each[0] == "raised"]
    return raised[-1] if raised else content["budget"]


def _requests(content):
    """How often each arm was asked for."""
    asked = (each[1] for each in content["events"] if each[0] == "asked")
    return collections.Counter(itertools.chain.from_iterable(asked))


def _histories(content):
    """What happened to each arm, and the arms that were added, in order."""
    found = collections.defaultdict(list)
    for kind, *values in content["events"]:
        match kind, values:
            case "told", [rewards]:
                for arm, reward, _, identifier in rewards:
                    found[arm].append((reward, identifier))
            case "withdrawn", [arm, rank, instead, _, reason]:
                found[arm].append((rank, instead, reason))
            case "retired", _:
                found["retired"].append(values)
            case "resumed", [_, retirements, _]:
                found["retired"] += retirements
            case "added", _:
                found["added"].append(values)
    return found
