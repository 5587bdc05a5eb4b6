"""A small instance with fixed budgets, in place of the book's."""

import pytest
from references.fixed_budget import instead_of_the_book


@pytest.fixture
def small_ladders(tmp_path):
    """One instance, with few runs; returns the folder of its file."""
    with instead_of_the_book():
        yield tmp_path
