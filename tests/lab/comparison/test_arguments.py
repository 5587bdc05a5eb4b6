"""Names of the instances of a comparison."""

from references.arms import CORNER

from pareto_core import load_instance
from pareto_lab.comparison.arguments import named_instances


def test_instances_are_named_by_keys_or_else_by_their_own_names():
    assert list(named_instances("snw")) == ["snw"]
    assert named_instances(CORNER) == {"corner": CORNER}
    found = named_instances([CORNER, "snw"])
    assert list(found) == ["corner", "snw"]
    assert (found["snw"].means == load_instance("snw").means).all()
    assert named_instances({"mine": CORNER, "again": CORNER}) == {"mine": CORNER, "again": CORNER}
    assert list(named_instances("one_dominates_all(3)")) == ["one_dominates_all(3)"]


def test_an_instance_may_be_a_file(tmp_path):
    path = tmp_path / "arms.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    for given in (path, str(path), [path]):
        (pair,) = named_instances(given).items()
        assert (pair[0], pair[1].name) == (str(path), "arms")
