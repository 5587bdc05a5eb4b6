"""Times of the constrained transportation cost, against brute force in one run."""

import sys
from pathlib import Path

import numpy as np
from plain_python import in_words, seconds

from pareto_core import load_instance
from pareto_core.compiling.kernels import kernel
from pareto_core.geometry.polyhedron import simplex
from pareto_core.transport.metric import region_of
from pareto_core.transport.oracle import allocate_oracle
from pareto_core.transport.walk import cheapest_alternative

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from references import noise_region

COUNT, COUNT_BRUTE = 1000, 5


def cases():
    """Name, means and region."""
    for name in ("secukinumab", "constrained_orthant", "cov_boost_igg"):
        instance = load_instance(name)
        if name == "cov_boost_igg":
            instance = instance.standardised()
        yield name, np.array(instance.means), instance.polyhedron
    rng = np.random.default_rng(0)
    for n_arms, d, total in ((5, 2, 1.0), (10, 2, 0.8), (20, 3, 1.2)):
        yield "random, in a simplex", rng.uniform(0, 1, (n_arms, d)), simplex(d, total)


@kernel
def respond(means, weights, region, oracle):
    """Sum of the costs for many weights, so that only kernels are timed."""
    total = 0.0
    for k in range(weights.shape[0]):
        total += cheapest_alternative(means, weights[k], None, region, np.inf, oracle)
    return total


def measure(means, polyhedron):
    """Seconds per response, and those of brute force."""
    n_arms, d = means.shape
    weights = np.random.default_rng(1).dirichlet(np.ones(n_arms), COUNT)
    region = region_of(polyhedron)
    oracle = allocate_oracle(n_arms, d, region=region)
    call = lambda: respond(means, weights, region, oracle)  # noqa: E731
    call()  # compiled by now
    few, unit = weights[:COUNT_BRUTE], np.array(n_arms * [np.eye(d)])
    slow = lambda: [noise_region.transport(means, w, unit, polyhedron)[0] for w in few]  # noqa: E731
    found = respond(means, few, region, oracle)
    assert np.isclose(found, sum(slow()), rtol=1e-9)
    return seconds(call, at_least=0.1) / COUNT, seconds(slow) / COUNT_BRUTE


def main():
    line = "{:<22} {:>3} {:>2} {:>5} {:>9} {:>12} {:>7}"
    print(line.format("instance", "K", "d", "rows", "kernel", "brute force", "ratio"))
    for name, means, polyhedron in cases():
        fast, slow = measure(means, polyhedron)
        size = (*means.shape, len(polyhedron.offsets))
        print(line.format(name, *size, in_words(fast), in_words(slow), f"{slow / fast:.0f}"))


if __name__ == "__main__":
    main()
