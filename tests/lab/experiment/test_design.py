"""Designs: names, directions, units and noise, and sixty invalid designs."""

import numpy as np
import pandas as pd
import pytest
from references.sessions import (
    ALGORITHMS,
    CHEAP,
    FEATURES,
    MEANS,
    REGION,
    answer_of,
    name_of,
    queues_of_rewards,
)

import pareto_core as pc
import pareto_lab as lab

ARMS = ["A", "B", "C", "D"]
SIGNS = np.array([1.0, -1.0])


def turned(algorithm, **changed):
    """The session of `new_session` with names, and a second objective to be minimised."""
    given = {
        "standard_deviation": None if algorithm.noise.is_stated else {"cost": 2.0, "yield": 1.0},
        "features": FEATURES if "features" in algorithm.reads else None,
        "polyhedron": REGION if "polyhedron" in algorithm.reads else None,
        "arms": ARMS,
        "objectives": {"yield": "max", "cost": "min"},
        **changed,
    }
    return lab.Session(algorithm, **given)


def plain(algorithm):
    """The same session with numbers, and all objectives to be maximised."""
    deviation = None if algorithm.noise.is_stated else [1.0, 2.0]
    features = FEATURES if "features" in algorithm.reads else None
    region = REGION if "polyhedron" in algorithm.reads else None
    return lab.Session(algorithm, 4, 2, deviation, features, region)


def numbers_of(answer):
    """Convert the names of an answer to numbers."""
    parts = [[ARMS.index(each) for each in np.atleast_1d(part)] for part in answer]
    return [part[0] for part in parts] if np.ndim(answer[0]) == 0 else parts


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=name_of)
def test_signs_and_names_do_not_change_a_session(algorithm):
    rewards, session, twin = queues_of_rewards(2), turned(algorithm), plain(algorithm)
    rng = np.random.default_rng(0)
    while not twin.finished:
        n = int(rng.integers(1, 4))
        asked = twin.ask_many(n)
        assert session.ask_many(n) == [ARMS[arm] for arm in asked]
        for arm in asked or [twin.ask()]:
            reward = rewards[arm, twin.pulls[arm] + twin.waiting[arm]]
            twin.tell(arm, reward)
            session.tell(ARMS[arm], {"cost": -reward[1], "yield": reward[0]})
    assert session.ended_by == "answer"
    assert session.pulls.tolist() == twin.pulls.tolist()
    np.testing.assert_array_equal(session.means, twin.means * SIGNS)
    assert numbers_of(session.recommendation) == answer_of(twin)


def test_the_region_is_in_the_caller_s_signs_and_units():
    region = pc.Polyhedron([[0.0, 1.0], [-1.0, 0.0]], [38.0, 0.0])  # fever up to 38, protection
    session = lab.Session(
        pc.ECAPE(delta=0.1),
        arms=["A", "B", "C"],
        objectives={"protection": "max", "fever": "min"},
        standard_deviation=[1.0, 0.1],
        polyhedron=region,
    )
    means = {"A": [100.0, 37.0], "B": [200.0, 39.0], "C": [50.0, 37.5]}
    while not session.finished:
        arm = session.ask()
        session.tell(arm, means[arm])
    assert [part.tolist() for part in session.recommendation] == [["A"], ["C"], ["B"]]


def test_names_and_numbers_may_be_mixed():
    session = lab.Session(CHEAP, n_objectives=2, arms=ARMS, standard_deviation=1.0)
    assert session.ask() == "A"
    session.tell("A", [1.0, 2.0])
    session = lab.Session(CHEAP, n_arms=4, objectives=["yield", "cost"], standard_deviation=1.0)
    assert session.ask() == 0
    session.tell(np.int64(0), {"cost": 2.0, "yield": 1.0})
    assert session.means[0].tolist() == [1.0, 2.0]
    assert session.design.directions == ("max", "max")
    assert session.design.arms == range(4)
    words = {"a": "maximize", "b": "minimise", "c": "maximise", "d": "minimize"}
    found = lab.Session(CHEAP, 4, objectives=words, standard_deviation=1.0).design.directions
    assert found == ("max", "min", "max", "min")
    lab.Session(
        CHEAP,
        n_arms=4,
        n_objectives=2,
        arms=ARMS,
        objectives=["yield", "cost"],
        standard_deviation=1.0,
    )


