"""The benchmark against other programs: its clockwork, what it refuses, and its table."""

import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from benchmarks.rivals import costs, packages
from benchmarks.rivals.contests import Contest, check_agreement, race
from benchmarks.rivals.table import COLUMNS, rows_of, write_table

from pareto_book import paths
from pareto_core import Polyhedron, transport_cost

TABLE = paths.DATA / "benchmarks.csv"
SCRIPT = [sys.executable, "-m", "tests.benchmarks.rivals"]


def contest(order, ours=2.0, theirs=(6.0, 1.0)):
    """A contest of programs that say when it is their turn."""

    def program(name, seconds):
        return lambda: order.append(name) or seconds

    others = {("scipy", f"way {k}"): program(k, seconds) for k, seconds in enumerate(theirs)}
    return Contest("task", "size", program("ours", ours), others)


def test_programs_run_in_turn_after_a_warm_up():
    order = []
    times = race(contest(order), 0.0)
    assert order == ["ours", 0, 1] * 7
    assert times["scipy", "way 0"] == (2.0, 6.0, 3.0, 3.0, 3.0, 3.0, 3.0, 6)
    assert times["scipy", "way 1"].ratio == 0.5


def test_the_ratio_is_of_times_of_one_repetition():
    slow = iter([1, 1, 10, 1, 1, 1, 1])
    pace = []

    def ours():
        pace.append(next(slow))
        return float(pace[-1])

    times = race(Contest("task", "size", ours, {("scipy", ""): lambda: 3.0 * pace[-1]}), 0.0)
    assert times["scipy", ""][2:7] == (3.0,) * 5


def test_the_interval_is_of_order_statistics_and_the_spread_of_quantiles():
    ratios = [5.0, 1.0, 4.0, 2.0, 3.0, 6.0]
    theirs = iter([7.0, *ratios])
    made = Contest("task", "size", lambda: 1.0, {("scipy", ""): lambda: next(theirs)})
    (times,) = race(made, 0.0).values()
    assert times[2:5] == (3.5, 1.0, 6.0)
    assert times[5:7] == pytest.approx((1.25, 5.75))


def test_a_rival_with_a_different_result_is_not_timed():
    check_agreement("rival", [1.0, 2.0 + 1e-10], [1.0, 2.0], 1e-9)
    for theirs in ([1.0, 2.1], [1.0, np.nan]):
        with pytest.raises(ValueError, match=r"^rival is .* away .*; expected at most 1e-09"):
            check_agreement("rival", theirs, [1.0, 2.0], 1e-9)


def test_a_rival_that_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(packages, "version", {"daqp": "0.11.0"}.get)
    packages.check_installed(["daqp"])
    with pytest.raises(ValueError, match=r"^not installed: quadprog; .* quadprog==0\.1\.14"):
        packages.check_installed(["daqp", "quadprog"])


@pytest.mark.parametrize(("d", "n_front"), costs.SIZES)
def test_the_programs_that_rivals_solve_have_the_transportation_cost(d, n_front):
    def half_square(rows, limits):
        start = np.zeros((1, rows.shape[1]))
        return 0.5 * (Polyhedron(rows, limits).project(start) ** 2).sum()

    for number in range(1 if d == 3 else 3):
        means, weights = costs.random_item(d, n_front, number)
        programs = costs.assignment_programs(means, weights)
        least = costs.cheapest(half_square)(costs.pair_cost(means, weights), programs)
        assert least == pytest.approx(transport_cost(means, weights).value, rel=1e-9)


def test_rows_and_table_have_the_columns(tmp_path):
    made = contest([])
    rows = rows_of(made, race(made, 0.0), "2026-11-23")
    write_table(rows, tmp_path / "table.csv")
    text = (tmp_path / "table.csv").read_text(encoding="utf-8")
    table = pd.read_csv(tmp_path / "table.csv", comment="#")
    assert tuple(table) == COLUMNS
    assert all(re.search(rf"\b{column}\b", text.split("what,size")[0]) for column in COLUMNS)
    assert table.rival.tolist() == ["scipy, way 0", "scipy, way 1"]
    assert table[["ours_us", "rival_us", "ratio"]].iloc[0].tolist() == [2e6, 6e6, 3.0]


@pytest.mark.slow
def test_the_script_runs_without_rivals(tmp_path):
    path = tmp_path / "table.csv"
    options = ["--only", "projections", "--installed", "--seconds", "0", "--to", path]
    done = subprocess.run(
        [*SCRIPT, *options],
        cwd=paths.ROOT,
        env={**os.environ, "PYTHONPATH": str(paths.ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    table = pd.read_csv(path, comment="#")
    assert tuple(table) == COLUMNS
    assert "scipy, nnls" in set(table.rival)
    assert (table.ratio_low <= table.ratio).all() and (table.ratio <= table.ratio_high).all()
    assert (table.repetitions == 6).all()
    assert len(done.stdout.splitlines()) == len(table)


def test_the_kept_table_is_whole():
    text = TABLE.read_text(encoding="utf-8")
    table = pd.read_csv(TABLE, comment="#")
    assert text.startswith("# ")
    assert tuple(table) == COLUMNS
    assert not table.isna().any(axis=None)
    assert "None" not in text
    rivals = {name.split(",")[0] for name in table.rival}
    assert rivals == {*packages.RIVALS, "scipy"} - {"cvxpy"}
    assert (table[["ours_us", "rival_us", "ratio", "ratio_low"]] > 0).all(axis=None)
    assert (table.ratio_low <= table.ratio).all() and (table.ratio <= table.ratio_high).all()
    assert (table.repetitions >= 6).all()
    assert not table.duplicated(["what", "size", "rival"]).any()
