"""Session files: the settings and the observations of an experiment, without derived state."""

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
from pareto_lab.experiment.arrivals import without_later_arms
from pareto_lab.experiment.changes import as_saved
from pareto_lab.experiment.journal import completed
from pareto_lab.experiment.missing_values import plain_reward
from pareto_lab.experiment.mixed_noise import stated
from pareto_lab.experiment.names import is_named
from pareto_lab.experiment.withdrawal import replaced

FORMAT, VERSION = "pareto_core session", 7
MOST_WAIT = 60  # seconds until the lock of another writer is an error
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
    "predecessors",
)
PROGRESS = (
    "observations",
    "waiting",
    "outstanding",
    "paid",
    "budget",
    "withdrawn",
    "retired",
    "identifiers",
    "former",
    "journal",
    "next_arm",
    "ended_by",
)
# Settings that are written if they differ
OPTIONAL = {"covariance": None, "noise": None}


@contextlib.contextmanager
def locked(path):
    """Make other writers of a file wait.

    Raises
    ------
    OSError
        If the folder does not exist, or another program holds the lock for a minute.
    """
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
    """Write the content of a session to a file that is `locked`.

    Raises
    ------
    ValueError
        If the file holds a different session, or observations that this session lacks.
    """
    target = _resolved(path)
    if target.exists() and differences(content, read(path)):
        raise ValueError(
            f"{path} holds a different session, or observations that this session lacks; "
            "expected a new name, or an earlier state of this session"
        )
    document = {"format": FORMAT, "version": VERSION, "sha256": _digest(content)}
    _replace(target, _text({**document, "content": content}) + "\n")


