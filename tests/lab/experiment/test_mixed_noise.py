"""Sessions whose objectives differ in what is known of their noise."""

import numpy as np
import pytest

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.experiment.noise import stated

OBJECTIVES = {"yield": "max", "time": "min", "price": "min"}
DEVIATION = {"yield": 0.3, "time": "unknown", "price": 0}
NAMES = {"arms": ["A", "B", "C"], "objectives": OBJECTIVES}


def new(algorithm=None, deviation=None, **rest):
    deviation = DEVIATION if deviation is None else deviation
    algorithm = algorithm or pc.Certified(pc.UniformSampling())
    return lab.Session(algorithm, **{**NAMES, **rest}, standard_deviation=deviation)


def sampled(session, rng, most=2000):
    truth = {"A": (3, 1, 5.1), "B": (2, 2, 5.1), "C": (1, 0.5, 4.7)}
    for _ in range(most):
        if session.finished:
            break
        arm = session.ask()
        a, b, price = truth[arm]
        noise = rng.standard_normal(2)
        session.tell(arm, [a + 0.3 * noise[0], b + 0.2 * noise[1], price])
    return session


def test_each_objective_is_scaled_by_what_is_stated_of_it():
    design = new().design
    assert design.standard_deviation.tolist() == [0.3, 1.0, 1.0]
    assert design.scale.tolist() == [0.3, -1.0, -1.0]
    assert design.noise_kinds == ("known", "unknown", "deterministic")
    assert stated(design) == [0.3, "unknown", 0]
    assert design.problem.noise_kinds == design.noise_kinds


@pytest.mark.slow
def test_a_tie_without_noise_does_not_prevent_an_answer(tmp_path):
    session = sampled(new(), np.random.default_rng(0))
    assert session.ended_by == "answer"
    assert session.recommendation.tolist() == ["A", "C"]
    status = session.status()
    assert status.dominated == ["B"]  # its price is that of A
    np.testing.assert_array_equal(status.boxes[:, 2], [[5.1, 5.1], [5.1, 5.1], [4.7, 4.7]])
    assert status.variance_test.upper_bounds.tolist()[1:] == [np.inf] * 2
    assert np.isfinite(status.variance_test.ratios[0])
    session.report(tmp_path / "mine.html")
    report = (tmp_path / "mine.html").read_text()
    for words in (
        "yield: sub-Gaussian, with a standard deviation of at most 0.3",
        "time: Gaussian, of unknown variance",
        "price: no noise, so that the first value of an arm is its mean",
    ):
        assert words in report


def test_a_sequence_states_the_noise_too_and_trivial_mixtures_are_plain():
    session = lab.Session(pc.Certified(), 3, 2, [1.0, 0])
    assert session.design.noise_kinds == ("known", "deterministic")
    session = lab.Session(pc.TrackAndStop(), 3, 2, ["unknown", "unknown"])
    assert session.design.unknown_noise == "unknown"
    assert session.design.noise_kinds is None
    assert lab.Session(pc.TrackAndStop(), 3, 2, {0: 1.0, 1: 2.0}).design.noise_kinds is None


def test_a_second_value_without_noise_must_be_the_first():
    session = new()
    good = [3.0, 1.0, 5.1]
    session.tell(session.ask(), good)
    arm = "A"
    session.tell_all({"arm": [arm], **dict(zip(OBJECTIVES, ([3.1], [1.0], [5.1]), strict=True))})
    before = session.status().samples.tolist()
    other = dict(zip(OBJECTIVES, ([3.2], [1.0], [5.2]), strict=True))
    with pytest.raises(ValueError, match=r"row 1: reward = .* of arm A; expected 5\.1 in price"):
        session.tell_all({"arm": [arm], **other})
    both = {name: each * 2 for name, each in other.items()} | {"price": [7.0, 7.5]}
    with pytest.raises(ValueError, match=r"row 2.* expected 7 in price"):
        session.tell_all({"arm": ["C", "C"], **both})
    while session.ask() != arm:
        session.tell(session.ask(), good)
    with pytest.raises(ValueError, match=r"expected 5\.1 in price"):
        session.tell(arm, [3.0, 1.0, 5.2])
    assert session.outstanding.tolist() == [1, 0, 0]
    assert session.status().samples[0] == before[0]
    with pytest.raises(ValueError, match=r"expected 5\.1 as in its other rewards"):
        session.withdraw(arm, [3.1, 1.0, 5.1], instead=[3.1, 1.0, 6.0])
    assert session.withdrawn == []


def test_a_wrong_value_without_noise_can_be_withdrawn():
    session = new()
    session.tell("A", [3.0, 1.0, 51.0])
    session.withdraw("A", [3.0, 1.0, 51.0], instead=[3.0, 1.0, 5.1])
    assert session.means[0].tolist() == pytest.approx([3.0, 1.0, 5.1])
    assert session.status().boxes[0, 2].tolist() == [5.1, 5.1]


def test_the_mean_without_noise_is_the_first_value_and_no_rounded_average():
    session = lab.Session(pc.Certified(), 2, 2, [1.0, 0])
    for _ in range(6):
        session.tell(session.ask(), [0.0, 0.1])
    assert session.means[:, 1].tolist() == [0.1, 0.1]
    assert session.status().means[:, 1].tolist() == [0.1, 0.1]
    assert np.mean([0.1] * 3) != 0.1