def test_names_and_costs_may_be_pandas_series():
    frame = pd.DataFrame({"name": ARMS, "price": [1.0, 2.0, 3.0, 4.0]})
    session = lab.Session(
        CHEAP, 4, 2, 1.0, arms=frame["name"], costs=frame.set_index("name")["price"][::-1]
    )
    assert session.design.arms == tuple(ARMS)
    assert session.design.costs.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert (
        lab.Session(CHEAP, arms=np.array(ARMS), n_objectives=2, standard_deviation=1.0).ask() == "A"
    )


def test_a_reward_may_be_a_pandas_series():
    session = turned(CHEAP)
    row = pd.DataFrame({"cost": [3.0], "yield": [4.0]}).iloc[0]
    session.tell("A", row)
    assert session.means[0].tolist() == [4.0, 3.0]


def test_zero_is_never_negative():
    assert str(turned(CHEAP).means[0].tolist()) == "[0.0, 0.0]"


def test_a_deviation_per_arm_does_not_scale_rewards():
    deviation = np.arange(1.0, 9.0).reshape(4, 2)
    session, twin = lab.Session(CHEAP, 4, 2, deviation), lab.Session(CHEAP, 4, 2, 1.0)
    for each in (session, twin):
        while not each.finished:
            arm = each.ask()
            each.tell(arm, MEANS[arm])
    np.testing.assert_array_equal(session.means, twin.means)
    assert (session.design.standard_deviation == deviation).all()


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=name_of)
def test_a_deviation_per_arm_is_refused_for_algorithms_that_need_a_common_one(algorithm):
    deviation = np.full((4, 2), 2.0)
    if algorithm.noise.is_stated:
        deviation = 2.0
        message = "states the noise itself"
    elif algorithm.noise.is_unit and not algorithm.noise.reads_covariance:
        message = rf"for {type(algorithm).__name__}, which needs .* the largest, \[2.0, 2.0\]"
    else:
        turned(algorithm, standard_deviation=deviation)
        return
    with pytest.raises(ValueError, match=rf"^standard_deviation = .*{message}"):
        turned(algorithm, standard_deviation=deviation)


