"""Finalists of tuners as arms of a session."""

import datetime
import enum
import types

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


class Direction(enum.IntEnum):
    MINIMIZE = 1
    MAXIMIZE = 2


def trial(number, values, seconds=1.0, **params):
    duration = None if seconds is None else datetime.timedelta(seconds=seconds)
    return types.SimpleNamespace(number=number, values=values, params=params, duration=duration)


def study(*trials, best, names=None):
    directions = [Direction.MAXIMIZE, Direction.MINIMIZE]
    found = [each for each in trials if each.number in best]
    return types.SimpleNamespace(
        trials=list(trials), best_trials=found, directions=directions, metric_names=names
    )


STUDY = study(
    trial(0, [0.9, 2.0], 2.0, x=1),
    trial(1, [0.8, 3.0], 3.0, x=2),
    trial(2, None, None, x=3),
    trial(3, [0.7, 1.0], 0.5, x=4, kind="a"),
    best=(0, 3),
)


def test_a_study_of_optuna():
    found = lab.Finalists.from_optuna(STUDY)
    assert found.parameters == {"trial 0": {"x": 1}, "trial 3": {"x": 4, "kind": "a"}}
    assert found.objectives == {"values_0": "max", "values_1": "min"}
    assert found.costs == {"trial 0": 2.0, "trial 3": 0.5}
    assert found.scores.loc["trial 3"].tolist() == [0.7, 1.0]


def test_names_and_other_trials_of_a_study():
    found = lab.Finalists.from_optuna(STUDY, ["quality", "time"], [1, 0])
    assert list(found.parameters) == ["trial 1", "trial 0"]
    assert found.objectives == {"quality": "max", "time": "min"}
    named = study(trial(0, [1.0, 2.0]), best=(0,), names=["a", "b"])
    assert lab.Finalists.from_optuna(named).objectives == {"a": "max", "b": "min"}


def test_trials_with_the_same_parameters_are_one_arm():
    trials = [trial(2, [1.0, 2.0], 5.0, x=1, y="a"), trial(7, [3.0, 4.0], y="a", x=1)]
    found = lab.Finalists.from_optuna(study(*trials, trial(9, [0.0, 0.0], x=1), best=(2, 7, 9)))
    assert list(found.parameters) == ["trial 2", "trial 9"]
    assert found.costs["trial 2"] == 5.0


def test_without_all_durations_there_are_no_costs():
    for seconds in (None, 0.0):
        given = study(trial(0, [1.0, 2.0]), trial(1, [1.0, 2.0], seconds, x=1), best=(0, 1))
        assert lab.Finalists.from_optuna(given).costs is None


@pytest.mark.slow
def test_optuna_itself():
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    directions, sampler = ["maximize", "minimize"], optuna.samplers.RandomSampler(seed=0)
    real = optuna.create_study(directions=directions, sampler=sampler)

    def objective(trial):
        x = trial.suggest_float("x", 0.0, 1.0)
        return x, x**2

    real.optimize(objective, 5)
    found = lab.Finalists.from_optuna(real, ["quality", "time"])
    assert list(found.parameters) == [f"trial {each.number}" for each in real.best_trials]
    assert len(found.parameters) == 5
    assert found.parameters["trial 2"] == real.trials[2].params
    assert found.objectives == {"quality": "max", "time": "min"}
    assert found.costs["trial 2"] == real.trials[2].duration.total_seconds()
    assert found.session(pc.TrackAndStop(), standard_deviation=1.0).ask() == "trial 0"


FRONTIER = [
    ({"x": 0.5}, {"time": (0.25, 0.01), "quality": (0.5, 0.1), "size": (3.0, 0.0)}, 0, "0_0"),
    ({"x": 0.9}, {"time": 0.81, "quality": 0.9, "size": 3.0}, 3, "3_0"),
]


def test_a_frontier_of_ax():
    found = lab.Finalists.from_ax(FRONTIER, DIRECTIONS, {"3_0": 2.0, "0_0": 1.0})
    assert found.parameters == {"0_0": {"x": 0.5}, "3_0": {"x": 0.9}}
    assert found.objectives == {"quality": "max", "time": "min"}
    assert found.scores.to_numpy().tolist() == [[0.5, 0.25], [0.9, 0.81]]
    session = found.session(pc.TrackAndStop(), standard_deviation=1.0)
    assert session.design.costs.tolist() == [1.0, 2.0]


@pytest.mark.slow
def test_ax_itself():
    client = pytest.importorskip("ax.api.client").Client()
    configs = pytest.importorskip("ax.api.configs")
    parameter = configs.RangeParameterConfig(name="x", parameter_type="float", bounds=(0, 1))
    client.configure_experiment(parameters=[parameter])
    client.configure_optimization(objective="quality, -time")
    for _ in range(4):
        for number, given in client.get_next_trials(max_trials=1).items():
            reward = {"quality": (given["x"], 0.1), "time": (given["x"] ** 2, 0.1)}
            client.complete_trial(trial_index=number, raw_data=reward)
    frontier = client.get_pareto_frontier(use_model_predictions=False)
    found = lab.Finalists.from_ax(frontier, DIRECTIONS)
    assert sorted(found.parameters) == ["0_0", "1_0", "2_0", "3_0"]
    assert found.parameters["0_0"] == {"x": 0.5}
    assert found.scores.loc["0_0"].tolist() == [0.5, 0.25]


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lab.Finalists.from_optuna("mine.db"), "study = .*; expected a study of Optuna"),
        (lambda: lab.Finalists.from_optuna(STUDY, ["a"]), r"objectives = \['a'\]; expected 2"),
        (lambda: lab.Finalists.from_optuna(STUDY, trials=[2]), r"study has no 2; .*\[0, 1, 3\]"),
        (lambda: lab.Finalists.from_ax([TABLE], DIRECTIONS), "frontier has the entry"),
        (
            lambda: lab.Finalists.from_ax(FRONTIER, {"cost": "min"}),
            "metrics of arm 0_0 has no 'cost'; expected one of",
        ),
        (
            lambda: lab.Finalists.from_ax(FRONTIER, {"time": "down"}),
            "direction of 'time' = 'down'; expected one of max, maximize, min, minimize",
        ),
        (lambda: lab.Finalists.from_table({}, DIRECTIONS), "frame = {}; expected a pandas"),
        (lambda: lab.Finalists.from_table(TABLE, {"speed": "max"}), "frame has no 'speed'"),
        (lambda: lab.Finalists.from_table(TABLE, DIRECTIONS, "label"), "frame has no 'label'"),
        (
            lambda: lab.Finalists.from_table(TABLE.assign(name="same"), DIRECTIONS, "name"),
            "expected distinct names",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
