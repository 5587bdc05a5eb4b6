"""The table of which algorithm to use is that of the rankings."""

import pytest

from pareto_book.kept_runs.rankings import PLACES, competitors, rank_all, runs_for
from pareto_book.kept_runs.season import read_all
from pareto_book.kept_runs.which_algorithm import FARTHEST, which_algorithm


@pytest.mark.slow
def test_the_table_is_that_of_the_rankings():
    frame, caption = which_algorithm()
    runs = runs_for(read_all(), "Pareto set")
    places = [place for part in PLACES.values() for place in part]
    found = [
        each
        for proven in (False, True)
        for each in rank_all(runs, competitors(runs, "Pareto set", proven), places)
        if each.mean < FARTHEST
    ]
    assert frame["algorithm"].tolist() == [each.name for each in found]
    assert frame["at worst"].tolist() == [each.at_worst for each in found]
    assert f"{len(places)} instances" in caption
    cases = 4 * len(places)
    firsts = frame["fewest samples in"].str.split(" of ", expand=True).astype(int)
    assert firsts[0].sum() <= 2 * cases
    assert set(firsts[1]) <= {cases, cases // 2}  # PSIPS plays two of the four risks
