"""The picture of an experiment that runs in a notebook."""

import sys

import IPython.display
import matplotlib.pyplot as plt
import pytest
from references.simulators import simulated

import pareto_core as pc
import pareto_lab as lab
from pareto_book.rivals import PAL
from pareto_book.rivals.gaussian_process import Hyperparameters
from pareto_lab.running import display


class Shell:
    kernel = None


class Handle:
    """Counts the figures that it is given."""

    def __init__(self):
        self.figures = []

    def update(self, figure):
        self.figures.append(figure)


@pytest.fixture
def handle(monkeypatch):
    found = Handle()

    def show(figure, display_id):
        assert display_id is True
        found.update(figure)
        return found

    monkeypatch.setattr(display, "in_notebook", lambda: True)
    monkeypatch.setattr(IPython.display, "display", show)
    return found


def new(**settings):
    names = {"arms": ["A", "B", "C"], "objectives": ["x", "y"]}
    return lab.Session(pc.UniformSampling(), **names, budget=9, **settings)


def test_the_picture_is_drawn_again_in_its_place(handle, monkeypatch):
    monkeypatch.setattr(display, "LEAST", 0.0)
    monkeypatch.setattr(display, "SHARE", 1e9)
    lab.run_experiment(simulated, new(standard_deviation=3.0), 1, batch=3)
    assert len(handle.figures) == 3
    assert plt.get_fignums() == []


def test_the_last_picture_is_always_drawn(handle):
    lab.run_experiment(simulated, new(standard_deviation=3.0), 1, batch=1)
    assert len(handle.figures) == 2


def test_there_is_no_picture_without_progress_or_outside_of_a_notebook(handle, monkeypatch):
    lab.run_experiment(simulated, new(standard_deviation=3.0), 1, progress=False)
    monkeypatch.setattr(display, "in_notebook", lambda: False)
    lab.run_experiment(simulated, new(standard_deviation=3.0), 1)
    assert handle.figures == []


def test_a_notebook_is_a_shell_with_a_kernel(monkeypatch):
    monkeypatch.setattr(IPython, "get_ipython", Shell)
    assert display.in_notebook()
    monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    assert not display.in_notebook()
    monkeypatch.delitem(sys.modules, "IPython")
    assert not display.in_notebook()


def test_an_algorithm_with_its_own_model_of_the_noise_runs_without_a_picture(handle):
    prior = Hyperparameters(0.0, 1.0, 1.0, [1.0], 1.0)
    algorithm = PAL(hyperparameters=(prior, prior))
    session = lab.Session(algorithm, 3, 2, features=[[0.0], [1.0], [2.0]], budget=4)
    lab.run_experiment(lambda arm, seed: simulated("ABC"[arm], seed), session, 1)
    assert session.finished
    assert handle.figures == []
