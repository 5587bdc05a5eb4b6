"""Arguments of a comparison: names, risks, and which algorithm can play which instance."""

import numpy as np
import pytest
from references.arms import BOUNDED, COINS, CORNER, RECORDED, UNEVEN

from pareto_book.rivals import PaVeBa
from pareto_core import (
    APE,
    ECAPE,
    EGE,
    GEGE,
    Instance,
    TrackAndStop,
    UniformSampling,
    load_instance,
)
from pareto_lab.comparison.arguments import (
    check_case,
    checked_deltas,
    delta_of,
    fitted,
    named_algorithms,
    named_instances,
    right_answers,
)


def test_algorithms_are_named_by_keys_or_else_by_classes():
    mine = {"mine": APE(), "theirs": APE(epsilon=0.1)}
    assert named_algorithms(mine) == mine
    assert named_algorithms([APE(), EGE(9)]) == {"APE": APE(), "EGE": EGE(9)}


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


@pytest.mark.parametrize(
    ("named", "given", "message"),
    [
        (named_algorithms, [APE(), APE(0.05)], "algorithms: 2 are called 'APE'; expected diff"),
        (named_algorithms, [], "algorithms = .*; expected at least one"),
        (named_algorithms, APE(), "algorithms = APE.*; expected a dict or a sequence"),
        (named_algorithms, "APE", "algorithms = 'APE'; expected a dict or a sequence"),
        (named_instances, {}, "instances = .*; expected at least one"),
        (named_instances, [CORNER, CORNER], "instances: 2 are called 'corner'"),
        (named_instances, 3, "instances = 3; expected a dict or a sequence"),
        (
            named_instances,
            [3],
            "instances: 3 has no name; expected an Instance, or the name",
        ),
        (named_instances, "snow", "name = 'snow'; expected .*one of"),
    ],
)
def test_repeated_or_missing_names_are_refused(named, given, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        named(given)


def test_risks_decrease_without_repetitions():
    assert checked_deltas([1e-3, 0.1, 1e-3]) == [0.1, 1e-3]
    assert checked_deltas(None) is None


@pytest.mark.parametrize("deltas", [[], 0.1, [0.1, 1.0], [0.0], ["many"], [float("nan")]])
def test_risks_out_of_range_are_refused(deltas):
    with pytest.raises(ValueError, match=r"^deltas? = .*; expected "):
        checked_deltas(deltas)


def test_an_algorithm_with_a_budget_has_no_risk():
    assert delta_of(APE(delta=0.05)) == 0.05
    assert delta_of(EGE(9)) is None
    assert delta_of(UniformSampling(budget=9)) is None
    assert delta_of(GEGE(budget=9)) is None


def test_a_missing_variance_bound_is_set_for_bernoulli_rewards():
    assert fitted(APE(), COINS) == APE(variance_bound=0.25)
    assert fitted(APE(variance_bound=1.0), COINS) == APE(variance_bound=1.0)
    assert fitted(APE(), CORNER) == APE()
    assert fitted(TrackAndStop(), COINS) == TrackAndStop()


@pytest.mark.parametrize(
    ("algorithm", "instance", "reason"),
    [
        (TrackAndStop(), COINS, "instance = 'coins'; expected one variance per objective"),
        (APE(), UNEVEN, "instance = 'uneven'; expected one variance per objective"),
        (APE(), RECORDED, "instance = 'recorded'; expected one variance per objective"),
        (ECAPE(), CORNER, "polyhedron = None; expected a Polyhedron"),
        (GEGE(), CORNER, "features = None; expected"),
        (UniformSampling(budget=2), CORNER, "budget = 2; expected"),
        ("APE", CORNER, "algorithm = 'APE'; expected an Algorithm"),
        (APE(), [[1.0]], "instance = .*; expected an Instance"),
    ],
)
def test_the_message_names_algorithm_and_instance(algorithm, instance, reason):
    message = f"^algorithm 'mine' cannot play instance 'here': {reason}"
    with pytest.raises(ValueError, match=message):
        check_case("mine", algorithm, "here", instance)


def test_an_algorithm_that_can_play_an_instance_is_accepted():
    check_case("mine", ECAPE(), "here", BOUNDED)
    check_case("mine", APE(variance_bound=1.0), "here", UNEVEN)


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


def test_names_are_strings():
    with pytest.raises(ValueError, match="algorithms has the name 1; expected a str"):
        named_algorithms({1: APE()})
    with pytest.raises(ValueError, match="instances has the name None; expected a str"):
        named_instances({None: "snw"})
