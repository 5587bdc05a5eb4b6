"""Loading a saved session."""

import os
from collections.abc import Sequence

from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.checks.arguments import check_path
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.experiment.restoring import restored_events, start_of
from pareto_lab.experiment.session_file import read
from pareto_lab.session.session import Session

__all__ = ["load_session"]


def load_session(path: str | os.PathLike, algorithms: Sequence[type[Algorithm]] = ()) -> Session:
    """Restore a session that `Session.save` has written, in exactly the same state.

    Parameters
    ----------
    path : path-like
        Name of the file.
    algorithms : sequence of type, optional
        Your own classes that the file may name, as in
        ``lab.load_session("mine.json", algorithms=[TopTwo])``.

    Returns
    -------
    Session

    Raises
    ------
    ValueError
        If the file is not a session file, is truncated or altered, or was written by a newer
        version of the package; or if the algorithm asks for other arms than those observed, because
        its code has changed since. The message names the file and the error.
    OSError
        If the file does not exist.

    Examples
    --------
    >>> import tempfile
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(pc.TrackAndStop(), n_arms=2, n_objectives=1, standard_deviation=1.0)
    >>> session.tell(session.ask(), [1.0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     session.save(f"{folder}/mine.json")
    ...     restored = lab.load_session(f"{folder}/mine.json")
    >>> restored.samples, restored.ask() == session.ask()
    (1, True)
    """
    own = {kind.__name__: kind for kind in _checked(algorithms)}
    content = read(check_path(path, "path"))
    try:
        start = start_of(content, {**own, **algorithms_by_name()})
        session = Session.__new__(Session)
        session._begin(start, *restored_events(start, content))
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"{path} can't be restored: {error}{_hint(content, own)}") from error
    return session


def _hint(content, own):
    """What to do if the package does not have the algorithm of a file."""
    name = content.get("algorithm")
    if not isinstance(name, str) or name in own or name in algorithms_by_name():
        return ""
    return (
        f"; if {name} is a class of your own, name it: load_session(path, algorithms=[{name}]), "
        "or in a shell the option --own MODULE:CLASS"
    )


def _checked(algorithms):
    """Check that these are subclasses of `Algorithm`, and return them."""
    if not isinstance(algorithms, Sequence) or not all(
        isinstance(kind, type) and issubclass(kind, Algorithm) for kind in algorithms
    ):
        raise ValueError(f"algorithms = {algorithms!r}; expected subclasses of Algorithm")
    return algorithms
