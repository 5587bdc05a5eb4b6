"""The statement about the noise, which a session or its algorithm must make."""

import json

import pytest
from references.sessions import FEATURES, PRIORS, rewrite

import pareto_core as pc
import pareto_lab as lab
from pareto_book.rivals import PAL
from pareto_lab.__main__ import main

NEW = ("UniformSampling", "--arms", "A", "B", "C", "--objectives", "gain", "loss=min")


def test_a_session_without_a_statement_is_refused_with_the_possible_statements():
    with pytest.raises(ValueError, match="standard_deviation = None; expected a statement") as e:
        lab.Session(pc.TrackAndStop(), 3, 2)
    for words in ("one positive number", "2 of them", "(3, 2)", "'unknown'", "bounds=(low, high)"):
        assert words in str(e.value)


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


def test_a_file_with_two_statements_is_refused(tmp_path):
    for number, session in enumerate(
        [
            lab.Session(pc.APE(variance_bound=2.0), 3, 2),
            lab.Session(pc.TrackAndStop(), 3, 2, bounds=(0.0, 1.0)),
        ]
    ):
        path = tmp_path / f"{number}.json"
        session.save(path)
        rewrite(path, standard_deviation=2.0)
        with pytest.raises(ValueError, match="expected one of the two"):
            lab.load_session(path)
    rewrite(path, bounds=None, standard_deviation=[1.0, 1.0])
    assert lab.load_session(path).design.standard_deviation.tolist() == [1.0, 1.0]


def test_the_shell_requires_a_statement(tmp_path, capsys):
    path = str(tmp_path / "mine.json")
    assert main(["session", "new", path, *NEW]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: --standard-deviation is missing; expected ")
    assert "unknown" in error
    assert "--bounds LOW HIGH" in error
    assert main(["session", "new", path, *NEW, "--standard-deviation", "1", "0.5"]) == 0
    own = str(tmp_path / "own.json")
    ape = ("APE", "--set", "variance_bound=2", "--arms", "3", "--objectives", "2")
    assert main(["session", "new", own, *ape]) == 0


# Bounded rewards

NAMES = {"arms": ["A", "B"], "objectives": {"cured": "max", "days": "min"}}
BEGIN = ["session", "new", "--arms", "2", "--objectives", "2"]
BY_NAME = {"cured": (0, 1), "days": (2, 30)}


def bounded(bounds):
    return lab.Session(pc.TrackAndStop(), bounds=bounds, **NAMES)


@pytest.mark.parametrize(
    ("bounds", "deviations"),
    [((0, 1), [0.5, 0.5]), ([(0, 1), (2, 30)], [0.5, 14.0]), (BY_NAME, [0.5, 14.0])],
)
def test_the_standard_deviation_is_half_of_the_width_of_the_bounds(bounds, deviations):
    design = bounded(bounds).design
    assert design.standard_deviation.tolist() == deviations
    assert design.scale.tolist() == [deviations[0], -deviations[1]]


def test_a_reward_outside_the_bounds_is_refused_and_not_recorded():
    session = bounded(BY_NAME)
    arm = session.ask()
    message = r"reward = \[1.5, 3.0\]; expected numbers within the bounds \(\(0.0, 1.0\), \(2.0, 30"
    with pytest.raises(ValueError, match=message):
        session.tell(arm, [1.5, 3.0])
    assert session.samples == 0
    session.tell(arm, [1.0, 2.0])  # on the bounds
    assert session.samples == 1


@pytest.mark.parametrize(
    ("given", "kept"), [(["0", "1"], [0.0, 1.0]), (["0", "1", "2", "9"], [[0.0, 1.0], [2.0, 9.0]])]
)
def test_bounds_from_the_shell(given, kept, tmp_path):
    path = tmp_path / "mine.json"
    assert main([*BEGIN, "--bounds", *given, "--", str(path), "TrackAndStop"]) == 0
    assert json.loads(path.read_text())["content"]["bounds"] == kept


# An unknown variance


def session_of(algorithm):
    return lab.Session(algorithm, 3, 2, standard_deviation="unknown")


def test_an_algorithm_that_needs_the_noise_is_certified():
    inner = pc.TrackAndStop(delta=0.05)
    assert session_of(inner).algorithm == pc.Certified(inner, 0.05, variance="unknown")
    own = pc.Certified(pc.APE(), 0.01, variance="unknown")
    assert session_of(own).algorithm == own
    assert session_of(pc.EGE(budget=60)).algorithm == pc.EGE(budget=60)
