"""Calls of a function in parallel: in processes, in threads, or on a Dask cluster."""

import concurrent.futures
import os

import loky

from pareto_core.simulation.process_backend import end_with


class Workers:
    """Workers that call a function; a context manager, which ends them if an error leaves it."""

    def __init__(self, number, backend, client):
        self._executor, self._backend = None, backend
        if client is not None:
            self._backend, self._executor = "dask", client.get_executor(pure=False)
        elif number > 1 and backend == "threads":
            self._executor = concurrent.futures.ThreadPoolExecutor(number)
        elif number > 1:
            self._executor = loky.get_reusable_executor(
                max_workers=number, initializer=end_with, initargs=(os.getpid(),)
            )

    def __enter__(self):
        return self

    def __exit__(self, kind, *error):
        if self._executor is None:
            return
        if self._backend == "threads":
            self._executor.shutdown(wait=kind is None, cancel_futures=True)
        elif self._backend == "dask":
            self._executor.shutdown(wait=False)
        elif kind is not None:  # otherwise they wait for the next call
            self._executor.shutdown(kill_workers=True)

    def outcomes(self, function, calls):
        """Call a function, and yield the outcome of each call when it has ended."""
        if self._executor is None:
            yield from _one_by_one(function, calls)
            return
        futures = {self._executor.submit(function, *call): key for key, call in calls.items()}
        pending = set(futures)
        while pending:
            done, pending = concurrent.futures.wait(
                pending, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in done:
                error = future.exception()
                if error is not None:  # a cancelled call may never report that it has ended
                    pending = {each for each in pending if not each.cancel()}
                yield futures[future], future.result() if error is None else None, error


def _one_by_one(function, calls):
    for key, call in calls.items():
        try:
            value = function(*call)
        except Exception as error:
            yield key, None, error
            return
        yield key, value, None
