"""Functions that a reader compiles with plain `numba.njit`, and kernels that call them."""

import numba
import numpy as np
import pytest

from pareto_core.compiling.kernels import kernel

pytestmark = pytest.mark.compiled


@numba.njit
def _total(values):
    return values.sum()


@numba.njit
def _one_more(values):
    return _total(values) + 1.0


@kernel
def _of_kernel(values):
    return 2.0 * _one_more(values)


@numba.njit
def _around(values):
    return _of_kernel(values) + 1.0


@pytest.mark.filterwarnings("ignore::pareto_core.compiling.kept.KernelNotKept")
def test_they_can_be_called_from_python_afterwards():
    values = np.ones(3)
    assert _around(values) == 9.0
    assert _of_kernel(values) == 8.0
    assert _one_more(values) == 4.0
    assert _total(values) == 3.0
    assert _around(values) == 9.0
