"""Figures stop if the data contradict their alternative texts."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from pareto_book.chapters.kone2025linear import error_rates, wrong_models

NAMES = ("GEGE", "EGE-SH", "EGE-SR", "uniform")
BUDGETS = np.array([1000, 2000])


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def errs(share, runs=20):
    """Whether each run errs, in a share of the runs."""
    return (np.arange(runs) < share * runs).astype(float)


def noc_curves(gege):
    rates = dict(zip(NAMES, (gege, 0.5, 0.6, 1.0), strict=True))
    wrong = {name: [errs(rate)] * 2 for name, rate in rates.items()}
    published = {key: [0.5, 0.5] for key in ("gege", "ege_sh", "ege_sr", "uniform")}
    return error_rates.draw_noc_curves(wrong, BUDGETS, published)


def test_gege_must_have_the_lowest_error_rate():
    assert noc_curves(0.1).axes
    with pytest.raises(ValueError, match="GEGE has the lowest"):
        noc_curves(0.8)


def test_the_curve_of_gege_must_stay_level():
    def draw(last_of_gege):
        last = dict(zip(NAMES, (last_of_gege, 0.8, 0.8, 0.9), strict=True))
        wrong = {
            (family, name, size): errs(0.5 if size == 8 else last[name])
            for family in ("close", "far")
            for name in NAMES
            for size in (8, 128)
        }
        return error_rates.draw_by_arms(wrong, [8, 128], NAMES)

    assert len(draw(0.5).axes) == 2
    with pytest.raises(ValueError, match="GEGE stays level"):
        draw(0.9)


def test_gege_must_fail_where_the_front_is_not_that_of_the_fit():
    def draw(rate):
        wrong = {"GEGE": [errs(0), errs(rate)], "EGE-SH": [errs(0.5), errs(0.5)]}
        same = np.array([True, False])
        departure = wrong_models.Departure(np.array([0.0, 1.0]), 0.5, same, wrong)
        return wrong_models.draw_departures({"one": departure, "two": departure})

    assert len(draw(1.0).axes) == 2
    with pytest.raises(ValueError, match="one where the front"):
        draw(0.5)
