"""The basis of the surrogate's linear program, against NumPy's inverse."""

import numpy as np
import pytest

from pareto_core.bounds.surrogate import surrogate_space, write_surrogate
from pareto_core.bounds.surrogate.basis import invert_basis


@pytest.mark.parametrize("seed", range(5))
def test_a_basis_is_inverted_from_its_rows_alone(seed):
    rng = np.random.default_rng(seed)
    space, proportions = surrogate_space(12, 4), np.empty(12)
    write_surrogate(rng.normal(size=(12, 4)), rng.dirichlet(np.ones(12)), 0.1, space, proportions)
    basis = space.basis
    size = basis.state[0]["size"]
    rows, duals = basis.rows[:size, :size].copy(), basis.duals[:size].copy()
    point = basis.point[:size].copy()
    basis.inverse[:], basis.duals[:], basis.state[0]["fresh"] = np.nan, np.nan, False
    invert_basis(basis)
    assert basis.state[0]["fresh"]
    np.testing.assert_allclose(basis.inverse[:size, :size].T, np.linalg.inv(rows), atol=1e-12)
    np.testing.assert_allclose(basis.duals[:size], duals, atol=1e-12)
    np.testing.assert_allclose(basis.point[:size], point, atol=1e-12)
