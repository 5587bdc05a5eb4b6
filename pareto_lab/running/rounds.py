"""The rounds of a simulated experiment: ask for a batch, take its samples, tell, save."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.checks.arguments import check_choice, check_count, check_flag, check_path, shown
from pareto_core.checks.environment import progress_bar
from pareto_core.simulation.scheduling import check_workers
from pareto_lab.experiment.names import Values
from pareto_lab.experiment.session_file import differences, kinds_of
from pareto_lab.running.samples import outstanding_requests, told_replications
from pareto_lab.running.workers import Workers
from pareto_lab.session import Session, load_session

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["run_experiment"]

BACKENDS = ("processes", "threads")
SAMPLES_PER_WORKER = 4  # in a batch
SHARE = 0.05  # of the time that may be spent on saving
LEAST = 1.0  # seconds between two savings


def run_experiment(
    function: Callable[[int | str, int], Values],
    session: Session,
    workers: int | None = None,
    path: str | os.PathLike | None = None,
    *,
    batch: int | None = None,
    backend: Literal["processes", "threads"] = "processes",
    client: "Client | None" = None,
    progress: bool = True,
) -> Session:
    """Take the samples of a session from a function, in parallel, until the session has ended.

    In each round the session asks for a batch of samples, ``function(arm, seed)`` is called for
    each of them, and the rewards are told as they come.

    Parameters
    ----------
    function : function
        Takes an arm, by its name or number as `Session.ask` returns it, and a seed, an integer
        from 0 to 2**64 - 1; returns the reward, as `Session.tell` takes it. All that is random in
        it must come from the seed, as from ``numpy.random.default_rng(seed)``.
    session : Session
        Samples that it has asked for before, and that were not told, are taken first.
    workers : int, optional
        Number of processes or threads; by default the number of cores. With 1, the function is
        called in this thread.
    path : path-like, optional
        File of the session, saved about every second, and at the end. If it exists and the given
        session has no rewards, the experiment continues from the file, which must state the same
        arms, noise and other settings; with the given budget if it is higher, and else with that of
        the file.
    batch : int, optional
        Number of samples to ask for at once; by default 4 for each worker.
    backend : {"processes", "threads"}, default "processes"
        Threads are for functions that wait, or that release the interpreter's lock.
    client : distributed.Client, optional
        Call the function on this Dask cluster instead, with as many workers as it has threads.
    progress : bool, default True
        Show a progress bar.

    Returns
    -------
    Session
        The given session, or the one that continued from the file.

    Raises
    ------
    ValueError
        If an argument is invalid, the file holds a different session, or the function returns no
        valid reward.
    Exception
        Whatever the function raises, with a note of the arm and the seed. The other samples of the
        batch that have begun are told, and the session is saved. The failed sample stays
        outstanding: the next call takes it again, with the same seed. Do not leave it out: samples
        that fail are rarely those of average value, and all guarantees would be lost.
    KeyboardInterrupt
        If the call is interrupted; the session is saved before.

    Notes
    -----
    *The same run.* The seed is a function of the session's seed, of the arm and of the number of
    its samples before. Rewards of an arm are told in this order, under identifiers made of the
    same numbers. So the algorithm's run does not depend on the workers, the size of the batches,
    or how often the program was killed, and no sample counts twice. Only where a budget ends it
    does: samples of the last batch that the algorithm would have chosen otherwise wait unused.

    *Which algorithm.* The objectives of one simulated sample are usually correlated, with unknown
    variances, which differ between the arms. If the noise is Gaussian, use
    ``pc.Certified(variance="unknown")`` with ``standard_deviation="unknown"``; for bounded rewards
    of any distribution, use `WidestBox`.

    *Times that depend on the value.* Here they may: quick samples do not overtake slow ones, and a
    new batch is asked for only after all rewards of the last one. A function that never returns is
    the exception, as is a time limit that discards long samples.

    Examples
    --------
    >>> import numpy as np
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> def simulate(arm, seed):
    ...     return np.random.default_rng(seed).normal([2.0 * arm, 0.0], scale=0.5)
    >>> session = lab.Session(pc.Certified(variance="unknown"), 2, 2, "unknown", budget=90)
    >>> lab.run_experiment(simulate, session, workers=1, progress=False).ended_by
    'budget'
    """
    if client is not None:
        workers = sum(client.nthreads().values()) or None
    workers, batch = _checked(function, session, workers, batch, backend)
    check_flag(progress, "progress")
    if path is not None:
        path = check_path(path, "path")
        session = _continued(session, path)
    with (
        progress_bar(None, "samples", progress) as bar,
        Workers(workers, backend, client) as called,
    ):
        bar.update(session.samples + int(session.waiting.sum()))
        told, saves = told_replications(session), Saves(session, path)
        try:
            while requests := _next_requests(session, told, batch):
                _take(function, session, requests, told, called, bar)
                saves.save_if_due()
        finally:
            saves.save()
    return session


class Saves:
    """The savings of a session to a file, if there is one, which take little of the time."""

    def __init__(self, session, path):
        self._session, self._path = session, path
        self._next = time.monotonic() + LEAST  # the file has the session as it begins

    def save_if_due(self):
        """Save, unless the last time was a moment ago."""
        if time.monotonic() >= self._next:
            self.save()

    def save(self):
        """Save now."""
        if self._path is not None:
            begin = time.monotonic()
            self._session.save(self._path)
            end = time.monotonic()
            self._next = end + max((end - begin) / SHARE, LEAST)


def _checked(function, session, workers, batch, backend):
    """Check arguments, and return the numbers of workers and of samples in a batch."""
    if not callable(function):
        raise ValueError(f"function = {shown(function)}; expected a function of an arm and a seed")
    if not isinstance(session, Session):
        raise ValueError(f"session = {shown(session)}; expected a Session")
    check_choice(backend, "backend", BACKENDS)
    workers = check_workers(None if workers is None else check_count(workers, "workers"), None)
    return workers, check_count(SAMPLES_PER_WORKER * workers if batch is None else batch, "batch")


def _continued(session, path):
    """The session of a file, or the given one if there is no file, or if it has rewards."""
    is_new = session.samples + session.waiting.sum() == 0
    if not (is_new and Path(path).exists()):
        session.save(path)
        return session
    package = algorithms_by_name().values()
    own = [kind for kind in kinds_of(session.algorithm) if kind not in package]
    found = load_session(path, own)
    budgets = found.budget, session.budget
    if None not in budgets and session.budget > found.budget:
        found.raise_budget(session.budget)
    different = differences(*(each._content() for each in (found, session)))
    if different:
        raise ValueError(
            f"{path} holds a session with other {', '.join(different)}; expected the same, or a "
            "new name"
        )
    return found


def _next_requests(session, told, batch):
    """The outstanding samples, or a new batch if there are none; empty after the end."""
    requests = outstanding_requests(session, told)
    if requests or session.finished:
        return requests
    session.ask_many(batch)
    return outstanding_requests(session, told)


def _take(function, session, requests, told, called, bar):
    """Take a batch of samples, and tell the rewards of each arm in their order."""
    names, early, failure = session.design.arms, {}, None
    calls = {each: (names[each.arm], each.seed(session.seed)) for each in requests}
    for request, reward, error in called.outcomes(function, calls):
        if error is None:
            early[request] = reward
            request, error = _tell_in_order(session, request, early, told, bar)
        if error is not None:
            name, seed = calls[request]
            error.add_note(f"in sample {request.replication} of arm {name}, seed {seed}")
            failure = failure or error
    if failure is not None:
        raise failure


def _tell_in_order(session, request, early, told, bar):
    """Tell the rewards of an arm that wait for no earlier one, under their identifiers."""
    while (request := request._replace(replication=told[request.arm])) in early:
        try:
            name, reward = session.design.arms[request.arm], early.pop(request)
            session.tell(name, reward, id=request.identifier)
        except Exception as error:
            return request, error
        told[request.arm] += 1
        bar.update()
    return request, None
