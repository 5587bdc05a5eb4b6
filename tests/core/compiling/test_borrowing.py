import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest

from pareto_core.compiling.borrowing import borrowed
from pareto_core.compiling.kernels import kernel

compiled_only = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="the kernels are not compiled"
)


class Inner(NamedTuple):
    values: np.ndarray  # (n,)
    table: np.ndarray  # (n, 2)


class Outer(NamedTuple):
    scale: float
    inner: Inner
    flags: np.ndarray  # (n,)
    same: tuple  # of arrays of one type


def make_outer():
    return Outer(
        2.0,
        Inner(np.arange(3.0), np.arange(6.0).reshape(3, 2)),
        np.array([True, False, True]),
        (np.ones(2), np.full(2, 5.0)),
    )


@kernel
def _double(outer):
    outer = borrowed(outer)
    outer.inner.values[:] *= outer.scale
    outer.inner.table[outer.flags] += outer.same[1]
    return outer.inner.table.sum()


@kernel
def _return_it(array):
    return array


@kernel
def _return_it_borrowed(array):
    return borrowed(array)


@pytest.mark.slow
def test_reads_and_writes_the_arrays_of_the_caller():
    outer = make_outer()
    assert _double(outer) == 15 + 4 * 5
    np.testing.assert_array_equal(outer.inner.values, [0, 2, 4])
    np.testing.assert_array_equal(outer.inner.table, [[5, 6], [2, 3], [9, 10]])


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
    result = _return_it_borrowed(array)
    np.testing.assert_array_equal(result, array)
    assert result.strides == array.strides
    assert result.__array_interface__["data"][0] == array.__array_interface__["data"][0]


@compiled_only
def test_a_borrowed_array_has_no_counter_and_no_owner():
    array = np.arange(4.0)
    assert _return_it(array) is array
    result = _return_it_borrowed(array)
    assert result is not array
    assert result.base is None
    assert not result.flags.owndata


def test_the_arrays_survive_many_calls():
    outer = make_outer()
    for _ in range(1000):
        _double(outer)
        outer.inner.values[:] = 1.0
    assert outer.inner.values.base is None
    np.testing.assert_array_equal(outer.inner.values, 1.0)
    np.testing.assert_array_equal(outer.same[1], [5.0, 5.0])


class Random(NamedTuple):
    values: np.ndarray
    rng: np.random.Generator


@kernel
def _fill(state):
    state = borrowed(state)
    for i in range(state.values.shape[0]):
        state.values[i] = state.rng.standard_normal()
    return state.rng.random()


@compiled_only
def test_what_cannot_be_borrowed_is_passed_on_with_correct_counts():
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
