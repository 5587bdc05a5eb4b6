"""Finalists of tuners as arms of a session."""

import numpy as np
import pandas as pd
import pytest

import pareto_core as pc
import pareto_lab as lab

TABLE = pd.DataFrame(
    {
        "name": ["small", "large", "middle"],
        "layers": [2, 8, 4],
        "quality": [0.91, 0.95, 0.93],
        "time": [1.0, 4.0, 2.5],
        "seconds": [30.0, 120.0, 60.0],
    }
)
DIRECTIONS = {"quality": "maximize", "time": "minimize"}


def test_a_table():
    found = lab.Finalists.from_table(TABLE, DIRECTIONS, "name", "seconds")
    assert found.parameters["middle"] == {"layers": 4}
    assert found.scores.loc["large", "time"] == 4.0
    assert found.costs == {"small": 30.0, "large": 120.0, "middle": 60.0}
    numbered = lab.Finalists.from_table(TABLE, DIRECTIONS)
    assert list(numbered.parameters) == ["0", "1", "2"]
    assert numbered.costs is None
    assert set(numbered.parameters["0"]) == {"name", "layers", "seconds"}


def test_the_session_has_names_directions_and_costs_but_no_rewards():
    found = lab.Finalists.from_table(TABLE, DIRECTIONS, "name", "seconds")
    session = found.session(pc.TrackAndStop(), standard_deviation=[0.01, 0.1], budget=900.0)
    assert session.design.directions == ("max", "min")
    assert session.algorithm.costs == (30.0, 120.0, 60.0)
    assert (session.samples, session.ask()) == (0, "small")
    assert found.session(pc.TrackAndStop(), standard_deviation=1.0, costs=None).design.costs is None


def test_of_repeated_configurations_the_first_one_counts():
    table = pd.concat([TABLE, TABLE[:1].assign(name="again", quality=0.1)])
    found = lab.Finalists.from_table(table, DIRECTIONS, "name", "seconds")
    assert list(found.parameters) == ["small", "large", "middle"]
    assert found.scores.loc["small", "quality"] == 0.91


def test_parameters_that_are_long_arrays_are_told_apart():
    one, other = np.zeros(2000), np.zeros(2000)
    other[1000] = 1e-12
    table = pd.DataFrame({"weights": [one, other, one.copy()], "quality": [0.1, 0.2, 0.3]})
    assert list(lab.Finalists.from_table(table, {"quality": "max"}).parameters) == ["0", "1"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: lab.Finalists.from_table(TABLE, {"time": "down"}),
            "direction of 'time' = 'down'; expected one of max, min",
        ),
        (lambda: lab.Finalists.from_table({}, DIRECTIONS), "frame = {}; expected a pandas"),
        (lambda: lab.Finalists.from_table(TABLE, {"speed": "max"}), "frame has no 'speed'"),
        (lambda: lab.Finalists.from_table(TABLE, DIRECTIONS, "label"), "frame has no 'label'"),
        (
            lambda: lab.Finalists.from_table(TABLE.assign(name="same"), DIRECTIONS, "name"),
            "frame has the name 'same' twice; expected distinct names",
        ),
        (
            lambda: lab.Finalists.from_table(TABLE.replace(4.0, float("nan")), DIRECTIONS, "name"),
            "row 'large' has no 'time'; expected a number",
        ),
        (lambda: lab.Finalists.from_table(TABLE[:0], DIRECTIONS, "name"), "frame has no row"),
        (lambda: lab.Finalists.from_table(TABLE, ["time"]), "objectives = .* a mapping of columns"),
        (
            lambda: lab.Finalists.from_table(TABLE[[*TABLE, "time"]], DIRECTIONS),
            "frame has the column 'time' twice",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
