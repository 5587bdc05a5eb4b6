"""A small instance with fixed budgets, in place of the book's."""

from unittest import mock

import pytest
from references.fixed_budget import SMALL_LADDERS

from pareto_book.kept_runs.budgets.competitions import LADDERS, find_contest


@pytest.fixture
def small_ladders(tmp_path):
    """Four entrants on one instance, with few runs; returns the folder of its file."""
    find_contest.cache_clear()
    with mock.patch.dict(LADDERS, SMALL_LADDERS, clear=True):
        yield tmp_path
    find_contest.cache_clear()
