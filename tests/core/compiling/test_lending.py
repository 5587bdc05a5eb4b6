"""NamedTuples that kernels read by their address."""

import ast
import pickle
import sys
from typing import NamedTuple

import numpy as np
import pytest

from pareto_core.checks.environment import PACKAGE
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


@kernel
def read_missing(outer):
    return lend(outer).missing


@pytest.mark.compiled
def test_a_field_that_does_not_exist_is_an_error():
    with pytest.raises(Exception, match="missing"):
        read_missing(example())


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def test_one_file_goes_beyond_numbas_decorators():
    inside = ("numba.core", "llvmlite")
    paths = [
        path for path in PACKAGE.rglob("*.py") if any(m.startswith(inside) for m in imports(path))
    ]
    assert [path.name for path in paths] == ["lending.py"]


def test_addresses_are_those_of_arguments():
    for path in PACKAGE.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            own = {each.arg for each in function.args.args}
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lend":
                    assert {each.id for each in node.args} <= own, (path, function.name)