NAMES = {"arms": ARMS, "objectives": {"yield": "max", "cost": "min"}}
BOUNDS = {"yield": (0, 1), "cost": (2, 30)}
COVARIANCE = np.array([[4.0, 1.0], [1.0, 1.0]])
UNSTATED = {"standard_deviation": None}
EACH_ARM = {"standard_deviation": np.ones((4, 2))}
CERTIFIED = {"algorithm": pc.Certified()}
CORRELATED = {"algorithm": pc.Certified(rule="pairs"), **UNSTATED, "covariance": COVARIANCE}
LINEAR = {"algorithm": pc.TopTwoIDS(linear=True), "features": np.eye(4)}
UNKNOWN = {"standard_deviation": "unknown"}
MIXED = {"yield": 0.3, "cost": "unknown"}
EXTREME = ".*expected noise .* from 1e-70 to 1e\\+70"
BAD_NOISE = [
    ({"bounds": (0, 1)}, "standard_deviation = .* with bounds"),
    (UNKNOWN | {"bounds": (0, 1)}, "standard_deviation = 'unknown' with bounds"),
    *(
        (UNSTATED | {"bounds": bounds}, message)
        for bounds, message in [
            ((1, 0), r"bounds = \(1, 0\); expected low < high"),
            ((0, 1, 2), r"bounds = \(0, 1, 2\); expected \(low, high\)"),
            ([(0, 1)] * 3, ".*expected 2 pairs, one per objective"),
            ({"yield": (0, 1)}, "bounds has no value for 'cost'"),
            ({**BOUNDS, "pain": (0, 1)}, "bounds has a value for 'pain'"),
            ((0, np.inf), r"bounds\[1\] = inf; expected finite numbers"),
            ((0.0, 1e-80), rf"bounds = \(0.0, 1e-80\);{EXTREME}"),
        ]
    ),
    *(
        (CERTIFIED | {"standard_deviation": deviation}, message)
        for deviation, message in [
            ({"yield": 0.3}, "standard_deviation has no value for 'cost'"),
            ({**MIXED, "yield": -1}, "standard_deviation = -1"),
            ({**MIXED, "yield": np.nan}, "standard_deviation = nan"),
            ({**MIXED, "yield": True}, "standard_deviation = True"),
            ({**MIXED, "yield": "none"}, "standard_deviation = 'none'"),
            ({**MIXED, "speed": 1.0}, "standard_deviation has a value for 'speed'"),
            ([0, 0], ".*expected noise in at least one objective"),
            (1e-80, f"standard_deviation = 1e-80;{EXTREME}"),
            ([1.0, 1e71], rf"standard_deviation = \[1.0, 1e\+71\];{EXTREME}"),
            ({"yield": "unknown", "cost": 1e-75}, f"standard_deviation = {{.*}};{EXTREME}"),
        ]
    ),
    (CERTIFIED | {"standard_deviation": MIXED, "bounds": (0, 1)}, ".*which imply it; expected one"),
    *(
        ({"standard_deviation": each}, "standard_deviation = .*True.*; expected numbers, not True")
        for each in (np.True_, {"yield": 1, "cost": True})
    ),
    *(
        (
            {"algorithm": each, "standard_deviation": MIXED},
            r".*expected pc.Certified\(algorithm\)",
        )
        for each in (pc.TrackAndStop(threshold="proven"), CHEAP, pc.Certified(variance="unknown"))
    ),
    *(
        ({"algorithm": algorithm, "standard_deviation": each}, ".*states the noise itself")
        for algorithm in (pc.APE(variance_bound=4), pc.WidestBox(bounds=(0.0, 1.0)))
        for each in (1.0, [1.0, 2.0], "unknown")
    ),
    (
        {"algorithm": pc.APE(variance_bound=4), **UNSTATED, "bounds": (0, 1)},
        ".*states the noise its",
    ),
    (
        {"algorithm": pc.APE(variance_bound=1e-150), **UNSTATED},
        f"variance_bound of APE.*;{EXTREME}",
    ),
    (UNKNOWN | {"algorithm": pc.Certified(pc.APE())}, ".*unknown"),
    (UNKNOWN | {"algorithm": pc.MOBAI()}, ".*expected one for the Pareto set"),
    (CORRELATED | {"algorithm": pc.APE()}, ".*which does not use it; expected TopTwoIDS, Tr"),
    (CORRELATED | {"algorithm": CHEAP}, ".*which does not use it"),
    (CORRELATED | LINEAR, ".*not use it"),
    (CORRELATED | {"covariance": -COVARIANCE}, ".*a symmetric, positive definite array"),
    (CORRELATED | {"covariance": np.eye(3)}, ".*expected a symmetric, positive definite"),
    (CORRELATED | {"covariance": np.eye(2) * 1e-150}, f"covariance = array{EXTREME}"),
    (CORRELATED | {"standard_deviation": 1.0}, ".*another statement"),
    (CORRELATED | {"bounds": (0, 1)}, ".*another statement"),
    (CORRELATED | {"algorithm": pc.APE(variance_bound=1.0)}, ".*another statement"),
    (EACH_ARM | {"algorithm": pc.APE()}, ".*such as TopTwoIDS or Cert"),
    (EACH_ARM | LINEAR, ".*common to all arms"),
]
BAD_DESIGNS = [
    ({"arms": None}, "n_arms = None; expected an integer"),
    ({"arms": 4}, "arms = 4; expected a sequence of names"),
    ({"arms": "ABCD"}, "arms = 'ABCD'; expected a sequence of names"),
    ({"arms": {"A", "B"}}, "arms = {.*}; expected a sequence of names"),
    ({"arms": []}, r"arms = \[\]; expected a sequence of names"),
    ({"arms": ["A"]}, "n_arms = 1; expected an integer, at least 2"),
    ({"arms": ["A", 2]}, r"arms = \['A', 2\]; expected a sequence of names"),
    ({"arms": ["A", "B", "A"]}, "arms has the name 'A' twice"),
    ({"arms": ["A", ""]}, "arms has the name ''; expected 1 to 100 printable"),
    ({"arms": ["A", " B"]}, "arms has the name ' B'"),
    ({"arms": ["A", "B\0C"]}, "arms has the name 'B"),
    ({"arms": ["A", "B" * 101]}, "arms has the name 'BBB"),
    ({"n_arms": 3}, "n_arms = 3 with 4 arms; expected their number"),
    ({"objectives": None}, "n_objectives = None; expected an integer"),
    ({"objectives": {}}, "objectives = {}; expected a sequence of names"),
    ({"objectives": ["yield", "arm"]}, "objectives has the name 'arm', which in tables"),
    ({"objectives": {"yield": "up", "cost": "min"}}, "direction of 'yield' = 'up'; expected one"),
    ({"objectives": {"yield": "max", "cost": "Min"}}, "direction of 'cost' .*mean 'min'"),
    ({"n_objectives": 3}, "n_objectives = 3 with 2 objectives; expected their number"),
    ({"units": ["kg", "h"]}, r"units = \['kg', 'h'\]; expected a mapping"),
    ({"units": {"costs": "h"}}, "units has a unit for 'costs'; .*did you mean 'cost'"),
    ({"units": {"cost": 3}}, "unit of 'cost' = 3; expected a printable str"),
    ({"units": {"cost": "h\n"}}, "unit of 'cost' = 'h"),
    ({"standard_deviation": 0.0}, "standard_deviation = 0.0; expected one positive"),
    (
        {"standard_deviation": "guessed"},
        "standard_deviation = 'guessed'; expected numbers, or one of unknown",
    ),
    ({"standard_deviation": [1.0, 1.0, 1.0]}, r"standard_deviation = \[1.0, 1.0, 1.0\]; exp"),
    ({"standard_deviation": np.ones((2, 4))}, r"standard_deviation = .*of shape \(4, 2\)"),
    ({"costs": 1.0}, "costs = 1.0; expected 4 finite numbers above 0"),
    ({"costs": [1.0, 2.0, 0.0, 1.0]}, "costs = .*; expected 4 finite numbers above 0"),
    ({"costs": [1.0, 2.0, np.inf, 1.0]}, "costs = .*; expected 4 finite numbers above 0"),
    ({"costs": ["1", "2", "3", "4"]}, "costs = .*; expected real numbers"),
    ({"costs": {"A": 1.0, "B": 2.0, "C": 1.0}}, "costs has no value for 'D'"),
    ({"costs": dict.fromkeys("ABCDE", 1.0)}, "costs has a value for 'E'; expected one of A, B"),
    ({"budget": 0}, "budget = 0; expected an integer, at least 1"),
    ({"budget": 2}, "budget = 2; expected at least 3, the cost of what UniformSampling samples"),
    ({"budget": 5.9, "costs": [2, 1, 1, 1]}, "budget = 5.9; expected at least 6, the cost"),
    ({"budget": -1.0, "costs": [2, 1, 1, 1]}, "budget = -1.0; expected a number above 0"),
    ({"budget": 10**400, "costs": [2, 1, 1, 1]}, "budget = 1000.*; expected a finite number"),
    ({"polyhedron": pc.orthant([0.0])}, "polyhedron has 1 objectives; expected 2"),
    ({"polyhedron": REGION}, "polyhedron = .*for UniformSampling, which does not use it"),
    ({"features": FEATURES[:3]}, "features has 3 rows; expected 4"),
    ({"features": FEATURES}, "features = .*for UniformSampling, which does not use it"),
    ({"seed": -1}, "seed = -1; expected an integer"),
    (
        {"algorithm": pc.SeparateTopTwo()},
        "algorithm = SeparateTopTwo.* measures one objective at a time; .* or pc.simulate in place",
    ),
    *(
        ({"algorithm": each}, "algorithm = .*; expected an Algorithm")
        for each in (None, 5, "APE", pc.APE)
    ),
    *(
        (
            {"arms": None, "objectives": None, "n_arms": k, "n_objectives": d},
            "n_arms = .*expected at most 1000000 means",
        )
        for k, d in ((10**14, 2), (2, 10**14), (10**4, 10**3))
    ),
    *(
        ({"algorithm": pc.Certified(pc.UniformSampling(), epsilon=each)}, message)
        for each, message in [
            ({"yield": 0.5}, "epsilon = .*expected one number for each of the objectives"),
            (
                {"yield": 0.5, "costs": 2},
                "epsilon = .*expected one number for each of the objectiv",
            ),
            ([1.0, 2.0, 3.0], "epsilon = .*expected 2 numbers"),
        ]
    ),
]


