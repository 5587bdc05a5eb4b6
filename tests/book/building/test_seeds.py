"""How many checks other seeds confirm is counted, seed by seed."""

import pandas as pd
from references.claim_files import STATEMENT, write_claims

from pareto_book import paths
from pareto_book.building.seeds import count_seeds


def counted():
    return pd.read_csv(paths.DATA / "book" / "seeds.csv", comment="#", keep_default_na=False)


def test_each_seed_has_a_line_and_an_old_one_is_replaced(two_chapters, executed):
    build = paths.BUILD
    count_seeds([2, 1], ["fast"])
    assert counted().values.tolist() == [["fast", 1, 2, 2, ""], ["fast", 2, 2, 2, ""]]
    assert executed == ["one", "two"] * 2
    assert build == paths.BUILD
    changed = STATEMENT | {"id": "fewer", "criterion": "< 0.5"}  # 0.9 was measured
    write_claims(paths.DATA / "published" / "two.csv", [changed])
    count_seeds([2], ["fast"])
    assert counted().values.tolist() == [["fast", 1, 2, 2, ""], ["fast", 2, 2, 1, "two/fewer"]]
