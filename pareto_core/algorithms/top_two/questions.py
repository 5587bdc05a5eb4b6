"""The questions of top-two sampling: what the rule reads of each, and how it may stop.

A question finds the cheapest alternative, writes its evidence, and recommends an answer. The Pareto
sets and the partition label the arms (`moves`), the best arms do not. If each objective of an arm
is measured by itself, the record has one row for each arm and objective, see `unfolding`: the same
kernels read it folded, and their evidence is unfolded. A proof stops a run whatever is sampled; for
the Pareto set, sampling is aimed at what the proof lacks. Known noise enters the cost of the
alternatives and the proofs.

Several partitions may be valid. The rule samples for the one that is the easiest to verify at the
empirical means. It is expensive to find, and is found anew whenever the number of samples has
doubled. In between, an arm whose label becomes invalid gets its only valid label.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pareto_core.algorithms.best_arms.best_arm_evidence import PROVEN as PROVEN_LEADS
from pareto_core.algorithms.best_arms.best_arm_evidence import (
    best_arm_evidence_parameters,
    leads_are_proven,
)
from pareto_core.algorithms.constrained.proven_labels import (
    allocate_partition_proof,
    labels_are_proven,
    partition_proof,
)
from pareto_core.algorithms.proven_stopping import (
    PROVEN,
    Proven,
    is_proven,
    is_time_to_look,
    units_of_noise,
)
from pareto_core.algorithms.top_two.easiest_partition import (
    PartitionSearch,
    allocate_partition_search,
    write_easiest_partition,
    write_labels,
)
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, testing
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part, part_with_kernels, with_kernels
from pareto_core.confidence.proven_rules import (
    JOINT,
    PAIRS,
    Work,
    allocate_work,
    least_evidence,
    make_rule,
)
from pareto_core.confidence.proven_rules import Rule as ProvenRule
from pareto_core.geometry.polyhedron import check_polyhedron
from pareto_core.questions import (
    BEST_ARMS,
    CONSTRAINED_PARETO_SET,
    INFEASIBLE,
    OPTIMAL,
    PARETO_SET,
    PARTITION,
)
from pareto_core.transport.best_arms import cheapest_confusion, write_confusion
from pareto_core.transport.metric import KnownNoise, Region, noise_of, region_of, write_prices
from pareto_core.transport.moves import add, remove, write_move
from pareto_core.transport.oracle import (
    Oracle,
    allocate_oracle,
    label_answer,
    label_partition,
    oracle_of,
)
from pareto_core.transport.walk import cheapest_alternative, cheapest_move

# Values of ``threshold`` that select a proven rule, and the rule, for each question
PROOFS = {
    PARETO_SET.name: PROVEN,
    CONSTRAINED_PARETO_SET.name: PROVEN,
    PARTITION.name: PROVEN,
    BEST_ARMS.name: {PROVEN_LEADS: PAIRS},
}
SEPARATE = next(name for name, rule in PROVEN.items() if rule == JOINT)  # its proven rule
SEPARATE_PROOFS = {PARETO_SET.name: {SEPARATE: JOINT}, BEST_ARMS.name: {PROVEN_LEADS: PAIRS}}
GROWTH = 2  # factor by which the samples grow between two searches for the easiest partition
FEWEST_STEPS = 100  # of such a search; it takes sqrt(t) steps if that is more
CONFUSION = np.dtype(
    [("objective", np.int64), ("best", np.int64), ("challenger", np.int64)], align=True
)


class Question(NamedTuple):
    """What the kernels read."""

    noise: KnownNoise | None
    region: Region | None
    proof: Any  # parameters of the proven rule, or None


class Answering(NamedTuple):
    """Arrays of the kernels."""

    search: Oracle
    proof: Any  # arrays of the proven rule, or None
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one


class Partitioning(NamedTuple):
    """Arrays of the kernels for a partition."""

    search: Oracle
    proof: Any
    times: np.ndarray
    labels: np.ndarray  # (K,) the partition to verify
    preferred: np.ndarray  # (K,) labels of the easiest partition at the last search
    due: np.ndarray  # (1,) number of samples at the next search
    easiest: PartitionSearch


class UnitsOfNoise(NamedTuple):
    """A proven rule, and the units of the data."""

    rule: ProvenRule
    unit: np.ndarray  # (d,) a typical standard deviation of each objective
    variance: np.ndarray  # (K, d) of the noise, in these units


class Leading(NamedTuple):
    """Arrays of the kernels for best arms."""

    found: np.ndarray  # (1,) CONFUSION: the cheapest alternative
    information: np.ndarray  # (K, d) samples, divided by the variance of the noise in units
    means: np.ndarray  # (K, d) in units
    alternative: np.ndarray  # (K, d)
    gradient: np.ndarray  # (K, d)


class SeparateProof(NamedTuple):
    """Arrays of the proven rule for separate measurements."""

    work: Work


class Separate(NamedTuple):
    """Arrays of the kernels for the Pareto set of separate measurements."""

    search: Oracle
    proof: SeparateProof
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one
    information: np.ndarray  # (K, d) samples, divided by the variance of the noise in units
    means: np.ndarray  # (K, d) in units
    alternative: np.ndarray  # (K, d)
    gradient: np.ndarray  # (K, d)


# Joint samples, or separate measurements


def sampled(parameters, state):
    """Stands for `_jointly` or `_separately`.

    Means, samples and noise of the arms, and where to write an alternative and its evidence.
    """


def unfold(parameters, state):
    """Stands for `_nothing` or `_unfold`: write the evidence of each sample."""


@part
def _jointly(parameters, state):
    """What the record contains."""
    means, noise = state.record.means, parameters.oracle.noise
    return means, state.weights, noise, state.alternative, state.shares


@part
def _nothing(parameters, state):
    """The evidence is written where it is read."""


@kernel
def _write_in_units(parameters, oracle, counts, means):
    """Write the information and the means of each arm and objective, in units of the noise.

    ``counts`` and ``means`` have one entry for each arm and objective.
    """
    proof = parameters.oracle.proof
    n_arms, n_objectives = oracle.means.shape
    for k in range(n_arms):
        for c in range(n_objectives):
            row = k * n_objectives + c
            oracle.means[k, c] = means[row] / proof.unit[c]
            oracle.information[k, c] = counts[row] / proof.variance[k, c]


@part
def _separately(parameters, state):
    """The record, folded."""
    oracle = state.oracle
    _write_in_units(parameters, oracle, state.weights, state.record.means.reshape(-1))
    return oracle.means, oracle.information, None, oracle.alternative, oracle.gradient


@kernel
def _unfold(parameters, state):
    """Write the evidence of a measurement of each arm and objective."""
    oracle, variance = state.oracle, parameters.oracle.proof.variance
    n_arms, n_objectives = oracle.means.shape
    for k in range(n_arms):
        for c in range(n_objectives):
            state.shares[k * n_objectives + c] = oracle.gradient[k, c] / variance[k, c]


# Pareto sets


def find(parameters, state):
    """Cost of the cheapest alternative."""
    means, weights, noise, _, _ = sampled(parameters, state)
    region, search = parameters.oracle.region, state.oracle.search
    return cheapest_alternative(means, weights, noise, region, np.inf, search)


def find_lacking(parameters, state):
    """Cost of the cheapest alternative among those that the proof lacked evidence against."""
    means, weights, noise, _, _ = sampled(parameters, state)
    search, weakest = state.oracle.search, state.oracle.proof.work.weakest
    return _find_lacking(means, weights, noise, weakest, search)


@part
def _find_lacking(means, weights, noise, weakest, search):
    """Cost of the cheapest alternative against which the pair ``weakest`` lacks evidence."""
    arm, rival = weakest[0], weakest[1]
    label_answer(means, None, None, search)
    if arm < 0 or (search.labels[arm] == OPTIMAL) != (rival >= 0):
        return cheapest_move(means, weights, noise, None, np.inf, search)
    write_prices(weights, noise, search.prices)
    if rival < 0:
        return add(means, weights, noise, arm, np.inf, search)
    return remove(means, weights, noise, arm, rival, np.inf, search)


def write(parameters, state):
    """Write the evidence of a sample of each arm against the alternative found."""
    means, weights, noise, alternative, evidence = sampled(parameters, state)
    write_move(means, weights, noise, state.oracle.search, alternative, evidence)
    unfold(parameters, state)


def label(parameters, state):
    """Label the empirical answer."""
    means, _, noise, _, _ = sampled(parameters, state)
    label_answer(means, noise, parameters.oracle.region, state.oracle.search)


def recommend(parameters, state, answer):
    """Mark the Pareto set of the empirical means, among the feasible ones."""
    label(parameters, state)
    labels = state.oracle.search.labels
    for k in range(answer.shape[0]):
        answer[k] = labels[k] == OPTIMAL


@part
def _stop_when_proven(parameters, state):
    return is_proven(parameters.oracle.proof, state.oracle.proof, state.record)


@kernel
def _is_due(parameters, state):
    """Whether to test now: the samples have grown by half a per cent, and by ``check_every``."""
    record = state.record
    is_time = is_time_to_look(parameters.test.check_every, state.oracle.times, record.time[0])
    return is_time and record.observed.min() > 0


_label = with_kernels(label, sampled=_jointly)


@part
def _stop_when_labels_are_proven(parameters, state):
    record, proof = state.record, parameters.oracle.proof
    if not _is_due(parameters, state):
        return False
    _label(parameters, state)
    labels = state.oracle.search.labels
    return labels_are_proven(proof, record.observed, record.means, labels, state.oracle.proof)


@part
def _stop_when_proven_separately(parameters, state):
    """As `proven_stopping.is_proven`, with own counts of each arm and objective."""
    record, oracle, rule = state.record, state.oracle, parameters.oracle.proof.rule
    if not _is_due(parameters, state):
        return False
    _write_in_units(parameters, oracle, record.counts, record.means.reshape(-1))
    size, work = label_answer(oracle.means, None, None, oracle.search), oracle.proof.work
    copy_vector(work.front, oracle.search.front)
    for k in range(work.optimal.shape[0]):
        work.optimal[k] = oracle.search.labels[k] == OPTIMAL
    needed = rule.log_needed
    found = least_evidence(rule, oracle.information, oracle.means, 0, size, needed, work)
    return found >= needed


def _checked_region(problem):
    """Region of a problem; refuses a problem without a polyhedron."""
    return region_of(check_polyhedron(problem.polyhedron, problem.n_objectives))


def _question(stopping, problem):
    """What the kernels read, with the parameters of a proven rule."""
    proof = stopping.parameters(problem) if isinstance(stopping, Proven) else None
    return Question(noise_of(problem), None, proof)


def _question_in_region(stopping, problem):
    """As `_question`, with a region."""
    region, proof = _checked_region(problem), None
    if isinstance(stopping, Proven):
        units = units_of_noise(stopping.rule, problem)
        proof = partition_proof(stopping.rule, stopping.delta, *units)
    return Question(noise_of(problem), region, proof)


def _separate_question(stopping, problem):
    """As `_question`, for separate measurements."""
    rule = make_rule(JOINT, -np.log(stopping.delta), problem.n_arms)
    return Question(None, None, UnitsOfNoise(rule, *units_of_noise(PAIRS, problem)))


def _answering(stopping, problem):
    """Allocate the arrays, with those of a proven rule."""
    if not isinstance(stopping, Proven):
        return Answering(oracle_of(problem), None, np.zeros(2, np.int64))
    proof = stopping.allocate(problem)
    return Answering(proof.oracle, proof, proof.times)


def _answering_in_region(stopping, problem):
    """As `_answering`, with a region."""
    search, work = oracle_of(problem, _checked_region(problem)), None
    if isinstance(stopping, Proven):
        work = allocate_partition_proof(problem.polyhedron, *units_of_noise(stopping.rule, problem))
    return Answering(search, work, np.zeros(2, np.int64))


def _separate(stopping, problem):
    """As `_answering`, for separate measurements."""
    shape = (problem.n_arms, problem.n_objectives)
    return Separate(
        allocate_oracle(*shape, separate=True),
        SeparateProof(allocate_work(*shape)),
        np.zeros(2, np.int64),
        *(np.zeros(shape) for _ in range(4)),
    )


# Partitions


@kernel
def _update_partition(parameters, state):
    """Write the labels of the partition to verify."""
    question, oracle, means = parameters.oracle, state.oracle, state.record.means
    noise, region, samples = question.noise, question.region, state.record.time[0]
    if samples >= oracle.due[0]:
        steps = max(FEWEST_STEPS, int(np.sqrt(samples)))
        write_easiest_partition(
            means, noise, region, state.costs, steps, oracle.easiest, oracle.preferred
        )
        oracle.due[0] = GROWTH * samples
    write_labels(means, noise, region, oracle.preferred, oracle.search, oracle.labels)


@part
def _find_refutation(parameters, state):
    """Cost of the cheapest alternative that refutes the partition."""
    means, noise, region = state.record.means, parameters.oracle.noise, parameters.oracle.region
    search = state.oracle.search
    _update_partition(parameters, state)
    label_partition(means, noise, region, state.oracle.labels, search)
    return cheapest_move(means, state.weights, noise, region, np.inf, search)


@part
def _recommend_partition(parameters, state, answer):
    """Write the partition of the empirical means that the rule verifies."""
    question, oracle = parameters.oracle, state.oracle
    means, noise, region = state.record.means, question.noise, question.region
    write_labels(means, noise, region, oracle.preferred, oracle.search, answer)


@part
def _stop_when_partition_is_proven(parameters, state):
    record, oracle, proof = state.record, state.oracle, parameters.oracle.proof
    if not _is_due(parameters, state):
        return False
    _update_partition(parameters, state)
    return labels_are_proven(proof, record.observed, record.means, oracle.labels, oracle.proof)


def _partitioning(stopping, problem):
    """As `_answering_in_region`, for a partition."""
    return Partitioning(
        *_answering_in_region(stopping, problem),
        np.full(problem.n_arms, INFEASIBLE),
        np.full(problem.n_arms, INFEASIBLE),
        np.zeros(1, np.int64),
        allocate_partition_search(problem, _checked_region(problem)),
    )


# Best arms


def find_confusion(parameters, state):
    """Cost of the cheapest confusion of two arms in an objective, which is recorded."""
    means, weights, noise, _, _ = sampled(parameters, state)
    found = state.oracle.found[0]
    cost, objective, best, challenger = cheapest_confusion(means, weights, noise)
    found["objective"], found["best"], found["challenger"] = objective, best, challenger
    return cost


def write_evidence(parameters, state):
    """Write the evidence of a sample of each arm against the confusion found."""
    means, weights, noise, alternative, evidence = sampled(parameters, state)
    found = state.oracle.found[0]
    confusion = found["objective"], found["best"], found["challenger"]
    write_confusion(means, weights, noise, confusion, alternative, evidence)
    unfold(parameters, state)


def search_confusion(parameters, state):
    """Stands for the search of `find_confusion`."""


def stop_when_leads_are_proven(parameters, state):
    """Test whether the answer is proven, at multiples of ``check_every`` (appendix, Theorem 6).

    The evidence is at most the cost of the cheapest confusion, which is faster to compute.
    """
    record, oracle, rule = state.record, state.oracle, parameters.oracle.proof.rule
    if record.time[0] % parameters.test.check_every != 0 or record.observed.min() == 0:
        return False
    if search_confusion(parameters, state) < rule.log_needed:
        return False
    _write_in_units(parameters, oracle, record.observed.reshape(-1), record.means.reshape(-1))
    return leads_are_proven(rule, oracle.information, oracle.means)


def recommend_best_arms(parameters, state, answer):
    """Write the empirically best arm of each objective."""
    means, _, _, _, _ = sampled(parameters, state)
    for c in range(answer.shape[0]):
        answer[c] = means[:, c].argmax()


def _proven_leads(delta, problem):
    rule = best_arm_evidence_parameters(Proven(PAIRS, delta), problem).rule
    return UnitsOfNoise(rule, *units_of_noise(PAIRS, problem))


def _leading_question(stopping, problem):
    has_proof = isinstance(stopping, Proven)
    proof = _proven_leads(stopping.delta, problem) if has_proof else None
    return Question(noise_of(problem), None, proof)


def _separate_leading_question(stopping, problem):
    return Question(None, None, _proven_leads(stopping.delta, problem))


def _leading(stopping, problem):
    shape = (problem.n_arms, problem.n_objectives)
    return Leading(np.zeros(1, CONFUSION), *(np.zeros(shape) for _ in range(4)))


# Rules


class Kernels(NamedTuple):
    """Kernels of a question."""

    search: Callable
    write: Callable
    recommend: Callable
    stop: Callable  # once the answer is proven
    aim: Callable  # search for what a proof lacks


def _rules(kernels, parameters, allocate):
    """The rules that compare the cost with a threshold, and that stop by a proof."""
    search, write, recommend, stop, aim = kernels
    rest = recommend, parameters, allocate
    return {
        False: Rule(selection(search, write), testing(search), *rest),
        True: Rule(selection(aim, write), stop, *rest),
    }


def _kernels_of_pareto_set(sampled, unfold, stop):
    data = {"sampled": sampled}
    return Kernels(
        searching(part_with_kernels(find, **data)),
        part_with_kernels(write, **data, unfold=unfold),
        part_with_kernels(recommend, label=with_kernels(label, **data)),
        stop,
        searching(part_with_kernels(find_lacking, **data)),
    )


def _kernels_of_best_arms(sampled, unfold):
    search = searching(part_with_kernels(find_confusion, sampled=sampled))
    return Kernels(
        search,
        part_with_kernels(write_evidence, sampled=sampled, unfold=unfold),
        part_with_kernels(recommend_best_arms, sampled=sampled),
        part_with_kernels(stop_when_leads_are_proven, search_confusion=search),
        search,
    )


_JOINT = _kernels_of_pareto_set(_jointly, _nothing, _stop_when_proven)
_IN_REGION = _JOINT._replace(stop=_stop_when_labels_are_proven, aim=_JOINT.search)
_search_refutation = searching(_find_refutation)
_PARTITION = Kernels(
    _search_refutation,
    _JOINT.write,
    _recommend_partition,
    _stop_when_partition_is_proven,
    _search_refutation,
)
_SEPARATE = _kernels_of_pareto_set(_separately, _unfold, _stop_when_proven_separately)
_LEADS = _kernels_of_best_arms(_jointly, _nothing)
_SEPARATE_LEADS = _kernels_of_best_arms(_separately, _unfold)
RULES = {  # by question, and by whether a proof stops the run
    PARETO_SET.name: _rules(_JOINT, _question, _answering),
    CONSTRAINED_PARETO_SET.name: _rules(_IN_REGION, _question_in_region, _answering_in_region),
    PARTITION.name: _rules(_PARTITION, _question_in_region, _partitioning),
    BEST_ARMS.name: _rules(_LEADS, _leading_question, _leading),
}
SEPARATE_RULES = {
    PARETO_SET.name: _rules(_SEPARATE, _separate_question, _separate),
    BEST_ARMS.name: _rules(_SEPARATE_LEADS, _separate_leading_question, _leading),
}
