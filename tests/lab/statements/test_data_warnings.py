"""Warnings about the data: stated noise that the rewards refute, and too few samples."""

import numpy as np
import pytest
from references.sessions import CHEAP

import pareto_core as pc
import pareto_lab as lab
from pareto_core.confidence.noise_kinds import EQUAL, UNKNOWN

REFUTED = "The stated noise is refuted"


def told(rewards, algorithm=CHEAP, **settings):
    """A session of two arms and one objective with these rewards."""
    session = lab.Session(algorithm, 2, 1, **settings)
    arms = np.repeat([0, 1], [len(each) for each in rewards])
    session.tell_all({"arm": arms, 0: np.concatenate(rewards)})
    return session


def test_hardly_tested_noise_is_reported():
    for number, gain, is_warning in ((3, 0.0, False), (3, 1e3, True), (6, 1e3, True)):
        session = lab.Session(pc.UniformSampling(budget=10**6), 3, 2, 1.0)
        session.tell_all(
            {"arm": np.arange(number) % 3, 0: gain * (np.arange(number) % 3), 1: np.zeros(number)}
        )
        (remark,) = session.status().remarks
        assert "hardly tested" in remark.text
        assert remark.is_warning == is_warning
    session.tell_all({"arm": [0, 1, 2], 0: [0.1, 1e3, 2e3], 1: [0.1, 0.1, 0.1]})
    assert session.status().remarks == []


def test_status_and_report_begin_with_the_refutation_in_red(tmp_path):
    session, _ = three_equal_arms(300.0, 30)
    status = session.status()
    assert str(status).startswith(f"WARNING. {REFUTED}")
    red = '<p style="color: #c62828; font-weight: bold">'
    assert status._repr_html_().startswith(f"{red}{REFUTED}")
    (remark,) = status.remarks
    for words in ("objective 0", "probability 0.001", "'unknown'"):
        assert words in remark.text
    session.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    warning = page.index('<p class="alert" role="alert">')
    assert REFUTED in page[warning : warning + 200]
    assert warning < page.index("Empirical answer") < page.index("What is certain")


def test_each_arm_has_its_own_standard_deviation():
    rng = np.random.default_rng(2)
    rewards = rng.standard_normal((2, 40)) * [[1.0], [50.0]]
    in_turn = pc.UniformSampling(budget=12)
    right = told(rewards, in_turn, standard_deviation=[[1.0], [50.0]]).status().variance_test
    wrong = told(rewards, in_turn, standard_deviation=[[50.0], [1.0]]).status().variance_test
    assert not right.is_refuted.any()
    assert right.ratios == pytest.approx(1.0, abs=0.2)
    assert wrong.arms.tolist() == [1]
    assert wrong.is_refuted.all()


def test_waiting_rewards_are_tested_and_replaced_ones_are_not():
    session = told([[0.0, 0.1, 900.0], [0.2]], pc.UniformSampling(), standard_deviation=1.0)
    assert session.waiting.sum() > 0
    assert session.status().variance_test.is_refuted.all()
    session.withdraw(0, [900.0], instead=[0.3])
    assert not session.status().variance_test.is_refuted.any()


def three_equal_arms(deviation, number=60):
    session = lab.Session(pc.UniformSampling(budget=10**6), 3, 1, 1.0)
    rewards = deviation * np.random.default_rng(0).standard_normal(number)
    tubes = np.arange(number)
    session.tell_all({"arm": tubes % 3, 0: rewards, "tube": tubes}, id="tube")
    return session, rewards


def test_withdrawing_the_largest_rewards_does_not_hide_the_noise():
    session, rewards = three_equal_arms(3.0)
    for k in np.argsort(-np.abs(rewards))[:30]:
        session.withdraw(int(k % 3), [rewards[k]])
    status = session.status()
    assert (status.withdrawn, status.unreplaced) == (30, 30)
    refuted, withdrawn = status.remarks
    assert REFUTED in refuted.text and "mislabelled tube" in refuted.text
    assert withdrawn.is_warning
    assert session.samples + session.waiting.sum() == status.samples.sum() == 30  # others count


@pytest.mark.parametrize(("number", "is_warning"), [(6, False), (7, True)])
def test_the_status_states_how_many_rewards_were_withdrawn(number, is_warning):
    session, rewards = three_equal_arms(1.0)
    assert session.status().remarks == []
    for k in range(number):
        session.withdraw(k % 3, [rewards[k]], instead=[0.0] if k < 2 else None)
    (remark,) = session.status().remarks
    text = f"Of the {60 + 2} values told, {number} were withdrawn, {number - 2} of them"
    assert remark.text.startswith(text)
    assert remark.is_warning == is_warning


def test_a_mislabelled_tube_told_again_leaves_the_test():
    session, _ = three_equal_arms(1.0)
    wrong = {"arm": [0], "0": [500.0], "tube": ["t1"]}
    session.tell_all(wrong, id="tube")
    session.withdraw(0, [500.0], reason="a mislabelled tube")
    assert session.status().variance_test.is_refuted.all()
    session.tell_all({**wrong, "0": [0.5]}, id="tube")
    status = session.status()
    assert not status.variance_test.is_refuted.any()
    assert (status.withdrawn, status.unreplaced) == (1, 0)


