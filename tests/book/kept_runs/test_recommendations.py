"""The recommended algorithms are the first ones of the rankings."""

import pytest

from pareto_book.kept_runs.rankings import EVERYWHERE, competitors, rank_all, runs_for
from pareto_book.kept_runs.reading import read_all
from pareto_book.kept_runs.recommendations import MAX_RATIO, recommendation_table


@pytest.mark.slow
def test_the_table_agrees_with_the_rankings():
    frame, caption = recommendation_table()
    runs = runs_for(read_all(), "Pareto set")
    found = [
        each
        for proven in (False, True)
        for each in rank_all(runs, competitors(runs, "Pareto set", proven))
        if each.mean < MAX_RATIO
    ]
    assert frame["algorithm"].tolist() == [each.name for each in found]
    recommended = frame.loc[frame["its risk is"] != "", "algorithm"].tolist()
    assert recommended == ["TopTwoIDS", "TopTwoIDS, proven"]
    assert frame["at worst"].tolist() == [f"{each.worst:.2f}" for each in found]
    assert f"{len(EVERYWHERE)} instances" in caption
    cases = 4 * len(EVERYWHERE)
    firsts = frame["fewest samples in"].str.split(" of ", expand=True).astype(int)
    assert firsts[0].sum() <= 2 * cases
    assert set(firsts[1]) <= {cases, cases // 2}  # PSIPS runs at two of the four risks
