"""Times of the transportation cost; see README.md for what the columns are."""

import argparse
import json
from pathlib import Path

import numpy as np
from plain_python import in_words, run_interpreted, seconds

from pareto_core import transport
from pareto_core.instances.generators import spherical_front, staircase_front
from pareto_core.transport import branch_and_bound, cells, oracle, sweep, walk

# (d, p, what, instances, of which interpreted, the paper's program as the project knows it)
ROWS = [
    (2, 256, "sweep", 100, 10, "11.5 ms"),
    (2, 256, "cells", 20, 2, "0.54 s"),
    (2, 256, "free one arm by sweep", 100, 10, ""),
    (3, 64, "branch_and_bound", 100, 5, ""),
    (3, 8, "cells", 100, 10, ""),
    (5, 8, "cells", 50, 3, ""),
    (5, 8, "branch_and_bound", 50, 3, ""),
    (5, 32, "cells", 1, 0, "17.8 s"),
    (5, 32, "branch_and_bound", 100, 10, "17.8 s"),
    (5, 32, "free one arm by branch and bound", 100, 10, "17.8 s"),
    (5, 64, "branch_and_bound", 50, 3, "24 min"),
    (5, 64, "free one arm by branch and bound", 50, 3, "24 min"),
    (6, 256, "branch_and_bound", 25, 1, "out of reach"),
    (6, 256, "free one arm by branch and bound", 25, 1, "out of reach"),
]


def instances(d, p, count):
    """The paper's random instances, and weights as it draws them, in a fixed order."""
    for number in range(count):
        rng = np.random.default_rng([d, p, number])
        instance = staircase_front(p, rng) if d == 2 else spherical_front(p, d, rng)
        weights = rng.random(p + 1)
        yield np.array(instance.means), weights / weights.sum()


def kernel_call(means, weights, what):
    """The kernel with all its arrays, as a function without arguments."""
    method = oracle.SWEEP if what.endswith("sweep") else oracle.BRANCH_AND_BOUND
    space = oracle.allocate_oracle(*means.shape, method=method)
    if what == "cells":
        return lambda: cells.cheapest_alternative_by_cells(means, weights, space)
    if what in oracle.METHODS:
        return lambda: walk.cheapest_alternative(means, weights, None, None, np.inf, space)
    # the arm at the origin, below all others, with nothing to prune with
    target, point = len(means) - 1, np.empty(means.shape[1])
    size, front = oracle.label_answer(means, None, None, space), space.front
    if what.endswith("sweep"):
        kernel, scratch = sweep.free_target_2d, space.rows
    else:
        kernel, scratch = branch_and_bound.free_target, space.search
    return lambda: kernel(means, weights, front, size, target, np.inf, point, scratch)


def measure(row, interpreted):
    """Shortest time of each instance: (kernel, public call)."""
    d, p, what, count, count_interpreted, _ = row
    kernel, public = [], []
    for means, weights in instances(d, p, count_interpreted if interpreted else count):
        call = kernel_call(means, weights, what)
        if interpreted:
            kernel.append(seconds(call))
            continue
        call()  # compiled by now
        kernel.append(seconds(call, at_least=0.01))
        if not what.startswith("free"):
            cost = lambda m=means, w=weights: transport.transport_cost(m, w, what)  # noqa: E731
            cost()
            public.append(seconds(cost, at_least=0.01))
    return kernel, public


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--interpreted", action="store_true", help=argparse.SUPPRESS)
    if parser.parse_args().interpreted:
        print(json.dumps([measure(row, interpreted=True)[0] for row in ROWS]))
        return
    interpreted = run_interpreted(Path(__file__))
    heads = ("d", "p", "what", "kernel", "(10 % - 90 %)", "public call", "plain Python", "ratio")
    line = "{:>2} {:>4}  {:<33} {:>8} {:>19} {:>12} {:>13} {:>7}  {}"
    print(line.format(*heads, "paper's program (quoted)"))
    for row, slow in zip(ROWS, interpreted, strict=True):
        kernel, public = measure(row, interpreted=False)
        ratio = np.median(np.array(slow) / kernel[: len(slow)]) if slow else None
        low, high = np.quantile(kernel, [0.1, 0.9])
        print(
            line.format(
                *row[:3],
                in_words(np.median(kernel)),
                f"({in_words(low)} - {in_words(high)})" if len(kernel) > 1 else "",
                in_words(np.median(public)) if public else "",
                in_words(np.median(slow)) if slow else "",
                f"{ratio:.0f}" if slow else "",
                row[-1],
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
