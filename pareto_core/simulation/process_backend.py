"""Batches of a simulation in processes of this machine.

For algorithms in plain Python: threads would take turns, since Python runs one at a time.
"""

import concurrent.futures
import os
import signal
import threading
import time

import loky

START_UP = 1.0  # seconds that starting the processes may take: what is done by then needs none
WATCH = 0.5  # seconds between two looks at the parent of a worker


def run_in_processes(work, pending, collect, n_jobs):
    """Run batches in processes, unless this one is done with them before the others had begun.

    Parameters
    ----------
    work : function
        Takes a batch and returns its results; sent to the processes pickled, whether it is
        defined in a module or in a notebook.
    pending : list of tuple of int
        The batches.
    collect : function
        Called in this process with each batch and its results, in the order in which
        they arrive.
    n_jobs : int
        Number of processes.

    Raises
    ------
    Exception
        What a batch raises; those that have not begun are cancelled.
    """
    rest = _begin_here(work, pending, collect)
    if not rest:
        return
    executor = loky.get_reusable_executor(
        max_workers=n_jobs, initializer=_end_with, initargs=(os.getpid(),)
    )
    try:
        futures = {executor.submit(work, batch): batch for batch in rest}
        for future in concurrent.futures.as_completed(futures):
            collect(futures[future], future.result())
    except BaseException:
        executor.shutdown(kill_workers=True)
        raise


def _begin_here(work, pending, collect):
    """Run batches in this process for a while; return those that are left."""
    end = time.monotonic() + START_UP
    for place, batch in enumerate(pending):
        if time.monotonic() > end:
            return pending[place:]
        collect(batch, work(batch))
    return []


def _end_with(parent):
    """Let this process, a worker, end when the process with this number has ended.

    Ctrl-C, which a shell sends to workers too, is left to the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch():
        while os.getppid() == parent:
            time.sleep(WATCH)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
