"""Runs that one execution of a chapter hands to the next.

The build executes each chapter, and the tests execute it a second time and compare every output.
Most of the time goes into simulations, whose results depend on nothing but the program and the
request. So a process appends the results of `simulate` to the file that the environment variable
``PARETO_RUNS_TO`` names, and takes those of equal requests from the file that ``PARETO_RUNS_FROM``
names. A request that differs in any way, such as one of a different program, or for an instance
drawn without a seed, is simulated, and so is an algorithm from outside the package.
"""

import functools
import hashlib
import json
import os
import pickle

from pareto_core.loop.algorithm import describe
from pareto_core.simulation.program import imported_hash, is_of_the_package
from pareto_core.simulation.run_store import described_request

__all__ = ["leave", "request_key", "take"]


def request_key(simulation):
    """Digest of the request of a simulation; None if its results are not handed on.

    Parameters
    ----------
    simulation : Simulation

    Returns
    -------
    str or None
    """
    if not (os.environ.get("PARETO_RUNS_TO") or os.environ.get("PARETO_RUNS_FROM")):
        return None
    if simulation.has_store or not all(map(is_of_the_package, simulation.algorithms)):
        return None
    requests = [
        described_request(each, simulation.instance, simulation.seed, simulation.max_samples)
        for each in simulation.algorithms
    ]
    text = json.dumps(
        [imported_hash(), simulation.runs, requests], sort_keys=True, default=describe
    )
    return hashlib.sha256(text.encode()).hexdigest()


def take(key):
    """Results of an equal request by batch; empty if there was none."""
    path = os.environ.get("PARETO_RUNS_FROM")
    return _read(path).get(key, {}) if path else {}


def leave(key, results):
    """Hand on the results of a request."""
    path = os.environ.get("PARETO_RUNS_TO")
    if path and key is not None:
        with open(path, "ab") as file:
            file.write(pickle.dumps((key, results)))


@functools.cache
def _read(path):
    """Results of all requests that a file holds, by request."""
    found = {}
    if os.path.exists(path):
        with open(path, "rb") as file:
            while file.peek(1):
                key, results = pickle.load(file)
                found[key] = results
    return found
