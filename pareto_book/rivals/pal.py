"""PAL: Pareto active learning with Gaussian processes (Zuluaga et al. 2013)."""

import dataclasses
from typing import Any, Literal, NamedTuple

import numpy as np

from pareto_book.rivals.gaussian_process import Hyperparameters, covariance, update
from pareto_core.checks.arguments import (
    check_choice,
    check_count,
    check_non_negative,
    check_positive,
    check_probability,
)
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part
from pareto_core.instances.instance import Problem
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.parts import Noise
from pareto_core.loop.record import Record, empty_record

UNDECIDED, OPTIMAL, DISCARDED = 0, 1, 2
EMPTY_INTERSECTIONS = ("nearest", "newest")


class PALParameters(NamedTuple):
    """Hyper-parameters as the compiled functions read them."""

    shift: float  # half of epsilon
    beta_divisor: float
    log_constant: float  # of beta: log(K d pi² / (6 delta))
    initial_samples: int
    replace: bool  # replace a rectangle by its successor if they are disjoint
    noise: np.ndarray  # (d,) variance of one reward


class PALState(NamedTuple):
    """State of one run."""

    record: Record
    mean: np.ndarray  # (d, K) posterior
    cov: np.ndarray  # (d, K, K) posterior
    lower: np.ndarray  # (K, d) worst corner of each rectangle
    upper: np.ndarray  # (K, d) best corner
    status: np.ndarray  # (K,) undecided, optimal or discarded
    latest: np.ndarray  # (1,) the arm selected last
    sums: np.ndarray  # (d,) sum of its rewards before that


@kernel
def _learn(parameters, state):
    """Condition every process on the latest reward."""
    arm = state.latest[0]
    for c in range(state.mean.shape[0]):
        reward = state.record.sums[arm, c] - state.sums[c]
        update(state.mean[c], state.cov[c], arm, 1, reward, parameters.noise[c])


@kernel
def _narrow(lower, upper, low, high, replace):
    """Intersect a rectangle with its successor; ``lower`` and ``upper`` are modified in place.

    If they are disjoint, take the successor if ``replace`` is true; otherwise, in each objective,
    the part of the rectangle closest to it.
    """
    for c in range(lower.shape[0]):
        if replace and (low[c] > upper[c] or high[c] < lower[c]):
            copy_vector(lower, low)
            copy_vector(upper, high)
            return
    for c in range(lower.shape[0]):
        old_lower, old_upper = lower[c], upper[c]
        lower[c] = min(max(low[c], old_lower), old_upper)
        upper[c] = min(max(high[c], old_lower), old_upper)


@kernel
def _narrow_all(parameters, state):
    """Narrow all rectangles by the posterior means and deviations of this step."""
    n_arms, n_objectives = state.lower.shape
    step = state.record.time[0] + 1
    beta = 2.0 * (parameters.log_constant + 2.0 * np.log(step))
    width = np.sqrt(beta) / parameters.beta_divisor
    low, high = np.empty(n_objectives), np.empty(n_objectives)
    for k in range(n_arms):
        for c in range(n_objectives):
            deviation = np.sqrt(state.cov[c, k, k])
            low[c] = state.mean[c, k] - width * deviation
            high[c] = state.mean[c, k] + width * deviation
        _narrow(state.lower[k], state.upper[k], low, high, parameters.replace)


@part
def _is_reached(corners, status, goal, arm, shift):
    """Whether the corner of another arm, plus ``shift``, reaches the arm's goal minus ``shift``."""
    for k in range(corners.shape[0]):
        if k == arm or status[k] == DISCARDED:
            continue
        for c in range(corners.shape[1]):
            if corners[k, c] + shift < goal[arm, c] - shift:
                break
        else:
            return True
    return False


@kernel
def _classify(state, shift):
    """Decide every undecided arm that can be decided; return whether all arms are decided."""
    lower, upper, status = state.lower, state.upper, state.status
    done = True
    for k in range(status.shape[0]):
        if status[k] != UNDECIDED:
            continue
        if not _is_reached(upper, status, lower, k, -shift):
            status[k] = OPTIMAL
        elif _is_reached(lower, status, upper, k, shift):
            status[k] = DISCARDED
        else:
            done = False
    return done


@kernel
def _select(parameters, state):
    """Arm whose rectangle has the longest diagonal."""
    latest, longest = -1, -1.0
    for k in range(state.status.shape[0]):
        if state.status[k] == DISCARDED:
            continue
        diagonal = 0.0
        for c in range(state.lower.shape[1]):
            diagonal += (state.upper[k, c] - state.lower[k, c]) ** 2
        if diagonal > longest:
            latest, longest = k, diagonal
    state.latest[0] = latest
    copy_vector(state.sums, state.record.sums[latest])
    return latest, 1


@kernel
def _update_decisions(parameters, state):
    """Update rectangles and decisions by the posterior; return whether all arms are decided."""
    samples = state.record.time[0]
    if samples <= parameters.initial_samples:
        state.lower[:] = -np.inf
        state.upper[:] = np.inf
    _narrow_all(parameters, state)
    if samples < parameters.initial_samples:
        return False
    return _classify(state, parameters.shift)


@kernel
def _stop(parameters, state):
    _learn(parameters, state)
    return _update_decisions(parameters, state)


