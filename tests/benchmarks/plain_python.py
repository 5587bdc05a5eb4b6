"""The package's kernels as plain Python, in a process of their own, for comparison.

With ``NUMBA_DISABLE_JIT`` the same functions run interpreted. Only structured arrays
need a stand-in: compiled code reads their fields as attributes.
"""

import json
import os
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np


def run_interpreted(script, *arguments):
    """Call this script with ``--interpreted`` and compilation off; return what it measured."""
    command = [sys.executable, script, "--interpreted", *map(str, arguments)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def interpreted_response(response):
    """`allocate_response` with objects in the place of structured arrays."""
    n_objectives, n_arms = response.search.order.shape
    search = response.search._replace(
        sides=[SimpleNamespace() for _ in range(n_objectives)],
        levels=[SimpleNamespace() for _ in range(n_arms + 1)],
    )
    return response._replace(found=[SimpleNamespace()], search=search)


def seconds(call, at_least=0.0):
    """Shortest time of a call, repeated for at least so many seconds."""
    shortest = np.inf
    end = time.perf_counter() + at_least
    while True:
        start = time.perf_counter()
        call()
        now = time.perf_counter()
        shortest = min(shortest, now - start)
        if now >= end:
            return shortest


def in_words(duration):
    """A duration with three digits and a unit."""
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if duration >= size:
            return f"{duration / size:.3g} {unit}"
    return f"{duration / 1e-9:.3g} ns"
