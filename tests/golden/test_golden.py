"""What the package computed before is what it computes now.

On the machine of a golden file, and with the same libraries, all bits have to be the same; on
another one numbers to nine digits, and the samples and answers of nine runs in ten.
"""

import functools
import itertools

import pytest
from golden import digests, records, rows, runs, values

from pareto_book import rivals
from pareto_core.algorithms.registry import algorithms_by_name

CLOSE = 1e-9  # relative
FLIPPED = 0.1  # share of runs in which rounding may decide between two arms that tie


@functools.cache
def golden(name):
    """Rows of a golden file, and whether it was made on such a machine."""
    machine, found = records.read(name)
    return found, machine == digests.machine()


def recorded(name, **key):
    """The row of a golden file with this key, and whether it was made on such a machine."""
    found, is_same = golden(name)
    (row,) = [row for row in found if key.items() <= row.items()]
    return row, is_same


def is_close(number, then):
    if "" in (number, then):
        return number == then
    return float(number) == pytest.approx(float(then), rel=CLOSE, abs=0, nan_ok=True)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("n_runs", [6, pytest.param(runs.N_RUNS, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    ("algorithm", "name", "instance"), runs.cases(), ids=map(str, itertools.count())
)
def test_runs(algorithm, name, instance, n_runs):
    then, is_same = recorded("runs", algorithm=repr(algorithm), instance=name)
    now = runs.measure(algorithm, name, instance, n_runs)
    if is_same:
        assert now["all"].split() == then["all"].split()[:n_runs]
    pairs = zip(now["answers"].split(), then["answers"].split(), strict=False)
    assert sum(new != old for new, old in pairs) <= max(1, FLIPPED * n_runs)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("function", values.FUNCTIONS)
def test_values(function):
    then, is_same = recorded("values", function=function)
    now = values.measure(function)
    pairs = zip(now["numbers"].split(), then["numbers"].split(), strict=True)
    assert not [i for i, pair in enumerate(pairs) if not is_close(*pair)]
    if is_same:
        assert now["bits"] == then["bits"]


@pytest.mark.built
@pytest.mark.parametrize("chapter", rows.chapters())
def test_rows(chapter):
    then = {row["id"]: row for row in golden("rows")[0] if row["chapter"] == chapter}
    now = {row["id"]: row for row in rows.read(chapter)}
    assert now.keys() == then.keys()
    for name, old in then.items():
        new = now[name]
        assert all(is_close(new[column], old[column]) for column in rows.COLUMNS[2:]), (new, old)


def test_each_algorithm_has_runs():
    tried = {type(algorithm).__name__ for algorithm, _, _ in runs.cases()}
    assert tried == {*algorithms_by_name(), *rivals.__all__}


def test_each_case_has_its_record():
    """``PYTHONPATH=tests python -m golden.records runs new`` adds those of a new algorithm."""
    cases = [(repr(algorithm), name) for algorithm, name, _ in runs.cases()]
    assert [(row["algorithm"], row["instance"]) for row in golden("runs")[0]] == cases
    assert [row["function"] for row in golden("values")[0]] == list(values.FUNCTIONS)
