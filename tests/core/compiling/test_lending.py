"""What kernels are lent: NamedTuples that they read by their address, and arrays."""

import ast
import pickle
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numba.core.compiler import Compiler

from pareto_core.checks.environment import PACKAGE
from pareto_core.compiling import kernels
from pareto_core.compiling.bitcode import COMPILER
from pareto_core.compiling.kernels import kernel
from pareto_core.compiling.lending import lend

pytestmark = pytest.mark.slow


class Inner(NamedTuple):
    values: np.ndarray
    number: int


class Outer(NamedTuple):
    inner: Inner
    rng: np.random.Generator
    table: np.ndarray
    shape: tuple
    scale: float


@kernel
def add(inner, amount):
    for k in range(inner.values.shape[0]):
        inner.values[k] += amount
    return inner.values


@kernel
def change(outer):
    inner = outer.inner
    values = add(inner, outer.scale * inner.number)
    first = values[:2].copy()
    outer.table[0, 1] += values.sum() + outer.shape[1]
    return first.sum() + outer.rng.random()


@kernel
def call(outer, number):
    return change(lend(outer)) + lend(number)


def example():
    values, table = np.arange(5.0), np.zeros((2, 2))
    return Outer(Inner(values, 3), np.random.default_rng(1), table, (1, 2), 0.5)


def test_a_kernel_does_the_same_with_an_address():
    outer, same = example(), example()
    assert call(outer, 1.5) == change(same) + 1.5
    np.testing.assert_array_equal(outer.inner.values, same.inner.values)
    np.testing.assert_array_equal(outer.table, same.table)
    assert outer.rng.random() == same.rng.random()


@pytest.mark.compiled
def test_nothing_is_counted_and_nothing_is_lost():
    outer = example()
    arrays = outer.inner.values, outer.table, outer.rng
    call(outer, 0.0)
    before = [sys.getrefcount(each) for each in arrays]
    for _ in range(100):
        call(outer, 0.0)
    assert [sys.getrefcount(each) for each in arrays] == before
    assert pickle.loads(pickle.dumps(outer)).scale == 0.5


def change_views(array):
    """Read and set views of a lent array, and make arrays that own their numbers."""
    table = lend(array)
    for k in range(table.shape[0]):
        row = table[k]
        row[0] += row.sum()
    table[1:3, 0] = 0.0
    table[3] = table[2]
    table[:, 1] *= 2.0
    owned = table[np.array([0, 1])]
    owned[:] = table[2:]
    copied = table.copy()
    copied[:, 1:] = table[:, 1:]
    empty = np.empty_like(table[0])
    empty[:] = owned[0] + copied[1]
    return owned, copied, empty, table[1:3, 0][1]


@pytest.mark.compiled
def test_views_are_lent_and_what_is_copied_is_owned(monkeypatch):
    compiled = kernel(change_views)
    compiled(np.zeros((4, 3)))
    monkeypatch.setitem(globals(), "lend", lambda value: value)  # in Python
    for _ in range(100):  # memory without an owner would be used again
        array, same = np.arange(12.0).reshape(4, 3), np.arange(12.0).reshape(4, 3)
        found, expected = compiled(array), change_views(same)
        for mine, numpys in zip(found, expected, strict=True):
            np.testing.assert_array_equal(mine, numpys)
        np.testing.assert_array_equal(array, same)
    counts = [[sys.getrefcount(each) for each in made[:3]] for made in (found, expected)]
    assert counts[0] == counts[1]


def doubled_sums(compiled):
    """A kernel that lends an array to another one, and that other one."""

    @compiled
    def total(values):
        return values.sum()

    @compiled
    def doubled(values):
        return 2.0 * total(lend(values))

    return doubled, total


@pytest.mark.compiled
@pytest.mark.skipif(COMPILER is Compiler, reason="this version of Numba is compiled plainly")
def test_a_kernel_that_is_lent_something_has_no_machine_code(monkeypatch):
    doubled, total = doubled_sums(kernel)
    assert doubled(np.arange(4.0)) == 12.0
    (found,) = total.overloads.values()
    assert not list(found.library.get_defined_functions())
    assert total(np.arange(4.0)) == 6.0  # from Python it is lent nothing
    monkeypatch.setitem(kernels.OPTIONS, "pipeline_class", Compiler)
    doubled, total = doubled_sums(kernel)
    assert doubled(np.arange(4.0)) == 12.0
    (found,) = total.overloads.values()
    assert list(found.library.get_defined_functions())


@kernel
def read_missing(outer):
    return lend(outer).missing


@pytest.mark.compiled
def test_a_field_that_does_not_exist_is_an_error():
    with pytest.raises(Exception, match="missing"):
        read_missing(example())


def test_addresses_are_those_of_arguments():
    for path in PACKAGE.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            own = {each.arg for each in function.args.args}
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lend":
                    assert {each.id for each in node.args} <= own, (path, function.name)
