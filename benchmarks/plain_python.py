"""The package's kernels as plain Python, in a process of their own, for comparison.

With ``NUMBA_DISABLE_JIT`` the same functions run interpreted.
"""

import json
import os
import subprocess
import sys
import time

import numpy as np


def run_interpreted(script, *arguments):
    """Call this script with ``--interpreted`` and compilation off; return what it measured."""
    command = [sys.executable, script, "--interpreted", *map(str, arguments)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


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
