"""Cells of valid assignments, against a linear program for each assignment."""

import itertools
import math
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from references import pareto as reference

from pareto_core import count_cells, iterate_cells
from pareto_core.geometry import cells

SOME = [(1, 1), (3, 1), (1, 3), (2, 2), (5, 2), (3, 3), (4, 3), (2, 4), (3, 4)]
INTEGER = 1e-7  # margins of integer points are multiples of 1 / d, up to the solver's tolerance


def by_linear_programs(points):
    """(assignments of non-empty cells, assignments of cells with interior points)."""
    p, d = points.shape
    closed, interior = [], []
    for assignment in itertools.product(range(d), repeat=p):
        margin = reference.cell_margin(points, assignment)
        if margin > -INTEGER:
            closed.append(assignment)
        if margin > INTEGER:
            interior.append(assignment)
    return closed, interior


def listed(points, closed=False):
    return [tuple(cell.tolist()) for cell in iterate_cells(points, closed)]


@pytest.mark.parametrize(("p", "d"), SOME)
@pytest.mark.parametrize("width", [2, 100])  # many ties, few ties
def test_cells_equal_those_of_a_linear_program(p, d, width):
    rng = np.random.default_rng([p, d, width])
    for _ in range(2):
        points = rng.integers(width, size=(p, d)).astype(float)
        closed, interior = by_linear_programs(points)
        assert listed(points, closed=True) == closed
        assert listed(points) == interior
        assert count_cells(points, closed=True) == len(closed)
        assert count_cells(points) == len(interior)


@pytest.mark.parametrize(("p", "d"), [*itertools.product(range(1, 8), range(1, 8))])
def test_count_in_general_position_is_the_bound_of_lemma_5(p, d):
    points = np.random.default_rng([p, d]).standard_normal((p, d))
    assert count_cells(points) == math.comb(p + d - 1, d - 1)
    assert count_cells(points, closed=True) == math.comb(p + d - 1, d - 1)


@pytest.mark.parametrize(("p", "d"), [(1, 1), (30, 2), (12, 4), (7, 7)])
def test_nodes_in_general_position_are_a_binomial_in_batches_of_any_size(p, d, monkeypatch):
    points = np.random.default_rng([p, d]).standard_normal((p, d))
    for size in (1, 7, 10**6):
        monkeypatch.setattr(cells, "CELLS_AT_A_TIME", size)
        assert cells.count_nodes(points).sum() == math.comb(p + d, d)
        assert count_cells(points) == math.comb(p + d - 1, d - 1)


ENDLESS = """
import signal
import numpy as np
signal.signal(signal.SIGINT, signal.default_int_handler)  # even if the parent process ignores it
from pareto_core import count_cells
count_cells([[0.0, 1.0]])  # compiled
print("counting", flush=True)
count_cells(np.random.default_rng(0).random((300, 8)))
"""


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_an_endless_count_can_be_interrupted():
    program = [sys.executable, "-c", ENDLESS]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"counting\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            assert b"KeyboardInterrupt" in process.communicate(timeout=60)[1]
        finally:
            process.kill()
