"""Session files as the commands open them, and the texts of their arguments."""

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pareto_core.algorithms.registry import class_named
from pareto_lab.experiment.names import is_named
from pareto_lab.experiment.reward_tables import number_in
from pareto_lab.experiment.session_file import locked
from pareto_lab.session.loading import load_session
from pareto_lab.session.session import Session


def opened(file: str, own: Sequence[str]) -> Session:
    """Load the session of a file, to be read."""
    return load_session(file, [class_named(name) for name in own])


@contextlib.contextmanager
def changed(file: str, own: Sequence[str]) -> Iterator[Session]:
    """The session of a locked file, which is written again unless an error occurs."""
    kinds = [class_named(name) for name in own]
    if not Path(file).exists():  # before a lock is left beside a mistyped name
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), file)
    with locked(file):
        session = load_session(file, kinds)
        try:
            yield session
        except RuntimeError as error:  # the session has ended
            raise ValueError(str(error)) from error
        session._write(file)


def one_or_all(values):
    """A single value instead of a list of one."""
    return values[0] if values is not None and len(values) == 1 else values


def pair(text: str, name: str) -> tuple[str, str]:
    """Name and value of a text of the form NAME=VALUE."""
    left, equals, right = text.rpartition("=")
    if not equals:
        raise ValueError(f"{name} {text}; expected NAME=VALUE")
    return left, right


def arm_of(session: Session, text: str) -> Any:
    """An arm by its name, or by its number if there are no names."""
    return text if is_named(session.design.arms) else number_in(text, int)


def reward_of(texts: Sequence[str], name: str = "reward") -> Any:
    """A reward: numbers in the order of the objectives, or ``name=number`` of each."""
    named = all("=" in text for text in texts)
    pairs = [pair(text, name) if named else (None, text) for text in texts]
    numbers = [number_in(text, float) for _, text in pairs]
    if not named:
        return numbers
    names = [each for each, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"{name} = {' '.join(texts)}; expected each objective once")
    return dict(zip(names, numbers, strict=True))
