"""The recommended algorithms are the first ones of the rankings."""

import pytest

from pareto_book.kept_runs.rankings import INSTANCE_GROUPS, competitors, rank_all, runs_for
from pareto_book.kept_runs.reading import read_all
from pareto_book.kept_runs.recommendations import MAX_RATIO, recommendation_table


@pytest.mark.slow
def test_the_table_agrees_with_the_rankings():
    frame, caption = recommendation_table()
    runs = runs_for(read_all(), "Pareto set")
    instances = [name for group in INSTANCE_GROUPS.values() for name in group]
    found = [
        each
        for proven in (False, True)
        for each in rank_all(runs, competitors(runs, "Pareto set", proven), instances)
        if each.mean < MAX_RATIO
    ]
    assert frame["algorithm"].tolist() == [each.name for each in found]
    recommended = frame.loc[frame["its risk is"] != "", "algorithm"].tolist()
    assert recommended == ["TopTwoIDS", "TopTwoIDS, proven"]
    assert frame["at worst"].tolist() == [each.worst_ratio for each in found]
    assert f"{len(instances)} instances" in caption
    cases = 4 * len(instances)
    firsts = frame["fewest samples in"].str.split(" of ", expand=True).astype(int)
    assert firsts[0].sum() <= 2 * cases
    assert set(firsts[1]) <= {cases, cases // 2}  # PSIPS runs at two of the four risks
