"""Numbers of public functions on random, tied, degenerate and badly scaled inputs, on record.

Input i is of kind i modulo 4 of `KINDS`. Each function gets the same inputs and returns arrays,
of which the record has their bits and the first number.
"""

import numpy as np
from golden.digests import bits

import pareto_core as pc
from pareto_core.confidence import thresholds

N_INPUTS = 500
COLUMNS = ("function", "bits", "numbers")
KINDS = ("random", "tied", "degenerate", "badly scaled")


class Input:
    """Means, weights, counts and noise of one input; ``rng`` draws what is left."""

    def __init__(self, number):
        self.rng = rng = np.random.default_rng([53, number])
        kind = KINDS[number % len(KINDS)]
        shape = n_arms, d = int(rng.integers(2, 9)), int(rng.integers(1, 5))
        self.means = rng.normal(size=shape)
        self.weights = rng.dirichlet(np.ones(n_arms))
        self.counts = rng.integers(2, 2000, n_arms)
        self.variance = rng.uniform(0.5, 2.0, shape)
        factors = rng.normal(size=(n_arms, d, d))
        self.covariance = factors @ factors.transpose(0, 2, 1) + 0.3 * np.eye(d)
        if kind == "tied":
            self.means = rng.integers(0, 3, shape).astype(float)
            self.counts[:] = self.counts[0]
            self.weights[:] = 1 / n_arms
        elif kind == "degenerate":
            self.means = np.outer(rng.normal(size=n_arms), rng.integers(-1, 2, d)).astype(float)
            self.means[rng.integers(n_arms)] = self.means[0]
            self.weights[rng.integers(n_arms)] = 0.0
            self.counts[rng.integers(n_arms)] = 1
        elif kind == "badly scaled":
            self.means *= 10 ** rng.uniform(-8, 8, d)
            self.weights *= 10 ** rng.uniform(-12, 0, n_arms)
            self.counts = 1 + (10 ** rng.uniform(0, 9, n_arms)).astype(int)
            self.variance *= 10 ** rng.uniform(-3, 3, d)
        self.features = np.column_stack([self.means, rng.normal(size=(n_arms, 2))])
        self.region = pc.Polyhedron(
            rng.normal(size=(d, d)), rng.uniform(0.1, 1, d) * np.abs(self.means).max()
        )
        self.samples = int(self.counts.sum())
        self.scatter = self.counts[:, None] * self.variance


def _cost(**given):
    def cost(x):
        noise = {name: getattr(x, value) for name, value in given.items() if name != "problem"}
        return pc.transport_cost(x.means, x.weights, **given | noise)[:3]

    return cost


def _separate_cost(x):
    return pc.transport_cost(x.means, x.weights[:, None] / x.variance)[:3]


def _cells(x):
    front = x.means[pc.pareto_set(x.means)]
    return *pc.transport_cost(x.means, x.weights, method="cells")[:3], pc.count_cells(front)


def _partition(x):
    labels = np.where(x.region.contains(x.means), 1, 0)
    optimal = pc.constrained_pareto_set(x.means, x.region)
    labels[optimal] = 2
    return pc.Partition(*(np.flatnonzero(labels == label) for label in (2, 1, 0)))


def _partition_cost(**given):
    def cost(x):
        noise = {name: getattr(x, value) for name, value in given.items()}
        return pc.partition_cost(x.means, x.weights, x.region, _partition(x), **noise)[:3]

    return cost


def _time(**given):
    def time(x):
        named = {
            name: getattr(x, value) if isinstance(value, str) and hasattr(x, value) else value
            for name, value in given.items()
        }
        found = pc.characteristic_time(x.means, relative_gap=0.05, **named)
        return found.time, found.weights

    return time


def _easiest(x):
    partition, found = pc.easiest_partition(x.means, x.region, relative_gap=0.05)
    return found.time, found.weights, *partition


def _evidence(rule):
    def evidence(x):
        return [np.asarray(each, float) for each in pc.proven_evidence(x.counts, x.means, rule)]

    return evidence


