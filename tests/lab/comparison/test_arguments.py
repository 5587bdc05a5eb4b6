"""Arguments of a comparison: names, risks, and which algorithm can play which instance."""

import numpy as np
from references.arms import CORNER

from pareto_book.rivals import PaVeBa
from pareto_core import Instance, load_instance
from pareto_lab.comparison.arguments import named_instances, right_answers


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


def test_an_answer_within_the_accuracy_of_the_algorithm_is_right():
    """Distances are those of the rewards that the algorithm sees: whitened, ten times larger."""
    instance = Instance([[1.0, 0.0], [0.0, 1.0], [-0.01, 0.99]], variance=[0.01, 0.01])
    answers = np.array([[True, True, False], [True, True, True], [True, False, False]])
    exact = np.array([True, False, False])
    for epsilon, bound, expected in (
        (0.0, None, [True, False, False]),
        (0.02, None, [True, False, False]),
        (0.2, None, [True, True, False]),
        (0.02, 0.01, [True, True, False]),
    ):
        algorithm = PaVeBa(epsilon=epsilon, variance_bound=bound)
        assert right_answers(algorithm, instance, exact, answers).tolist() == expected