@pytest.mark.parametrize(("given", "message"), BAD_DESIGNS + BAD_NOISE)
def test_an_invalid_design_is_refused_by_name(given, message):
    with pytest.raises(ValueError, match=f"(?s)^{message}"):
        lab.Session(**{"algorithm": CHEAP, **NAMES, "standard_deviation": 1.0, **given})


@pytest.mark.parametrize(
    ("arm", "reward", "message"),
    [
        ("a", [1.0, 2.0], "arm = 'a'; expected A, the arm asked for"),
        ("B", [1.0, 2.0], "arm = 'B'; expected A, the arm asked for; tell_all takes rewards"),
        (np.array(["A", "B"]), [1.0, 2.0], r"arm = array\("),
        ("A", [1.0], r"reward = \[1.0\]; expected 2 finite numbers"),
        ("A", {"yield": 1.0}, "reward has no value for 'cost'; expected one for each of yield"),
        ("A", {"yield": 1.0, "cost": 1.0, "fun": 1.0}, "reward has a value for 'fun'"),
        ("A", {"yield": 1.0, "cost": None}, r"reward = .*; expected"),
        ("A", {"yield": 1.0, "cost": np.inf}, r"reward = .*; expected 2 finite"),
        ("A", pd.Series([1.0, 2.0]), "reward has a value for 0; expected one of yield, cost"),
        ("A", pd.Series([1.0, 2.0], ["cost", "cost"]), "reward = .*"),
    ],
)
def test_an_invalid_reward_is_refused_by_name(arm, reward, message):
    session = turned(CHEAP)
    with pytest.raises(ValueError, match=f"(?s)^{message}"):
        session.tell(arm, reward)
    assert session.samples == 0
    assert session.spent == 0


