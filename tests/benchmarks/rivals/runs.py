"""Whole runs, against the same algorithms in VOPy: time of a sample."""

import dataclasses
import time

import numpy as np

import pareto_core as pc
from pareto_book.rivals import PaVeBa
from pareto_core.instances.generators import random_gaussian

from .contests import Contest, check_agreement

NEEDS = ("vopy",)
OBJECTIVES = 2
RUNS = 20  # of ours, for one of VOPy
QUIET = 1e-12  # variance of the noise of the runs that are compared
# radii and pairs that both have
PAVEBA = PaVeBa(delta=0.1, epsilon=1.0, variance_bound=1.0, contraction=8.0)
RACING = pc.Racing(delta=0.1, epsilon=1.0, radius="hoeffding", pairs="sum", variance_bound=1.0)
FIELD = {"PaVeBa": (PAVEBA, 8), "Racing": (RACING, 16)}  # arms


def contests(available):
    """Random Gaussian arms; ours with all that `simulate` does, theirs with their loop alone."""
    for name, (algorithm, n_arms) in FIELD.items():
        instance = random_gaussian(n_arms, OBJECTIVES, np.random.default_rng(n_arms))
        rivals = {}
        if "vopy" in available:
            check_same_run(algorithm, instance)
            rivals["vopy", ""] = lambda a=algorithm, i=instance: vopy_run(a, i, 1.0)[0]
        play = lambda a=algorithm, i=instance: our_runs(a, i, RUNS)[0]  # noqa: E731
        yield Contest(f"run, a sample of {name}", f"{n_arms} arms, d = {OBJECTIVES}", play, rivals)


def check_same_run(algorithm, instance):
    """Check that both take as many samples and answer the same where hardly any noise is."""
    quiet = dataclasses.replace(instance, variance=np.full(OBJECTIVES, QUIET))
    _, ours = our_runs(algorithm, quiet, 1)
    _, samples, answer = vopy_run(algorithm, instance, QUIET)
    found = np.append(np.isin(np.arange(instance.n_arms), answer), samples)
    check_agreement("vopy", found, np.append(ours.answers[0], ours.samples[0]), 0)


def our_runs(algorithm, instance, runs):
    """Seconds for a sample, and the runs."""
    start = time.process_time()
    found = pc.simulate(algorithm, instance, runs=runs, n_jobs=1, progress=False)
    return (time.process_time() - start) / found.samples.sum(), found


def vopy_run(algorithm, instance, variance):
    """Seconds for a sample of the algorithm's own loop, the samples and the answer."""
    from vopy.maximization_problem import ProblemFromDataset

    np.random.seed(0)  # noqa: NPY002 (VOPy draws from the global generator)
    data = vopy_data(instance)
    theirs = vopy_algorithm(algorithm, instance.n_objectives)
    theirs.problem = ProblemFromDataset(data(), variance)
    start = time.process_time()
    while not theirs.run_one_step():
        pass
    each = (time.process_time() - start) / theirs.sample_count
    return each, theirs.sample_count, sorted(theirs.P)


def vopy_data(instance):
    """The instance as VOPy knows data sets, where it looks for them: a feature tells arms apart."""
    from vopy.datasets import dataset

    class Arms(dataset.Dataset):
        _in_dim, _out_dim, _cardinality = 1, instance.n_objectives, instance.n_arms

        def __init__(self):
            # the base class would standardise the means
            self.in_data = np.linspace(0, 1, instance.n_arms)[:, None]
            self.out_data = np.array(instance.means)
            self.in_dim, self.out_dim = self._in_dim, self._out_dim

    dataset.Arms = Arms
    return Arms


def vopy_algorithm(ours, n_objectives):
    """VOPy's algorithm of the same parameters, on the data set ``Arms``."""
    from vopy.algorithms import Auer, PaVeBa
    from vopy.order import ComponentwiseOrder

    both = {"epsilon": ours.epsilon, "delta": ours.delta, "dataset_name": "Arms"}
    both["noise_var"] = ours.variance_bound
    if isinstance(ours, PaVeBa):
        order = ComponentwiseOrder(n_objectives)
        return PaVeBa(**both, order=order, conf_contraction=ours.contraction)
    return Auer(**both, conf_contraction=1)
