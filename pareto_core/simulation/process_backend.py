"""Batches of a simulation in processes of this machine.

For algorithms in plain Python, whose threads could not run in parallel.
"""

import concurrent.futures
import os
import signal
import threading
import time

import loky

START_UP = 1.0  # seconds to run batches in this process before others are started
WATCH = 0.5  # seconds between two checks that the parent of a worker is alive


def run_in_processes(work, pending, collect, n_jobs):
    """Run batches in processes, unless this process finishes them within `START_UP` seconds."""
    rest = _begin_here(work, pending, collect)
    if not rest:
        return
    executor = loky.get_reusable_executor(
        max_workers=n_jobs, initializer=end_with, initargs=(os.getpid(),)
    )
    try:
        futures = {executor.submit(work, batch): batch for batch in rest}
        for future in concurrent.futures.as_completed(futures):
            collect(futures[future], future.result())
    except BaseException:
        executor.shutdown(kill_workers=True)
        raise


def _begin_here(work, pending, collect):
    """Run batches in this process for `START_UP` seconds; return the remaining batches."""
    end = time.monotonic() + START_UP
    for k, batch in enumerate(pending):
        if time.monotonic() > end:
            return pending[k:]
        collect(batch, work(batch))
    return []


def end_with(parent):
    """End this process, a worker, when the process with the number ``parent`` has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch():
        while os.getppid() == parent:
            time.sleep(WATCH)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
