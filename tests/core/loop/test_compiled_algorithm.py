"""Compiled algorithms of users: error messages, and seeds."""

import random
from typing import NamedTuple

import numpy as np
import pytest
from numpy.random import randint

import pareto_core as pc
import pareto_lab as lab
from pareto_core.loop import interruption, run

INSTANCE = pc.Instance([[0.5, 0.0], [0.0, 0.6], [-0.4, -0.3]], variance=[1.0, 2.0])
pytestmark = pytest.mark.slow


class Parameters(NamedTuple):
    arm: int


class State(NamedTuple):
    record: pc.Record
    rng: np.random.Generator


@pc.kernel
def at_random(parameters, state):
    return state.rng.integers(0, 3), state.rng.integers(1, 3)


@pc.kernel
def bare_arm(parameters, state):
    return parameters.arm


@pc.kernel
def after_ten(parameters, state):
    return state.record.time[0] >= 10


@pc.kernel
def mark_any(parameters, state, answer):
    answer[state.rng.integers(0, 3)] = True


class Mine(pc.Algorithm):
    """An algorithm that is no dataclass, for one arm or for any."""

    select = staticmethod(at_random)
    stop = staticmethod(after_ten)
    recommend = staticmethod(mark_any)

    def __init__(self, arm=0):
        self.arm = arm

    def parameters(self, problem):
        return Parameters(self.arm)

    def start(self, problem, rng):
        return State(pc.empty_record(problem), rng)


def variant(**kernels):
    return type("Mine", (Mine,), {name: staticmethod(each) for name, each in kernels.items()})


@pytest.mark.parametrize(
    "algorithm",
    [pc.TrackAndStop(), pc.APE(), pc.EGE(budget=70), Mine()],
    ids=lambda a: type(a).__name__,
)
def test_pauses_change_nothing(algorithm, monkeypatch):
    def runs(most):
        request = {"runs": 5, "n_jobs": 1, "max_samples": most, "progress": False}
        return pc.simulate(algorithm, INSTANCE, **request)

    whole = [runs(most) for most in (9, 10**6)]
    pauses = []

    def pause_again(flag):
        flag[0] = interruption.PAUSE  # after each sample
        pauses.append(flag)

    monkeypatch.setattr(run, "obey", pause_again)
    for expected, found in zip(whole, [runs(most) for most in (9, 10**6)], strict=True):
        for column in ("samples", "stopped", "pulls", "means", "answers"):
            np.testing.assert_array_equal(getattr(found, column), getattr(expected, column))
    assert len(pauses) > 20


@pytest.mark.parametrize("arm", [0, 2])
def test_a_choice_without_a_number_is_one_sample(arm):
    kind = variant(select=bare_arm)
    runs = pc.simulate(kind(arm), INSTANCE, 2, n_jobs=1, progress=False)
    assert (runs.pulls[:, arm] == 10).all() and (runs.samples == 10).all()


@pytest.mark.parametrize("arm", [3, -1, 2**40])
def test_an_invalid_arm_is_refused(arm):
    kind = variant(select=bare_arm)
    with pytest.raises(ValueError, match=f"select returned arm {arm}; expected one of 0 to 2"):
        pc.simulate(kind(arm), INSTANCE, 2, n_jobs=1, progress=False)
    with pytest.raises(ValueError, match=f"select returned arm {arm}; expected one of 0 to 2"):
        lab.Session(kind(arm), 3, 2, 1.0).ask()


@pc.kernel
def no_sample(parameters, state):
    return 1, 0


@pc.kernel
def nothing(parameters, state):
    pass


@pc.kernel
def a_float(parameters, state):
    return 1.0


@pc.kernel
def a_triple(parameters, state):
    return 1, 1, 1


@pc.kernel
def shared_by_numpy(parameters, state):
    return np.random.randint(3), 1  # noqa: NPY002


@pc.kernel
def shared_by_python(parameters, state):
    return random.randrange(3), 1


@pc.kernel
def shared_by_name(parameters, state):
    return randint(3), 1  # noqa: NPY002


@pc.kernel
def shared_inside(parameters, state):
    return shared_by_numpy(parameters, state)


@pc.kernel
def answer_returned(parameters, state, answer):
    return answer


def interpreted(parameters, state):
    return 0


@pytest.mark.compiled
@pytest.mark.parametrize(
    "method, function, message",
    [
        ("select", no_sample, "select returned 0 samples of arm 1; expected at least 1"),
        ("select", nothing, "select returns none; expected an arm, or a tuple"),
        ("select", a_float, "select returns float64; expected an arm"),
        ("select", a_triple, "select returns .*; expected an arm"),
        *(
            ("select", each, "draws from np.random .* expected it to draw from the rng")
            for each in (shared_by_numpy, shared_by_python, shared_by_name, shared_inside)
        ),
        ("select", interpreted, "Mine.select = <function .* expected a kernel"),
        ("select", None, "Mine.select = None; expected a kernel"),
        ("stop", nothing, "stop returns none; expected whether to stop"),
        ("stop", a_float, "stop returns float64; expected whether to stop"),
        ("recommend", answer_returned, "recommend returns array.* expected it to write the answer"),
    ],
)
def test_a_wrong_kernel_is_refused(method, function, message):
    kind = variant(**{method: function})
    for _ in range(2):  # nor is it kept
        with pytest.raises(ValueError, match=message):
            pc.simulate(kind(), INSTANCE, 1, n_jobs=1, max_samples=1000, progress=False)


def test_a_state_without_a_record_is_refused():
    kind = type("Mine", (Mine,), {"start": lambda self, problem, rng: (problem, rng)})
    with pytest.raises(ValueError, match=r"start returned .* expected a NamedTuple whose field"):
        pc.simulate(kind(), INSTANCE, 1, n_jobs=1, progress=False)


WIDE = np.zeros((3, 4))
RECORDS = {
    "with more means": (
        lambda record: record._replace(means=np.zeros((3, 300))),
        r"means does not fit .* of float64 of shape \(3, 2\)",
    ),
    "with short counts": (
        lambda record: record._replace(counts=np.zeros(3, np.int32)),
        r"counts does not fit .* int64",
    ),
    "with strides": (
        lambda record: record._replace(means=WIDE[:, ::2]),
        r"means does not fit .* contiguous",
    ),
    "read-only": (
        lambda record: record._replace(time=np.broadcast_to(np.int64(0), (1,))),
        r"time does not fit .* writeable",
    ),
    "with a list": (lambda record: record._replace(time=[0]), "time does not fit"),
    "with one array twice": (
        lambda record: record._replace(means=record.sums),
        r"means and sums share their memory",
    ),
}


@pytest.mark.parametrize("wrong, message", RECORDS.values(), ids=RECORDS)
def test_a_record_that_does_not_fit_the_problem_is_refused(wrong, message):
    def start(self, problem, rng):
        state = Mine.start(self, problem, rng)
        return state._replace(record=wrong(state.record))

    kind = type("Mine", (Mine,), {"start": start})
    with pytest.raises(ValueError, match=rf"^start returned a record whose {message}"):
        pc.simulate(kind(), INSTANCE, 1, n_jobs=1, progress=False)
    with pytest.raises(ValueError, match=message):
        lab.Session(kind(), 3, 2, 1.0)


@pytest.mark.parametrize("missing", ["parameters", "start"])
def test_a_missing_method_is_named(missing):
    kind = type("Mine", (Mine,), {missing: getattr(pc.Algorithm, missing)})
    with pytest.raises(NotImplementedError, match=f"Mine does not define {missing}"):
        pc.simulate(kind(), INSTANCE, 1, n_jobs=1, progress=False)
