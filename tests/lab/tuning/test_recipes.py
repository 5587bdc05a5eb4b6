"""The recipes of the page *Your own experiment*, run as printed, without the programs they name."""

import functools
import re
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pareto_core as pc
import pareto_lab as lab

PAGE = Path(__file__).parents[3] / "notebooks" / "own_experiment.md"
OPTUNA = pd.DataFrame(
    {
        "number": [3, 7, 9, 11],
        "values_0": [0.91, 0.95, 0.92, 0.5],
        "values_1": [1.0, 4.0, 1.1, 9.0],
        "params_depth": [4, 8, 4, 1],
    }
)
AX = pd.DataFrame(
    {
        "trial_index": [0, 1, 2, 3],
        "arm_name": ["0_0", "1_0", "0_0", "1_0"],
        "trial_status": ["COMPLETED", "COMPLETED", "COMPLETED", "FAILED"],
        "quality": [0.91, 0.95, 0.92, np.nan],
        "time": [1.0, 4.0, 1.1, np.nan],
        "depth": [4, 8, 4, 8],
    }
)


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What a recipe may use, with threads instead of processes."""
    monkeypatch.chdir(tmp_path)
    run = functools.partial(lab.run_experiment, backend="threads", progress=False)
    parts = types.SimpleNamespace(**{name: getattr(lab, name) for name in lab.__all__})
    parts.run_experiment = run
    return {"np": np, "pc": pc, "lab": parts}


def code_of(title):
    """The code of a recipe, without imports of programs that need not be installed."""
    text = PAGE.read_text(encoding="utf-8").split(f"{{admonition}} {title}")[1]
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1)
    return re.sub(r"^import pareto_lab.*\n", "", code, flags=re.MULTILINE)


@pytest.mark.slow
def test_optuna(names, capsys):
    def evaluate(parameters, seed):
        rng = np.random.default_rng(seed)
        return rng.normal([0.1 * parameters["depth"], parameters["depth"]], 0.01)

    trials = [types.SimpleNamespace(number=number) for number in (3, 7, 9)]
    names["evaluate"] = evaluate
    names["study"] = types.SimpleNamespace(
        best_trials=trials, trials_dataframe=lambda parts: OPTUNA.copy()
    )
    exec(code_of("Optuna"), names)
    assert names["session"].recommendation.tolist() == ["3", "7"]
    assert "certainly optimal" in capsys.readouterr().out


def test_ax(names):
    front = [(None, None, 0, "0_0"), (None, None, 1, "1_0")]
    names["client"] = types.SimpleNamespace(summarize=lambda: AX, get_pareto_frontier=lambda: front)
    exec(code_of("Ax"), names)
    assert names["finalists"].parameters == {"0_0": {"depth": 4}, "1_0": {"depth": 8}}


@pytest.mark.slow
def test_a_simulator(names):
    exec(code_of("A simulator"), names)
    assert names["session"].samples > 100
    assert np.isfinite(names["session"].means).all()
