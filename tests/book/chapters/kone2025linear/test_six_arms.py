"""The six arms with features: the model is exact, and rounds are those of a run of GEGE."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_book.chapters.kone2025linear import six_arms
from pareto_book.chapters.kone2025linear.gap_picture import ARMS, statements


@pytest.fixture(scope="module")
def six():
    return six_arms.with_plane(pc.load_instance("six_arms"))


def test_the_means_are_linear_in_the_features(six):
    fit = six.features @ np.linalg.lstsq(six.features, six.means, rcond=None)[0]
    np.testing.assert_allclose(fit, six.means)
    assert np.linalg.matrix_rank(six.features) == 3


def test_further_arms_leave_the_smallest_gaps_as_they_are(six):
    more = six_arms.with_further_arms(six, 10)
    assert more.n_arms == 16
    np.testing.assert_allclose(np.sort(pc.gaps(more.means))[:3], np.sort(pc.gaps(six.means))[:3])
    fit = more.features @ np.linalg.lstsq(more.features, more.means, rcond=None)[0]
    np.testing.assert_allclose(fit, more.means)


def test_an_arm_off_the_plane_is_optimal(six):
    raised = six_arms.off_the_plane(six)
    assert sorted(set(raised.pareto_set) - set(six.pareto_set)) == [4]
    fit = raised.features @ np.linalg.lstsq(raised.features, raised.means, rcond=None)[0]
    assert np.abs(fit - raised.means).max() > 0.1


def test_rounds_spend_the_budget_and_lead_to_an_answer(six):
    first, second = six_arms.rounds_of_run(pc.GEGE(budget=60), six)
    assert first.active.all() and first.pulls.sum() == second.pulls.sum() == 30
    assert first.pulls[[1, 3]].tolist() == [0, 0]  # B and D lie between the corners
    assert first.staying.sum() == 2 and (second.active == first.staying).all()
    assert np.isnan(second.estimates[~second.active]).all()
    assert np.flatnonzero(second.accepted | second.staying).tolist() == [0, 1, 2]


def test_the_statements_about_figure_5_contradict_each_other():
    found = statements()
    assert [each.holds for each in found] == [True, False, True, True, True]
    assert all(each.amended for each in found)
    moved = dict(ARMS) | {"k": np.array([3.0, 2.7])}
    assert sum(each.holds for each in statements(moved)) < 4