def test_a_message_lists_ten_names():
    session = lab.Session(pc.EGE(budget=10_000), 400, 2, 1.0)
    with pytest.raises(ValueError, match=r"^arm = 'x'; expected one of 0, 1, .* 9, \.\.\. \(400"):
        session.withdraw("x", [0.0, 0.0])


def test_pandas_tables_are_in_the_order_of_the_design():
    def session(**given):
        return lab.Session(pc.UniformSampling(budget=9), n_objectives=2, **given)

    frame = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], index=["B", "A"])
    with pytest.raises(ValueError, match=r"standard_deviation(.|\n)*columns B, A; expected A, B"):
        session(arms=["A", "B"], standard_deviation=frame)
    found = session(arms=["B", "A"], standard_deviation=frame).design
    assert found.standard_deviation.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(ValueError, match=r"standard_deviation(.|\n)*columns 1, 0; expected 0, 1"):
        session(arms=["B", "A"], standard_deviation=frame[[1, 0]])
    for index in ([1, 0], ["A", "B"]):
        with pytest.raises(ValueError, match=r"costs = (.|\n)*; expected the index 0"):
            session(n_arms=2, costs=pd.Series([1.0, 2.0], index=index), standard_deviation=1.0)
    with pytest.raises(ValueError, match="costs has a value for 0; expected one of A, B"):
        session(arms=["A", "B"], costs=pd.Series([1.0, 2.0]), standard_deviation=1.0)


@pytest.mark.parametrize("size", [1e-70, 1e70])
def test_noise_of_extreme_size_has_a_status(size):
    session = lab.Session(pc.Certified(), 2, 1, standard_deviation=size)
    session.tell_all({"arm": [0] * 9 + [1] * 9, 0: [0.0] * 9 + [9 * size] * 9})
    assert session.status().optimal == [1]
