import gc
import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest

import pareto_core as pc
from pareto_core import warm_up
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.compiling.kernels import call_at, kernel
from pareto_core.compiling.lending import Lent
from pareto_core.instances.noise import make_source
from pareto_core.loop import run
from pareto_core.loop.steps import compile_step

compiled_only = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="the kernels are not compiled"
)


class Inside(NamedTuple):
    values: np.ndarray  # (n,)
    table: np.ndarray  # (n, 2)


class Outside(NamedTuple):
    scale: float
    inside: Inside
    flags: np.ndarray  # (n,)
    same: tuple  # of arrays of one type
    pair: tuple  # of a number and an array
    name: str
    nothing: None


def make_outside():
    return Outside(
        2.0,
        Inside(np.arange(3.0), np.arange(6.0).reshape(3, 2)),
        np.array([True, False, True]),
        (np.ones(2), np.full(2, 5.0)),
        (1, np.array([4.0, 4.0])),
        "five",
        None,
    )


def kinds_of(function):
    """Types for which the machine code that Python calls is compiled."""
    return [kind for result in function.overloads.values() for kind in result.fndesc.argtypes]


@kernel
def _double_values(inside, scale):
    for i in range(inside.values.shape[0]):
        inside.values[i] *= scale


@kernel
def _double(outside):
    _double_values(outside.inside, outside.scale)
    outside.inside.table[outside.flags] += outside.same[1] + outside.pair[1] - 4.0
    missing = outside.nothing is None
    return outside.inside.table.sum() + len(outside.name) + outside.pair[0] + missing


@pytest.mark.slow
def test_reads_and_writes_the_arrays_of_the_caller():
    outside = make_outside()
    assert _double(outside) == 15 + 4 * 5 + 4 + 1 + 1
    np.testing.assert_array_equal(outside.inside.values, [0, 2, 4])
    np.testing.assert_array_equal(outside.inside.table, [[5, 6], [2, 3], [9, 10]])


@compiled_only
def test_a_kernel_is_lent_its_namedtuples():
    _double(make_outside())
    assert all(isinstance(kind, Lent) for kind in kinds_of(_double))


class Holder(NamedTuple):
    array: np.ndarray


@kernel
def _describe(holder):
    array = holder.array
    return array.shape, array.strides, array.ctypes.data, array.size, array.itemsize


@pytest.mark.parametrize(
    "array",
    [
        np.arange(4.0),
        np.arange(12).reshape(3, 4)[:, ::2],
        np.asfortranarray(np.ones((2, 3))),
        np.zeros((0, 2), np.bool_),
        np.broadcast_to(np.array([1.5]), (3, 2)),  # read-only
    ],
)
def test_shape_strides_and_data_stay(array):
    expected = array.shape, array.strides, array.ctypes.data, array.size, array.itemsize
    assert _describe(Holder(array)) == expected


@kernel
def _array_of(holder):
    return holder.array


@kernel
def _make_array(n):
    return _array_of(Holder(np.full(n, 7.0)))


@kernel
def _own_of(holder):
    return _array_of(holder), holder.array.shape[0]


@pytest.mark.slow
def test_a_returned_array_keeps_its_memory():
    array = np.arange(4.0)
    assert _array_of(Holder(array)) is array
    assert _own_of(Holder(array))[0] is array
    made = [_make_array(n) for n in range(1, 200)]
    gc.collect()
    for n, each in enumerate(made, 1):
        np.testing.assert_array_equal(each, np.full(n, 7.0))


@kernel
def _inside_of(outside):
    return outside.inside


@kernel
def _sum_through_another(outside):
    inside = _inside_of(outside)
    return inside.values.sum()


def test_a_namedtuple_in_a_namedtuple_can_be_returned():
    outside = make_outside()
    found = _inside_of(outside)
    assert found.values is outside.inside.values
    assert _sum_through_another(outside) == 3.0


@kernel
def _fill_own(n):
    own = Inside(np.empty(n), np.ones((n, 2)))
    for i in range(n):
        own.values[i] = i
    _double_values(own, 3.0)
    two = np.ones(2)
    mixed = Outside(1.0, own, np.ones(n) > 0.0, (two, two), (1, two), "six", None)
    _double_values(mixed.inside, 2.0)
    return _double(mixed), own.values


def test_a_kernel_lends_what_it_has_made():
    for n in (3, 50):
        own = Inside(6.0 * np.arange(n), np.ones((n, 2)))
        assert np.array_equal(_fill_own(n)[1], own.values)


@kernel
def _unpack(inside):
    values, table = inside
    return values.sum() + table.sum() + len(inside)


@kernel
def _unpack_another(outside):
    return _unpack(outside.inside)


def test_other_uses_of_a_namedtuple_are_compiled_without_lending():
    inside = Inside(np.ones(3), np.ones((3, 2)))
    assert _unpack(inside) == 3 + 6 + 2
    assert _unpack_another(make_outside()._replace(inside=inside)) == 3 + 6 + 2


@kernel
def _values_in_turn(inside):
    for i in range(inside.values.shape[0]):
        yield inside.values[i]


