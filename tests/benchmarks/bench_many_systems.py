"""Top-two runs of many systems with and without the search of all cases; see README.md."""

import argparse
import time

import numpy as np

from pareto_book.chapters.ranking_selection.scale import systems
from pareto_core import TopTwoIDS
from pareto_core.algorithms.top_two import case_distances
from pareto_core.instances.noise import make_source
from pareto_core.loop.run import compile_run
from pareto_core.simulation.runs import run_generator

FRONTS = {3: (10, 40, None), 4: (10, None), 5: (10, None)}  # optimal systems, by objectives
SIZES = (250, 500, 1_000, 2_000)
MOMENTS = (10, 50)  # samples per system, around which a tenth of them is timed


class Run:
    """A run on an instance, with the cases kept or all searched."""

    def __init__(self, instance, few):
        self.algorithm = TopTwoIDS(delta=1e-9)
        source, draw = make_source(instance)
        kernels = self.algorithm.select, self.algorithm.stop, self.algorithm.recommend
        self.arguments = source, run_generator(0, 0)
        self.loop = compile_run(*kernels, draw)
        case_distances.FEW = few
        self.state = self.algorithm.start(instance.problem, None)
        self.parameters = self.algorithm.parameters(instance.problem)
        self.answer = self.algorithm.question.empty(*instance.means.shape)

    def until(self, samples):
        """Sample until there are so many samples; return the seconds per sample."""
        before, begin = int(self.state.record.time[0]), time.thread_time()
        self.loop(self.parameters, self.state, *self.arguments, samples, self.answer)
        return (time.thread_time() - begin) / (int(self.state.record.time[0]) - before)


def row(n_arms, d, n_front):
    """Print the times of one instance."""
    instance = systems(n_arms, d, n_front)
    runs = [Run(instance, few) for few in (1, n_arms)]
    line = f"{d:>2}{n_arms:>6}{len(instance.pareto_set):>5}"
    for moment in MOMENTS:
        first, last = round(0.95 * moment * n_arms), round(1.05 * moment * n_arms)
        times = []
        for run in runs:
            run.until(first)
            times.append(run.until(last))
        kept, every = times
        line += f"{1e6 * kept:>10.2f} µs{1e6 * every:>10.2f} µs{every / kept:>7.1f}"
    for one, other in zip(runs[0].state.record, runs[1].state.record, strict=True):
        np.testing.assert_array_equal(one, other)
    status = runs[0].state.oracle.cases.status[0]
    print(f"{line}{status['bounded'] / status['searches']:>10.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=SIZES[-1], help="largest number of systems")
    most = parser.parse_args().most
    moments = "".join(f"{'after ' + str(each) + ' K samples':>33}" for each in MOMENTS)
    print(f"{'':>13}{moments}")
    heads = f"{'kept':>13}{'all':>13}{'ratio':>7}" * len(MOMENTS)
    print(f"{'d':>2}{'K':>6}{'p':>5}{heads}{'cases':>10}")
    row(150, 3, 10)  # compiled by now
    for d, fronts in FRONTS.items():
        for n_front in fronts:
            for n_arms in SIZES:
                if n_arms <= most:
                    row(n_arms, d, n_front)


if __name__ == "__main__":
    main()
