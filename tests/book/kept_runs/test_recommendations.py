"""The recommended algorithms are the first ones of the rankings."""

import pytest

from pareto_book.kept_runs.rankings import INSTANCE_GROUPS, competitors, rank_all, runs_for
from pareto_book.kept_runs.reading import read_all
from pareto_book.kept_runs.recommendations import SHOWN, recommendation_table


@pytest.mark.slow
def test_the_table_agrees_with_the_rankings():
    frame, _ = recommendation_table()
    runs = runs_for(read_all(), "Pareto set")
    found = [
        each
        for proven in (False, True)
        for instances in INSTANCE_GROUPS.values()
        for each in rank_all(runs, competitors(runs, "Pareto set", proven), instances)[:SHOWN]
    ]
    assert frame["algorithm"].tolist() == [each.name for each in found]
    assert frame["at worst"].tolist() == [f"{each.worst:.2f}" for each in found]
    counts = frame[["certainly first", "undecided", "certainly behind"]]
    assert (counts.sum(axis=1) == frame["cases"]).all()
    largest = 2 * [4 * len(names) for names in INSTANCE_GROUPS.values()]
    assert frame.loc[frame["instances"] != "", "cases"].tolist() == largest
