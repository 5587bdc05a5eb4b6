"""Results of a chapter's functions that its next execution takes."""

import numpy as np
import pytest

from pareto_book.records import handed_on as module
from pareto_book.records.handed_on import handed_on
from pareto_core.simulation import handed_runs

calls = []


@handed_on
def double(number, offset=0.0):
    """Twice a number."""
    calls.append(number)
    return {"twice": 2.0 * np.asarray(number) + offset}


@pytest.fixture
def file(tmp_path, monkeypatch):
    """File to which results are written; no call is one that is made again."""
    path = tmp_path / "chapter.runs"
    monkeypatch.setenv("PARETO_RUNS_TO", str(path))
    monkeypatch.delenv("PARETO_RUNS_FROM", raising=False)
    monkeypatch.setattr(module, "_is_made_again", lambda key: False)
    handed_runs._read.cache_clear()
    calls.clear()
    return path


@pytest.fixture
def read_from(monkeypatch):
    """A function after which a file is read, and nothing more is written."""

    def read(path):
        monkeypatch.setenv("PARETO_RUNS_FROM", str(path))
        monkeypatch.delenv("PARETO_RUNS_TO")
        calls.clear()

    return read


def test_results_of_an_equal_call_are_taken(file, read_from):
    before = double(3.0), double(np.arange(4.0), offset=1.0)
    read_from(file)
    after = double(3.0), double(np.arange(4.0), offset=1.0)
    assert not calls
    for first, second in zip(before, after, strict=True):
        np.testing.assert_array_equal(first["twice"], second["twice"])


@pytest.mark.parametrize("other", [((4.0,), {}), ((3,), {}), ((3.0,), {"offset": 1.0})])
def test_a_different_call_is_made(other, file, read_from):
    arguments, settings = other
    double(3.0)
    read_from(file)
    double(*arguments, **settings)
    assert calls == list(arguments)


def test_about_one_call_in_sixteen_is_made_again(file, read_from, monkeypatch):
    for number in range(800):
        double(number)
    read_from(file)
    monkeypatch.undo()  # the share is the real one
    monkeypatch.setenv("PARETO_RUNS_FROM", str(file))
    for number in range(800):
        double(number)
    assert 25 <= len(calls) <= 80
    made_again = list(calls)
    calls.clear()
    for number in range(800):
        double(number)
    assert calls == made_again


def test_without_files_every_call_is_made(file, monkeypatch):
    monkeypatch.delenv("PARETO_RUNS_TO")
    double(3.0)
    double(3.0)
    assert calls == [3.0, 3.0]


def test_a_function_keeps_its_name_and_documentation():
    assert (double.__name__, double.__doc__) == ("double", "Twice a number.")
