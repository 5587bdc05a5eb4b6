"""Kernels that are called at their addresses."""

import sys
from typing import NamedTuple

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.compiling.kernels import call_at, kernel, layout, loop, own_address
from pareto_core.loop.steps import ADDRESS, compile_step

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


class Inside(NamedTuple):
    values: np.ndarray
    factor: float


class Outside(NamedTuple):
    inside: Inside
    count: np.ndarray


@loop
def scale(asked, outside, factor, results):
    """Multiply all values, and count the calls."""
    if asked == 0:
        return own_address(outside), layout(outside)
    if factor <= 0.0:
        raise ValueError("not a positive factor", factor)
    for i in range(outside.inside.values.shape[0]):
        outside.inside.values[i] *= factor * outside.inside.factor
        results[i] = outside.inside.values[i]
    outside.count[0] += 1
    return outside.count[0], outside.inside.values.shape[0]


@loop
def scale_often(address, outside, factor, results, calls):
    last = 0, 0
    for _ in range(calls):
        last = call_at(address, 1, outside, factor, results)
    return last


def make_outside(factor=2.0):
    return Outside(Inside(np.arange(1.0, 4.0), factor), np.zeros(1, np.int64))


def address_of(outside):
    return scale(0, outside, 1.0, np.empty(3))[0]


def test_a_call_at_the_address_is_a_call():
    outside, twin, results = make_outside(), make_outside(), np.empty(3)
    assert scale_often(address_of(outside), outside, 0.75, results, 5) == (5, 3)
    for k in range(5):
        assert scale(1, twin, 0.75, np.empty(3)) == (k + 1, 3)
    np.testing.assert_array_equal(outside.inside.values, twin.inside.values)
    np.testing.assert_array_equal(results, twin.inside.values)


def test_an_error_reaches_python():
    outside = make_outside()
    for _ in range(1000):
        with pytest.raises(ValueError) as found:
            scale_often(address_of(outside), outside, -0.5, np.empty(3), 1)
        assert found.value.args == ("not a positive factor", -0.5)
    assert outside.count[0] == 0


def test_no_reference_is_lost_or_kept():
    outside, results = make_outside(1.0), np.empty(3)
    address = address_of(outside)
    before = sys.getrefcount(outside.inside.values), sys.getrefcount(results)
    for _ in range(1000):
        scale_often(address, outside, 1.0, results, 3)
    assert (sys.getrefcount(outside.inside.values), sys.getrefcount(results)) == before


@kernel
def _scale_own(address, values, factor, results):
    own = Outside(Inside(values, 2.0), np.zeros(1, np.int64))
    return call_at(address, 1, own, factor, results)


def test_a_named_tuple_of_the_caller_is_lent_to_the_call():
    values = np.arange(1.0, 4.0)
    for _ in range(100):
        assert _scale_own(address_of(make_outside()), values, 0.5, np.empty(3)) == (1, 3)
    np.testing.assert_array_equal(values, np.arange(1.0, 4.0))


@kernel
def _by_position(outside):
    return own_address(outside), outside[1].shape[0]


def test_a_kernel_that_needs_counted_arrays_has_no_address():
    assert _by_position(make_outside()) == (0, 1)


def make_pair(*fields):
    """A NamedTuple of a class that is defined anew, as in a notebook."""
    return NamedTuple("Pair", [(name, int) for name in fields])(0, 1)


class Several(NamedTuple):
    pairs: tuple


class Renamed(NamedTuple):
    inside: Inside
    number: np.ndarray


@kernel
def _layout_of_both(first, second):
    return layout(first), layout(second)


@kernel
def _layout_of_counted(outside):
    return layout(outside), outside[1].shape[0]


@pytest.mark.parametrize(
    "other, equal",
    [
        (make_outside(3.0), True),
        (make_outside(3), False),
        (Renamed(*make_outside()), False),
        (Outside(make_outside().inside, np.zeros(1, np.int32)), False),
        (Outside(make_outside().inside, np.zeros((1, 1), np.int64)), False),
        (Outside(make_outside().inside, np.zeros(4, np.int64)[::2]), False),
    ],
)
def test_the_layout_tells_types_apart(other, equal):
    mine, others = _layout_of_both(make_outside(), other)
    assert (mine == others) == equal


@pytest.mark.filterwarnings("ignore::pareto_core.compiling.kept.KernelNotKept")
def test_the_layout_tells_classes_in_a_tuple_apart():
    good_first, bad_first = make_pair("good", "bad"), make_pair("bad", "good")
    first, second = Several((good_first, 3.0)), Several((bad_first, 3.0))
    mine, others = _layout_of_both(first, second)
    assert mine != others
    assert _layout_of_both(second, first) == (others, mine)


def test_the_layout_is_the_same_if_counted():
    mine = _layout_of_both(make_outside(), make_outside())[0]
    assert _layout_of_counted(make_outside())[0] == mine


class State(NamedTuple):
    unread: float | np.ndarray  # so that the fields behind it begin at different places
    start: np.ndarray
    record: pc.Record


@pc.kernel
def _in_turn(parameters, state):
    return (state.start[0] + state.record.time[0]) % state.record.counts.size


@pc.kernel
def _at_ten(parameters, state):
    return state.record.time[0] >= 10


@pc.kernel
def _at_ten_by_position(parameters, state):
    return state[2].time[0] >= 10


@pc.kernel
def _first(parameters, state, answer):
    answer[0] = True


class Changing(pc.Algorithm):
    """Its state is of another type in every other run."""

    select = staticmethod(_in_turn)
    stop = staticmethod(_at_ten)
    recommend = staticmethod(_first)

    def parameters(self, problem):
        return Inside(np.zeros(1), 1.0)

    def start(self, problem, rng):
        unread = np.zeros(2) if rng.random() < 0.5 else 0.0
        return State(unread, np.zeros(1, np.int64), pc.empty_record(problem))


class ByPosition(Changing):
    """Its state cannot be lent."""

    stop = staticmethod(_at_ten_by_position)

    def start(self, problem, rng):
        return State(0.0, np.zeros(1, np.int64), pc.empty_record(problem))


INSTANCE = pc.Instance([[0.5, 0.0], [0.0, 0.6], [-0.4, -0.3]])


@pytest.mark.parametrize("n_jobs", [1, 4])
@pytest.mark.parametrize("algorithm", [Changing(), ByPosition()], ids=["changing", "by position"])
def test_any_state_is_run(algorithm, n_jobs):
    options = {"n_jobs": n_jobs, "backend": "threads", "progress": False}
    found = pc.simulate(algorithm, INSTANCE, 200, **options)
    expected = pc.simulate(pc.UniformSampling(), INSTANCE, 200, max_samples=10, **options)
    np.testing.assert_array_equal(found.pulls, expected.pulls)
    np.testing.assert_array_equal(found.means, expected.means)
    assert found.stopped.all()
    assert found.answers[:, 0].all()


def test_a_state_that_cannot_be_lent_is_run_without_an_address():
    pc.simulate(ByPosition(), INSTANCE, 1, n_jobs=1, progress=False)
    step = compile_step(ByPosition.select, ByPosition.stop, ByPosition.recommend)
    parameters = ByPosition().parameters(INSTANCE.problem)
    state = ByPosition().start(INSTANCE.problem, None)
    assert step(ADDRESS, parameters, state, np.empty(3, bool))[0] == 0
