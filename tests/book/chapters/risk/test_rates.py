"""Error rates over delta."""

import types

import numpy as np
import pytest

from pareto_book.chapters.risk import rates
from pareto_book.records.measurements import Measurement
from pareto_book.studies.rare_errors import over_delta


def estimate(delta, ratio, effective_errors=50):
    """An error rate of a multiple of delta; its interval is a factor of two wide each way."""
    probability = ratio * delta
    return types.SimpleNamespace(
        delta=delta,
        probability=probability,
        low=probability / 2,
        high=2 * probability,
        runs=10,
        effective_errors=effective_errors,
    )


def test_few_effective_errors_give_no_number():
    assert over_delta(estimate(0.1, 3)).value == pytest.approx(3)
    assert np.isnan(over_delta(estimate(0.1, 3, effective_errors=29)).value)


def test_the_delta_to_set_is_read_off_the_curve():
    curve = [estimate(10.0**-k, 4) for k in range(1, 5)]
    found = rates.delta_for(curve, 0.01)
    assert found.value == pytest.approx(0.0025)
    assert found.interval == pytest.approx((0.00125, 0.005))


def test_a_quotient_has_the_ends_of_both_intervals():
    found = rates.quotient(Measurement(4.0, (2.0, 6.0), 5), Measurement(2.0, (1.0, 4.0), 3))
    assert found == Measurement(2.0, (0.5, 6.0), 3)
