r"""Top-two sampling in a linear model, for the Pareto set and for the best arms.

The means are fitted by least squares. They converge if the samples of h arms whose features span
those of all arms grow without bound, so that only these arms are explored: `spanning_arms`. The
other arms may have no samples when the shares are computed. Therefore the shares multiply the
evidence of a sample by the target :math:`H_k` of its arm, which is positive, in place of
:math:`N_k`: both differ by at most :math:`1+\ln K`.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.algorithms.top_two.rule import make_rule, searching
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part, part_with_kernels
from pareto_core.questions import BEST_ARMS, PARETO_SET
from pareto_core.regression.design import feature_points, independent_start
from pareto_core.regression.least_squares import Fit, allocate_fit, follow_record, refresh_fit
from pareto_core.transport.linear_oracle import (
    LinearResponse,
    allocate_linear_response,
    cheapest_linear_alternative,
    cheapest_linear_confusion,
    find_linear_front,
    write_linear_alternative,
)
from pareto_core.transport.metric import write_gradient


class LinearParameters(NamedTuple):
    """What the kernels read."""

    features: np.ndarray  # (K, h) in an orthonormal basis of their span


class LinearOracle(NamedTuple):
    """Arrays of the kernels."""

    fit: Fit
    response: LinearResponse


@kernel
def _follow(features, record, fit):
    """Add the new samples to the fit; return whether the sampled arms span the features."""
    if fit.inverse[0, 0] == 0.0:  # that of a positive definite matrix is positive
        return refresh_fit(features, record.counts, record.sums, fit)
    follow_record(features, record.counts, record.sums, fit)
    return True


def cheapest(means, features, weights, upper, response):
    """Stands for the kernel of a question: the cost of the cheapest alternative to its answer."""


def find(parameters, state):
    """Cost of the cheapest alternative; 0 until the samples span the features."""
    features, fit, response = parameters.oracle.features, state.oracle.fit, state.oracle.response
    if not _follow(features, state.record, fit):
        response.found[0]["moved"] = -1
        return 0.0
    return cheapest(fit.means, features, state.weights, np.inf, response)


@part
def _write(parameters, state):
    """Write the evidence of a sample of each arm, and take its target as its weight."""
    means, response = state.oracle.fit.means, state.oracle.response
    copy_vector(state.weights, state.targets)
    if response.found[0]["moved"] < 0:
        state.shares[:] = 0.0
        return
    write_linear_alternative(means, response, state.alternative)
    write_gradient(means, state.alternative, state.shares)


@part
def _weigh(parameters, state):
    """With features, nothing is known of an arm from its own samples alone."""


@kernel
def _fitted(parameters, state):
    """Fit of all samples, from their sums; its means are 0 until the features are spanned."""
    features, record = parameters.oracle.features, state.record
    fit = allocate_fit(features.shape[0], features.shape[1], record.sums.shape[1])
    refresh_fit(features, record.counts, record.sums, fit)
    return fit


@part
def _recommend_front(parameters, state, answer):
    """Mark the Pareto set of the fitted means."""
    find_linear_front(_fitted(parameters, state).means, state.oracle.response)
    copy_vector(answer, state.oracle.response.optimal)


@part
def _recommend_best_arms(parameters, state, answer):
    """Write the arm with the largest fitted mean of each objective."""
    means = _fitted(parameters, state).means
    for c in range(means.shape[1]):
        answer[c] = means[:, c].argmax()


def spanning_arms(problem):
    """Arms with independent features that span those of all arms, each far from those before it."""
    return np.flatnonzero(independent_start(_points(problem)))


def _points(problem):
    """Features in an orthonormal basis of their span; refuses a problem without features."""
    if problem.features is None:
        raise ValueError(
            "features = None; expected a feature vector of each arm for TopTwoIDS(linear=True)"
        )
    return feature_points(problem.features)


def _parameters(stopping, problem):
    return LinearParameters(_points(problem))


def _allocate(stopping, problem):
    sizes = problem.n_arms, _points(problem).shape[1], problem.n_objectives
    return LinearOracle(allocate_fit(*sizes), allocate_linear_response(*sizes))


def _rule(cheapest, recommend):
    search = searching(part_with_kernels(find, cheapest=cheapest))
    return make_rule(search, _write, _weigh, recommend, _parameters, _allocate)


RULES = {
    PARETO_SET.name: _rule(cheapest_linear_alternative, _recommend_front),
    BEST_ARMS.name: _rule(cheapest_linear_confusion, _recommend_best_arms),
}