@kernel
def _sum_in_turn(n):
    total = 0.0
    inside = Inside(np.full(n, 1.0), np.ones((n, 2)))
    for value in _values_in_turn(inside):
        total += value
        inside = Inside(inside.values + 1.0, inside.table)
        total += np.full(n, -5.0)[0] + 5.0
    return total


def test_a_generator_keeps_what_it_reads():
    assert _sum_in_turn(1000) == 1000.0
    assert list(_values_in_turn(Inside(np.arange(3.0), np.ones((3, 2))))) == [0.0, 1.0, 2.0]


@kernel
def _put(inside, found):
    found.append(inside.values)


@kernel
def _list_of_own(n):
    found = [np.zeros(n)]
    own = Inside(np.full(n, 2.0), np.ones((n, 2)))
    _put(own, found)
    return found[1]


@pytest.mark.slow
@compiled_only
def test_an_array_in_a_list_keeps_its_memory():
    found = numba.typed.List.empty_list(numba.types.float64[::1])
    _put(Inside(np.full(1000, 3.0), np.ones((1000, 2))), found)
    own = _list_of_own(1000)
    others = [np.full(1000, -1.0) for _ in range(50)]
    assert (found[0] == 3.0).all()
    assert (own == 2.0).all()
    assert len(others) == 50


@kernel
def _it_or_nothing(inside, wanted):
    return inside if wanted else None


@kernel
def _first_of_own(wanted):
    inside = Inside(np.full(1000, 1.0), np.ones((1000, 2)))
    found = _it_or_nothing(inside, wanted)
    inside = Inside(np.full(1000, -5.0), np.ones((1000, 2)))
    return 0.0 if found is None else found.values[500]


def test_an_optional_namedtuple_keeps_its_memory():
    inside = Inside(np.arange(3.0), np.ones((3, 2)))
    assert _it_or_nothing(inside, True).values is inside.values
    assert _it_or_nothing(inside, False) is None
    assert _first_of_own(True) == 1.0


@kernel
def _sum_again(inside, n):
    if n == 0:
        return inside.values[0]
    return _sum_again(Inside(inside.values + 1.0, inside.table), n - 1)


def test_a_kernel_that_calls_itself():
    assert _sum_again(Inside(np.ones(3), np.ones((3, 2))), 3) == 4.0


class Numbers(NamedTuple):
    first: int
    second: int


@kernel
def _is_itself(numbers):
    other = numbers
    return other is numbers


@compiled_only
def test_identity_is_that_of_the_namedtuple():
    assert _is_itself(Numbers(1, 2))


@kernel
def _print(numbers):
    print(numbers)


@compiled_only
def test_a_namedtuple_can_be_printed(capfd):
    _print(Numbers(1, 2))
    assert capfd.readouterr().out.strip() == "Numbers(first=1, second=2)"


@kernel
def _misspelt(inside):
    return inside.valeus.sum()


@compiled_only
def test_an_unknown_field_is_a_typing_error():
    with pytest.raises(numba.errors.TypingError, match="valeus"):
        _misspelt(Inside(np.ones(3), np.ones((3, 2))))


def test_the_arrays_survive_many_calls():
    outside = make_outside()
    _double(outside)
    before = sys.getrefcount(outside.inside.values), sys.getrefcount(outside.same[1])
    for _ in range(1000):
        _double(outside)
        outside.inside.values[:] = 1.0
    after = sys.getrefcount(outside.inside.values), sys.getrefcount(outside.same[1])
    assert after == before
    np.testing.assert_array_equal(outside.inside.values, 1.0)
    np.testing.assert_array_equal(outside.same[1], [5.0, 5.0])


class Random(NamedTuple):
    values: np.ndarray
    rng: np.random.Generator


@kernel
def _fill(state):
    for i in range(state.values.shape[0]):
        state.values[i] = state.rng.standard_normal()
    return state.rng.random()


@compiled_only
def test_what_cannot_be_lent_is_passed_on_with_correct_counts():
    rng, twin = np.random.default_rng(1), np.random.default_rng(1)
    state = Random(np.empty(3), rng)
    _fill(state)
    before = sys.getrefcount(rng), sys.getrefcount(rng.bit_generator)
    for _ in range(2000):
        last = _fill(state)
    assert (sys.getrefcount(rng), sys.getrefcount(rng.bit_generator)) == before
    for _ in range(2001):
        expected = twin.standard_normal(3), twin.random()
    np.testing.assert_array_equal(state.values, expected[0])
    assert last == expected[1]


@compiled_only
def test_every_algorithm_is_lent_its_state():
    for name, kind in algorithms_by_name().items():
        if name in warm_up.SELDOM:
            continue
        algorithm = kind(**warm_up.SETTINGS.get(name, {}))
        instance = warm_up.BOUNDED if algorithm.uses_polyhedron else warm_up.LINEAR
        pc.simulate(algorithm, instance, 1, n_jobs=1, max_samples=5, progress=False)
        step = compile_step(algorithm.select, algorithm.stop, algorithm.recommend)
        assert [isinstance(each, Lent) for each in kinds_of(step)[1:3]] == [True] * 2, name
        loop = run._compile_loop(call_at, make_source(instance)[1])
        arguments = kinds_of(loop)[2:5]  # parameters, state and source
        assert [isinstance(each, Lent) for each in arguments] == [True] * 3, name