@pytest.mark.parametrize("size", [1e17, 1e150])
def test_equal_rewards_of_any_size_do_not_scatter(size):
    found = told([[size] * 7, [size] * 7], standard_deviation=1.0).status().variance_test
    assert found.ratios.tolist() == [0.0]


@pytest.mark.parametrize(
    "settings",
    [{"standard_deviation": "unknown"}, {"algorithm": pc.WidestBox(bounds=(-1e4, 1e4))}],
    ids=str,
)
def test_without_a_standard_deviation_there_is_nothing_to_test(settings):
    status = told([[900.0, -900.0] * 20, [9.0, -9.0] * 20], **settings).status()
    assert status.variance_test is None
    assert status.remarks == []


def test_a_bound_of_the_algorithm_is_tested():
    for bound, is_refuted in ((1.0, True), (9.0, False)):
        rewards = 3 * np.random.default_rng(3).standard_normal((2, 40))
        status = told(rewards, pc.Racing(delta=1e-9, variance_bound=bound)).status()
        assert status.variance_test.is_refuted.tolist() == [is_refuted]


def twelve_arms(number, noise=UNKNOWN):
    session = lab.Session(pc.TrackAndStop(), 12, 2, noise)
    arms = np.repeat(np.arange(12), number)
    rewards = np.random.default_rng(5).standard_normal((2, arms.size))
    if number:
        session.tell_all({"arm": arms, 0: rewards[0], 1: rewards[1]})
    return session


@pytest.mark.parametrize(("noise", "least", "first"), [(UNKNOWN, 9, 13), (EQUAL, 8, 8)])
def test_the_status_states_how_many_samples_a_statement_needs(noise, least, first):
    status = twelve_arms(3, noise).status()
    assert status.least_samples == 12 * least
    assert f"before about {12 * least} rewards" in str(status)
    assert np.isinf(twelve_arms(first - 1, noise).status().boxes).all()
    later = twelve_arms(first, noise).status()
    assert later.least_samples is None
    assert later.remarks == []
    assert np.isfinite(later.boxes).all()


def test_arms_without_an_interval_are_named():
    session = lab.Session(pc.TrackAndStop(), 3, 1, UNKNOWN)
    arms = np.repeat(np.arange(3), (40, 3, 0))
    session.tell_all({"arm": arms, 0: np.random.default_rng(5).standard_normal(43)})
    (remark,) = session.status().remarks
    assert remark.text.startswith("No interval yet for 1 (3), 2 (0) in objective 0: so few")
    assert not remark.is_warning
    assert "No interval" not in str(told([[0.0, 1.0], []], standard_deviation=1.0).status())


def test_the_plot_explains_missing_points_and_boxes():
    import matplotlib.pyplot as plt

    reason = "no intervals yet:\nthe standard deviation is unknown"
    for number, expected in ((0, ["without a reward (12)", reason]), (13, ["open (12)"])):
        (legend,) = twelve_arms(number).plot()[0].figure.legends
        assert [each.get_text() for each in legend.get_texts()] == expected
        plt.close("all")


def test_a_budget_too_small_for_an_answer_causes_a_warning(tmp_path):
    costs = [1.0] * 10 + [9.0] * 2
    words = "^budget = 20, but one sample of each of the 12 arms costs 28"
    with pytest.warns(UserWarning, match=words):
        session = lab.Session(pc.TrackAndStop(), 12, 2, 1.0, costs=costs, budget=20)
    session.save(tmp_path / "mine.json")
    assert lab.load_session(tmp_path / "mine.json").budget == 20  # without a warning


def constant(algorithm, deviation, values):
    """Eighty rewards: x varies, y does not within an arm."""
    session = lab.Session(algorithm, 2, objectives=["x", "y"], standard_deviation=deviation)
    arms, rng = np.repeat([0, 1], 40), np.random.default_rng(0)
    noise = rng.standard_normal(80)
    session.tell_all({"arm": arms, "x": 10 * arms + noise, "y": np.array(values)[arms]})
    return session


@pytest.mark.parametrize("values", [(0.0, 5.0), (0.1, 0.3)])
def test_an_objective_that_does_not_vary_is_named_and_leaves_the_others_alone(values):
    certified = pc.Certified(pc.UniformSampling(), variance="unknown")
    status = constant(certified, "unknown", values).status()
    assert np.isfinite(status.boxes[:, 0]).all()
    assert np.isinf(status.boxes[:, 1]).all()
    assert status.optimal == [1]
    (remark,) = status.remarks
    assert remark.text.startswith("No interval yet for 0 (40), 1 (40) in y: so few")
    exact = constant(pc.Certified(pc.UniformSampling()), {"x": "unknown", "y": 0}, values).status()
    assert exact.dominated == [0] and exact.remarks == []