def _replace(target, text):
    """Write a file under a name that cannot be guessed, and rename it.

    The file gets the mode of the file that it replaces. A planted link is not followed.
    """
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
    """Absolute path of a regular file or a new one, after following links.

    Raises
    ------
    ValueError
        If ``path`` is a loop of links, a pipe, a folder or a device.
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


def content_of(ledger):
    """Content of the file of an experiment, as it is read back."""
    return as_read(_describe(ledger))


def digest(ledger):
    """SHA-256 of the content of the file of an experiment, as the file states it."""
    return _digest(content_of(ledger))


def _digest(content):
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _describe(ledger):
    algorithm, design, queued_run = ledger.algorithm, ledger.design.whole, ledger.queued_run
    for kind in kinds_of(algorithm):
        if algorithms_by_name().get(kind.__name__, kind) is not kind:
            raise ValueError(
                f"algorithm = {algorithm!r}; expected a different name for its class, since the "
                f"package has a class {kind.__name__}"
            )
    region, ended_by = design.polyhedron, ledger.ended_by  # which may select the next arm
    optional = {
        "covariance": design.covariance,
        "noise": None if design.noise_kinds is None else stated(design),
    }
    return {name: each for name, each in optional.items() if each is not None} | {
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
        "seed": ledger.seed,
        "predecessors": [list(each) for each in ledger.predecessors],
        "observations": [[arm, plain_reward(reward)] for arm, reward in queued_run.used],
        "waiting": [[*map(plain_reward, queue)] for queue in queued_run.queues],
        "outstanding": ledger.outstanding,
        "paid": ledger.requested - ledger.outstanding,
        "budget": ledger.budget,
        "withdrawn": [[ledger.design.find(each.arm), *each[1:]] for each in ledger.withdrawn],
        "retired": as_saved(queued_run.retirements),
        "identifiers": ledger.identifiers.latest,
        "former": ledger.identifiers.former,
        "journal": completed(ledger.journal, ledger),
        "next_arm": queued_run.next_arm,
        "ended_by": ended_by,
    }


def _described_noise(design):
    """The standard deviations as given; 1 if others of the settings state the noise."""
    if design.is_noise_unknown:
        return UNKNOWN
    is_elsewhere = design.bounds or design.noise_kinds or design.covariance is not None
    return 1.0 if is_elsewhere else design.standard_deviation.tolist()


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
    """Content of a session file.

    Raises
    ------
    ValueError
        If the format, the version or the checksum of the file is wrong.
    """
    target = _resolved(path)
    try:
        document = json.loads(target.read_bytes(), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not a session file, or is truncated: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(
            f"{path} is not a session file; expected a file that Session.save has written"
        )
    version, content = document.get("version"), document.get("content")
    if type(version) is not int or version != VERSION:
        raise ValueError(
            f"{path} has version {version!r} of the format; expected {VERSION}, or the version of "
            "this package that wrote the file"
        )
    if document.get("sha256") != _digest(content):
        raise ValueError(f"{path} is damaged or altered: its checksum does not match its content")
    content = OPTIONAL | content if isinstance(content, dict) else {}
    if set(content) != {*SETTINGS, *PROGRESS, *OPTIONAL}:
        raise ValueError(f"{path} is damaged; expected {', '.join(SETTINGS + PROGRESS)}")
    return content


def _unique(pairs):
    """A dict of pairs whose keys are all different."""
    found = dict(pairs)
    if len(found) < len(pairs):
        name, _ = collections.Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"the name {name!r} appears twice")
    return found


def differences(content, earlier):
    """Names of what keeps a content from being a later state of an earlier one; empty if it is."""
    try:
        content = without_later_arms(content, earlier)
        settings = [name for name in (*SETTINGS, *OPTIONAL) if name != "parameters"]
        found = [name for name in settings if content.get(name) != earlier.get(name)]
        return found + [name for name, is_later in _progress(content, earlier) if not is_later]
    except (AttributeError, IndexError, TypeError, ValueError):  # the earlier file has no such arms
        return ["rewards"]


def _progress(content, earlier):
    """Pairs of a name and whether that part of the content is a later state of the earlier one."""
    has_new_arms = content["parameters"] is None  # later versions may add some with a default
    known = has_new_arms or earlier["parameters"].items() <= content["parameters"].items()
    yield "parameters", known
    old, new = earlier["budget"], content["budget"]
    yield "budget", old == new or (None not in (old, new) and old < new)
    known = [each[:3] for each in earlier["retired"]]  # a withdrawal may change when
    yield "retired", [each[:3] for each in content["retired"]][: len(known)] == known
    old, new = _values_of_identifiers(earlier), _values_of_identifiers(content)
    is_told = all(new.get(name, [])[: len(told)] == told for name, told in old.items())
    yield "identifiers", is_told
    known = _rewards(content)[: len(earlier["waiting"])]  # arms may have been added
    pairs = zip(known, _corrected(earlier, content), strict=True)
    yield "rewards", all(new[: len(old)] == old for new, old in pairs)


def _values_of_identifiers(content):
    """Arms and rewards that were told for each identifier, in order."""
    former = content["former"]
    return {name: [*former.get(name, []), told] for name, told in content["identifiers"].items()}


def _rewards(content):
    """Rewards of each arm in the order told."""
    rewards = [[] for _ in content["waiting"]]
    for arm, reward in content["observations"]:
        rewards[arm].append(reward)
    return [used + told for used, told in zip(rewards, content["waiting"], strict=True)]


def _corrected(earlier, content):
    """Rewards of an earlier file, after what has been withdrawn since."""
    rewards, known = _rewards(earlier), len(earlier["withdrawn"])
    if content["withdrawn"][:known] != earlier["withdrawn"]:
        raise ValueError("different rewards were withdrawn")
    for arm, reward, instead, position, *_ in content["withdrawn"][known:]:
        if arm < len(rewards) and position < len(rewards[arm]):  # arms may have been added
            if rewards[arm][position] != reward:
                raise ValueError("a different reward was withdrawn")
            rewards[arm] = replaced(rewards[arm], position, instead)
    return rewards
