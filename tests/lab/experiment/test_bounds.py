"""Sessions with bounded rewards: the resulting noise, and which bounds are refused."""

import json

import pytest

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.__main__ import main

NAMES = {"arms": ["A", "B"], "objectives": {"cured": "max", "days": "min"}}
BEGIN = ["session", "new", "--arms", "2", "--objectives", "2"]
BY_NAME = {"cured": (0, 1), "days": (2, 30)}


def bounded(bounds, algorithm=None, **rest):
    return lab.Session(algorithm or pc.TrackAndStop(), bounds=bounds, **NAMES, **rest)


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
def test_from_the_shell(given, kept, tmp_path):
    path = tmp_path / "mine.json"
    assert main([*BEGIN, "--bounds", *given, "--", str(path), "TrackAndStop"]) == 0
    assert json.loads(path.read_text())["content"]["bounds"] == kept
