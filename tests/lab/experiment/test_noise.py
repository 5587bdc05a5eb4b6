"""The statement about the noise: of the algorithm, by bounds, unknown, or of several kinds."""

import numpy as np
import pytest
from references.sessions import FEATURES, PRIORS

import pareto_core as pc
import pareto_lab as lab
from pareto_book.rivals import PAL
from pareto_lab.experiment.noise import stated


@pytest.mark.parametrize(
    ("algorithm", "given"),
    [
        (pc.APE(variance_bound=2.0), {}),
        (pc.WidestBox(bounds=(-1.0, 1.0)), {}),
        (PAL(hyperparameters=PRIORS), {"features": FEATURES}),
    ],
    ids=["variance_bound", "bounds", "hyperparameters"],
)
def test_an_algorithm_may_state_the_noise(algorithm, given, tmp_path):
    session = lab.Session(algorithm, 4, 2, **given)
    assert session.design.standard_deviation == 1.0
    session.save(tmp_path / "mine.json")
    assert lab.load_session(tmp_path / "mine.json", [PAL]).algorithm == algorithm


BY_NAME = {"cured": (0, 1), "days": (2, 30)}


@pytest.mark.parametrize(
    ("bounds", "deviations"),
    [((0, 1), [0.5, 0.5]), ([(0, 1), (2, 30)], [0.5, 14.0]), (BY_NAME, [0.5, 14.0])],
)
def test_bounds_state_the_noise_and_hold_for_the_values_that_are_there(bounds, deviations):
    objectives = {"cured": "max", "days": "min"}
    session = lab.Session(pc.Certified(), 2, objectives=objectives, bounds=bounds)
    assert session.design.standard_deviation.tolist() == deviations
    assert session.design.scale.tolist() == [deviations[0], -deviations[1]]
    for wrong in ([1.5, 0.5], [None, 30.5]):
        with pytest.raises(ValueError, match=r"reward = .*; expected numbers within the bounds \("):
            session.tell(0, wrong)
    assert session.samples == 0


def test_an_algorithm_that_needs_the_noise_is_certified():
    def told(algorithm):
        return lab.Session(algorithm, 3, 2, standard_deviation="unknown").algorithm

    inner, own = pc.TrackAndStop(delta=0.05), pc.Certified(pc.APE(), 0.01, variance="unknown")
    assert told(inner) == pc.Certified(inner, 0.05, variance="unknown")
    assert told(own) == own
    assert told(pc.EGE(budget=60)) == pc.EGE(budget=60)
    with pytest.raises(ValueError, match=r"'unknown' for TopTwoIDS\(.* whose budget the rule"):
        told(pc.TopTwoIDS(budget=50))


# Objectives that differ in what is known of their noise

OBJECTIVES = {"yield": "max", "time": "min", "price": "min"}
DEVIATION = {"yield": 0.3, "time": "unknown", "price": 0}
NAMES = {"arms": ["A", "B", "C"], "objectives": OBJECTIVES}


def new():
    algorithm = pc.Certified(pc.UniformSampling())
    return lab.Session(algorithm, **NAMES, standard_deviation=DEVIATION)


def test_each_objective_is_scaled_by_what_is_stated_of_it():
    design = new().design
    assert design.standard_deviation.tolist() == [0.3, 1.0, 1.0]
    assert design.scale.tolist() == [0.3, -1.0, -1.0]
    assert design.noise_kinds == ("known", "unknown", "deterministic")
    assert stated(design) == [0.3, "unknown", 0]
    assert design.problem.noise_kinds == design.noise_kinds


@pytest.mark.slow
def test_a_tie_without_noise_does_not_prevent_an_answer(tmp_path):
    truth = {"A": (3, 1, 5.1), "B": (2, 2, 5.1), "C": (1, 0.5, 4.7)}
    session, rng = new(), np.random.default_rng(0)
    while not session.finished and session.samples < 2000:
        arm = session.ask()
        session.tell(arm, truth[arm] + rng.standard_normal(3) * [0.3, 0.2, 0.0])
    assert session.ended_by == "answer"
    assert session.recommendation.tolist() == ["A", "C"]
    status = session.status()
    assert status.dominated == ["B"]  # its price is that of A
    assert np.isfinite(status.variance_test.ratios[0]) and status.variance_test.is_telling
    session.report(tmp_path / "mine.html")
    report = (tmp_path / "mine.html").read_text()
    for words in (
        "yield: sub-Gaussian, with a standard deviation of at most 0.3",
        "time: Gaussian, of unknown variance",
        "price: no noise, so that the first value of an arm is its mean",
    ):
        assert words in report


def test_a_second_value_without_noise_must_be_the_first():
    def rows(*prices):
        others = {"arm": ["A"] * len(prices), "yield": [*range(len(prices))]}
        return {**others, "time": [1.0] * len(prices), "price": prices}

    session = new()
    with pytest.raises(ValueError, match=r"row 2.* expected 7 in price"):
        session.tell_all(rows(7.0, 7.5))
    session.tell_all(rows(5.1, 5.1))
    with pytest.raises(ValueError, match=r"row 1: reward = .* of arm A; expected 5\.1 in price"):
        session.tell_all(rows(5.2))
    with pytest.raises(ValueError, match=r"expected 5\.1 as in its other rewards"):
        session.withdraw(number=1, instead=[3.1, 1.0, 6.0])
    session.withdraw(number=2)
    session.withdraw(number=1, instead=[3.1, 1.0, 6.0])  # there is no other value
    assert session.status().samples.tolist() == [1, 0, 0]


def test_the_mean_without_noise_is_the_first_value_and_no_rounded_average():
    session = lab.Session(pc.Certified(), 2, 2, [1.0, 0])
    for _ in range(6):
        session.tell(session.ask(), [0.0, 0.1])
    assert session.means[:, 1].tolist() == [0.1, 0.1]
    assert session.status().means[:, 1].tolist() == [0.1, 0.1]
    assert np.mean([0.1] * 3) != 0.1