def _certificate(kind, *statements, **given):
    """Statements after an update, and after a second one with twice the samples."""

    def certify(x):
        region = (x.region,) if kind is pc.ConstrainedCertificate else ()
        certificate = kind(*x.means.shape, *region, **given)
        found = []
        for times in (1, 2):
            counts = times * x.counts
            unknown = "standard_deviation" in given
            certificate.update(counts, x.means, times * x.scatter if unknown else None)
            if given.get("rule", "").endswith("subsets") and times == 1:
                certificate.retire(0)
            found += [certificate.boxes, certificate.is_contradicted]
            found += [np.hstack([-1, *getattr(certificate, name)]) for name in statements]
        return found

    return certify


def _thresholds(x):
    n_arms, d = x.means.shape
    delta = 10 ** x.rng.uniform(-12, -0.1)
    return (
        thresholds.mixture_threshold(x.counts, d, delta),
        thresholds.stylised_threshold(x.samples, delta),
        thresholds._evaluated("iterated_logarithm", delta, x.samples),
        thresholds.gamma_threshold(x.samples, n_arms, d, delta),
        thresholds.rank_threshold(x.samples, n_arms, d, delta),
    )


def _geometry(x):
    return pc.gaps(x.means), pc.pareto_set(x.means), pc.best_arms(x.means)


STATEMENTS = ("optimal", "dominated", "open")
FUNCTIONS = {
    "gaps, pareto_set, best_arms": _geometry,
    "transport_cost": _cost(),
    "transport_cost, cells": _cells,
    "transport_cost, best arms": _cost(problem="best_arm_per_objective"),
    "transport_cost, region": _cost(problem="constrained_pareto_set", polyhedron="region"),
    "transport_cost, features": _cost(features="features"),
    "transport_cost, variance": _cost(variance="variance"),
    "transport_cost, covariance": _cost(covariance="covariance"),
    "transport_cost, best arms, covariance": _cost(
        problem="best_arm_per_objective", covariance="covariance"
    ),
    "transport_cost, region, covariance": _cost(
        problem="constrained_pareto_set", polyhedron="region", covariance="covariance"
    ),
    "transport_cost, separate": _separate_cost,
    "partition_cost": _partition_cost(),
    "partition_cost, covariance": _partition_cost(covariance="covariance"),
    "characteristic_time": _time(),
    "characteristic_time, best arms": _time(problem="best_arm_per_objective"),
    "characteristic_time, region": _time(problem="constrained_pareto_set", polyhedron="region"),
    "characteristic_time, features": _time(features="features"),
    "characteristic_time, covariance": _time(covariance="covariance"),
    "characteristic_time, separate": _time(separate=True),
    "easiest_partition": _easiest,
    "proven_evidence, joint": _evidence("joint"),
    "proven_evidence, pairs": _evidence("pairs"),
    "Certificate, joint": _certificate(pc.Certificate, *STATEMENTS),
    "Certificate, pairs, unknown": _certificate(
        pc.Certificate, *STATEMENTS, rule="pairs", standard_deviation="unknown, equal"
    ),
    "Certificate, epsilon": _certificate(pc.Certificate, *STATEMENTS, "near_optimal", epsilon=0.3),
    "Certificate, joint_subsets": _certificate(pc.Certificate, *STATEMENTS, rule="joint_subsets"),
    "Certificate, pairs_subsets, unknown": _certificate(
        pc.Certificate, *STATEMENTS, rule="pairs_subsets", standard_deviation="unknown"
    ),
    "ConstrainedCertificate": _certificate(
        pc.ConstrainedCertificate, *STATEMENTS, "feasible", "infeasible"
    ),
    "BestArmCertificate": _certificate(pc.BestArmCertificate, "candidates"),
    "thresholds": _thresholds,
}


def measure(name):
    """Row of a function: bits and first number for each input."""
    found = [_evaluate(name, number) for number in range(N_INPUTS)]
    return {
        "function": name,
        "bits": " ".join(bits(*arrays) for arrays in found),
        "numbers": " ".join(repr(float(arrays[0].ravel()[0])) for arrays in found),
    }


def _evaluate(name, number):
    return [np.asarray(each) for each in FUNCTIONS[name](Input(number))]