@kernel
def _recommend(parameters, state, answer):
    for k in range(answer.shape[0]):
        answer[k] = state.status[k] != DISCARDED


def _as_prior(given):
    """Hyper-parameters of one objective; a file holds them as a dict of their arguments."""
    names = {field.name for field in dataclasses.fields(Hyperparameters)}
    return Hyperparameters(**given) if isinstance(given, dict) and set(given) == names else given


@dataclasses.dataclass(frozen=True)
class PAL(Algorithm):
    r"""Sample the arm whose Gaussian-process confidence rectangle is largest.

    At step t, after t - 1 samples, arm k has the rectangle
    :math:`Q_{t,k}=\prod_c[\mu^c_k\pm\sqrt{\beta_t}\,\sigma^c_k]` of its posterior, with

    .. math::
        \sqrt{\beta_t}=\sqrt{2\ln\{Kd\pi^2t^2/(6\delta)\}}\,/\,\text{beta_divisor},

    and the confidence region of its mean is :math:`R_t=R_{t-1}\cap Q_t`. Then each undecided arm,
    in the order of their numbers, is

    * *optimal* if no other arm's best corner minus epsilon/2 is at or above its worst
      corner plus epsilon/2 in all objectives;
    * otherwise *discarded* if some other arm's worst corner plus epsilon/2 is at or above its
      best corner minus epsilon/2 in all objectives.

    Arms that are discarded, including those discarded earlier in the same step, are ignored, so
    one of two equal arms stays. The next sample is of the arm with the longest diagonal
    among those not discarded, the first one on ties. The run stops when all arms are decided
    (Zuluaga, Sergent, Krause & Püschel 2013, https://proceedings.mlr.press/v28/zuluaga13.html).
    The hyper-parameters contain the variance of the noise, so instances are not whitened.

    The divisor is 1 in theory, and 5 in the configuration of the authors' program for the SW-LLVM
    data; in the oldest public copy of that program, the version for epsilon-PAL, the main script
    overrides the configuration with 3. Initial samples are of the arm with the largest
    :math:`Q_t`, and rectangles are intersected only after them; the authors' program begins with 30
    random arms. Without them and with a large divisor, the narrow rectangles of the prior may
    decide all arms at once. A rectangle that is disjoint from its successor is replaced by it
    (``"newest"``), as in the authors' program, or shrinks to its nearest side in the disjoint
    objectives (``"nearest"``), so that no rectangle ever grows.
    """

    delta: float = 0.1
    epsilon: float = 0.1
    beta_divisor: float = 5.0
    hyperparameters: tuple[Hyperparameters, ...] = ()
    initial_samples: int = 0
    empty_intersection: Literal["nearest", "newest"] = "newest"

    reads = frozenset({"features"})
    noise = Noise(is_unit=False, is_stated=True)  # by the hyper-parameters
    select = staticmethod(_select)
    stop = staticmethod(_stop)
    recommend = staticmethod(_recommend)

    def __post_init__(self):
        check_probability(self.delta, "delta")
        check_non_negative(self.epsilon, "epsilon")
        check_positive(self.beta_divisor, "beta_divisor")
        check_count(self.initial_samples, "initial_samples", at_least=0)
        check_choice(self.empty_intersection, "empty_intersection", EMPTY_INTERSECTIONS)
        given = self.hyperparameters
        found = tuple(map(_as_prior, given)) if isinstance(given, tuple | list) else (None,)
        if not all(isinstance(one, Hyperparameters) for one in found):
            raise ValueError(f"hyperparameters = {given!r}; expected a tuple of Hyperparameters")
        object.__setattr__(self, "hyperparameters", found)

    def parameters(self, problem: Problem) -> PALParameters:
        if problem.features is None:
            raise ValueError("features = None; expected a feature vector of each arm for PAL")
        if len(self.hyperparameters) != problem.n_objectives:
            raise ValueError(
                f"hyperparameters has {len(self.hyperparameters)} entries; expected "
                f"{problem.n_objectives}, one per objective"
            )
        size = problem.n_arms * problem.n_objectives
        return PALParameters(
            0.5 * self.epsilon,
            float(self.beta_divisor),
            float(np.log(size * np.pi**2 / (6 * self.delta))),
            self.initial_samples,
            self.empty_intersection == "newest",
            np.array([float(one.noise_variance) for one in self.hyperparameters]),
        )

    def start(self, problem: Problem, rng: np.random.Generator) -> PALState:
        parameters = self.parameters(problem)
        n_arms, n_objectives = problem.n_arms, problem.n_objectives
        means = [np.full(n_arms, float(one.mean)) for one in self.hyperparameters]
        state = PALState(
            empty_record(problem),
            np.array(means),
            np.array([covariance(problem.features, one) for one in self.hyperparameters]),
            np.full((n_arms, n_objectives), -np.inf),
            np.full((n_arms, n_objectives), np.inf),
            np.full(n_arms, UNDECIDED),
            np.zeros(1, np.int64),
            np.zeros(n_objectives),
        )
        _update_decisions(parameters, state)
        return state

    def estimates(self, problem: Problem, state: Any) -> np.ndarray:
        """Means of the posterior; of the prior, before the first sample."""
        return state.mean.T.copy()
