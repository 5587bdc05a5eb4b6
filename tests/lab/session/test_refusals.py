"""What a session refuses: each wrong argument once, by its name, and nothing changes."""

import numpy as np
import pandas as pd
import pytest
from references.sessions import ALGORITHMS, CHEAP, DEVIATION, FEATURES, REGION, name_of

import pareto_core as pc
import pareto_lab as lab

NAMES = {"arms": [*"ABCD"], "objectives": {"yield": "max", "cost": "min"}}
COVARIANCE = np.array([[4.0, 1.0], [1.0, 1.0]])
UNSTATED = {"standard_deviation": None}
CERTIFIED = {"algorithm": pc.Certified()}
CORRELATED = {"algorithm": pc.Certified(rule="pairs"), **UNSTATED, "covariance": COVARIANCE}
LINEAR = {"algorithm": pc.TopTwoIDS(linear=True), "features": np.eye(4)}
UNKNOWN = {"standard_deviation": "unknown"}
MIXED = {"yield": 0.3, "cost": "unknown"}
TURNED = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], ["A", "B"], ["cost", "yield"])
EXTREME = ".*expected noise .* from 1e-70 to 1e\\+70"
DESIGNS = [
    ({"algorithm": None}, "algorithm = None; expected an Algorithm"),
    ({"algorithm": pc.APE}, "algorithm = .*; expected an Algorithm"),
    (
        {"algorithm": pc.SeparateTopTwo()},
        "algorithm = SeparateTopTwo.* measures one objective at a time; .* or pc.simulate in place",
    ),
    ({"arms": None}, "n_arms = None; expected an integer"),
    ({"arms": 4}, "arms = 4; expected a sequence of names"),
    ({"arms": {"A", "B"}}, "arms = {.*}; expected a sequence of names"),
    ({"arms": ["A"]}, "n_arms = 1; expected an integer, at least 2"),
    ({"arms": ["A", 2]}, r"arms = \['A', 2\]; expected a sequence of names"),
    ({"arms": ["A", "B", "A"]}, "arms has the name 'A' twice"),
    ({"arms": ["A", " B"]}, "arms has the name ' B'; expected 1 to 100 printable"),
    ({"arms": ["A", "B\0C"]}, "arms has the name 'B"),
    ({"n_arms": 3}, "n_arms = 3 with 4 arms; expected their number"),
    ({"objectives": ["yield", "arm"]}, "objectives has the name 'arm', which in tables"),
    ({"objectives": {"yield": "max", "cost": "Min"}}, "direction of 'cost' .*mean 'min'"),
    (
        {"arms": None, "objectives": None, "n_arms": 10**14, "n_objectives": 2},
        "n_arms = .*expected at most 1000000 means",
    ),
    ({"units": ["kg", "h"]}, r"units = \['kg', 'h'\]; expected a mapping"),
    ({"units": {"costs": "h"}}, "units has a unit for 'costs'; .*did you mean 'cost'"),
    ({"units": {"cost": "h\n"}}, "unit of 'cost' = 'h.*; expected a printable str"),
    ({"costs": [1.0, 2.0, 0.0, 1.0]}, "costs = .*; expected 4 finite numbers above 0"),
    ({"costs": ["1", "2", "3", "4"]}, "costs = .*; expected real numbers"),
    ({"costs": {"A": 1.0, "B": 2.0, "C": 1.0}}, "costs has no value for 'D'"),
    (
        {"arms": None, "n_arms": 2, "costs": pd.Series([1.0, 2.0], [1, 0])},
        "costs = .*; expected the index 0",
    ),
    ({"budget": 50.5}, "budget = 50.5; expected an integer, at least 1: without costs"),
    ({"budget": 2}, "budget = 2; expected at least 3, the cost of what UniformSampling samples"),
    ({"budget": 5.9, "costs": [2, 1, 1, 1]}, "budget = 5.9; expected at least 6, the cost"),
    ({"polyhedron": pc.orthant([0.0])}, "polyhedron has 1 objectives; expected 2"),
    ({"features": FEATURES[:3]}, "features has 3 rows; expected 4"),
    ({"seed": -1}, "seed = -1; expected an integer"),
    *(
        (CERTIFIED | {"algorithm": pc.Certified(CHEAP, epsilon=epsilon)}, f"epsilon = .*{message}")
        for epsilon, message in (
            ({"yield": 0.5}, "expected one number for each of the objectives"),
            ([1.0, 2.0, 3.0], "expected 2 numbers"),
        )
    ),
    # The noise
    (UNSTATED, "standard_deviation = None; expected a statement about the noise: one positive"),
    *(
        (CERTIFIED | {"standard_deviation": each}, f"standard_deviation.*{message}")
        for each, message in [
            (0.0, "= 0.0; expected one positive"),
            (np.True_, "True.*; expected numbers, not True"),
            ("guessed", "= 'guessed'; expected numbers, or one of unknown"),
            ([1.0, 1.0, 1.0], r"= \[1.0, 1.0, 1.0\]; expected"),
            (np.ones((2, 4)), r"of shape \(4, 2\)"),
            ({"yield": 0.3}, "has no value for 'cost'"),
            ({**MIXED, "yield": -1}, "= -1"),
            ({**MIXED, "yield": "none"}, "= 'none'"),
            ([0, 0], "expected noise in at least one objective"),
            (["unknown", "unknown, equal"], "not both"),
            ([1.0, 1e71], rf"= \[1.0, 1e\+71\];{EXTREME}"),
            ({"yield": "unknown", "cost": 1e-75}, f"= {{.*}};{EXTREME}"),
        ]
    ),
    (
        {"arms": ["B", "A"], "standard_deviation": TURNED},
        "standard_deviation.*columns A, B; expected B, A",
    ),
    (
        {"arms": ["A", "B"], "standard_deviation": TURNED},
        "standard_deviation.*columns cost, yield; expected yield, cost",
    ),
    ({"bounds": (0, 1)}, "standard_deviation = .* with bounds"),
    *(
        (UNSTATED | {"bounds": bounds}, message)
        for bounds, message in [
            ((1, 0), r"bounds = \(1, 0\); expected low < high"),
            ((0, 1, 2), r"bounds = \(0, 1, 2\); expected \(low, high\)"),
            ([(0, 1)] * 3, ".*expected 2 pairs, one per objective"),
            ({"yield": (0, 1)}, "bounds has no value for 'cost'"),
            ((0, np.inf), r"bounds\[1\] = inf; expected finite numbers"),
            ((0.0, 1e-80), rf"bounds = \(0.0, 1e-80\);{EXTREME}"),
        ]
    ),
    ({"standard_deviation": MIXED}, r".*expected pc.Certified\(algorithm\)"),
    (
        {"algorithm": pc.Certified(variance="unknown"), "standard_deviation": 2.0},
        ".*rule ignores that; expected standard_deviation = 'unknown'",
    ),
    (
        UNKNOWN | {"algorithm": pc.Certified(variance="unknown, equal")},
        "standard_deviation = 'unknown' for Certified",
    ),
    (UNKNOWN | {"algorithm": pc.MOBAI()}, ".*expected one for the Pareto set"),
    ({"algorithm": pc.APE(variance_bound=4)}, ".*states the noise itself"),
    ({"algorithm": pc.APE(variance_bound=4), **UNSTATED, "bounds": (0, 1)}, ".*states the noise"),
    (
        {"algorithm": pc.APE(variance_bound=1e-150), **UNSTATED},
        f"variance_bound of APE.*;{EXTREME}",
    ),
    ({"algorithm": pc.APE(), "standard_deviation": np.ones((4, 2))}, ".*such as TopTwoIDS or Cert"),
    (LINEAR | {"standard_deviation": np.ones((4, 2))}, ".*common to all arms"),
    (CORRELATED | {"algorithm": pc.APE()}, ".*which does not use it; expected TopTwoIDS, Tr"),
    (
        CORRELATED | {"covariance": pd.DataFrame(COVARIANCE, ["cost", "yield"])},
        "covariance = .* has the rows or columns cost, yield; expected yield, cost",
    ),
    (CORRELATED | {"covariance": -COVARIANCE}, ".*a symmetric, positive definite array"),
    (CORRELATED | {"covariance": np.eye(2) * 1e-150}, f"covariance = array{EXTREME}"),
    (CORRELATED | {"standard_deviation": 1.0}, ".*expected one statement about the noise"),
]


@pytest.mark.parametrize(("given", "message"), DESIGNS)
def test_an_invalid_design_is_refused_by_name(given, message):
    with pytest.raises(ValueError, match=f"(?s)^{message}"):
        lab.Session(**{"algorithm": CHEAP, **NAMES, "standard_deviation": 1.0, **given})


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=name_of)
def test_ignored_arguments_and_missing_arguments_are_refused(algorithm):
    deviation = None if algorithm.noise.is_stated else DEVIATION
    values = {"features": FEATURES, "polyhedron": REGION}
    given = {name: value for name, value in values.items() if name in algorithm.reads}
    lab.Session(algorithm, 4, 2, deviation, **given)
    for name, value in values.items():
        changed = {**given, name: None if name in given else value}
        with pytest.raises(ValueError, match=f"(?s)^{name} = .*expected"):
            lab.Session(algorithm, 4, 2, deviation, **changed)


# Methods

MEANS = np.zeros((4, 2))
TABLE = {"arm": ["B", "C"], "yield": [1.0, 2.0], "cost": [3.0, 4.0], "tube": ["u1", "u2"]}
FRAME = pd.DataFrame(TABLE)
NEITHER = "expected arm and reward, or id, or number"


def begun():
    """A session with a reward of arm A and a withdrawn one, without arm D, which asks for B."""
    session = lab.Session(
        pc.Certified(pc.UniformSampling()),
        **NAMES,
        standard_deviation=1.0,
        costs=[1.0, 2.0, 1.0, 1.0],
        budget=50.0,
    )
    session.tell("A", [1.0, 0.0], id="t1")
    session.tell_all({"arm": ["A"], "yield": [2.0], "cost": [0.0], "id": ["t2"]}, id="id")
    session.withdraw(id="t2")
    session.retire("D", "sold out", still_counts=True)
    return session


def told(arm, reward, message):
    return "tell", {"arm": arm, "reward": reward}, message


def table(message, **changed):
    return "tell_all", {"frame": {**TABLE, **changed}}, message


def sheet(message, **given):
    return "tell_all", {"frame": TABLE, **given}, message


def added(message, **given):
    return "add_arm", {"name": "E", "made_from_data": False, "cost": 1.0, **given}, message


def retired(message, **given):
    return "retire", {"arm": "A", "reason": "why", "still_counts": True, **given}, message


def planned(message, **given):
    return "plan", {"means": MEANS, "progress": False, **given}, message


CALLS = [
    told("a", [1.0, 2.0], "arm = 'a'; expected B, the arm asked for$"),
    told("C", [1.0, 2.0], "arm = 'C'; expected B, the arm asked for; tell_all takes rewards"),
    told(np.array(["A", "B"]), [1.0, 2.0], r"arm = array\("),
    told("B", [1.0], r"reward = \[1.0\]; expected 2 finite numbers"),
    told("B", [None, np.nan], "reward = .*; expected at least one observed value"),
    told("B", {"yield": 1.0, "fun": 1.0}, "reward has a value for 'fun'; expected one of yield"),
    told("B", pd.Series([1.0, 2.0], ["cost", "cost"]), "reward = .*; expected one value for each"),
    told("B", [1.0, 1e151], "reward = .*; expected numbers of magnitude 1e\\+150 at most"),
    told("B", [1.0, 10**400], "reward = .*; expected real numbers"),
    told("B", [1.0, True], r"reward = \[1.0, True\]; expected numbers, not True or False"),
    ("tell", {"arm": "B", "reward": [1.0, 1.0], "id": 1.5}, "id = 1.5; expected the identifier"),
    ("tell", {"arm": "A", "reward": [3.0, 0.0], "id": "t1"}, "id: sample 't1' is arm A, reward"),
    *(("ask_many", {"n": n}, "n = .* expected ") for n in (0, 1.5, True, "2", 100_001, 10**30)),
    ("tell_all", {"frame": None}, "frame = None; expected a DataFrame, a mapping of columns, or"),
    ("tell_all", {"frame": FRAME.drop(columns="arm")}, "frame has 0 columns 'arm' among yield"),
    ("tell_all", {"frame": FRAME.rename(columns={"tube": "cost"})}, "frame has 2 columns 'cost'"),
    table("frame = .*is not a table", arm=["A"]),
    table("frame has 'A' as 'arm'; expected a value for each", arm="A"),
    table(
        "frame has series of different indices; expected one index",
        **{"yield": pd.Series([1, 2], [1, 0]), "cost": pd.Series([1, 2])},
    ),
    ("tell_all", {"frame": FRAME[:0]}, "frame has no rows; expected at least one"),
    table("row 2: arm = 'b'.*mean 'B'", arm=["A", "b"]),
    table("row 2: arm = (None|nan); expected", arm=["A", None]),
    table(r"row 1: reward = \[1.0, '1'\]; expected real", cost=["1", "2"]),
    table("row 1: reward = .*; expected real numbers", cost=[pd.Timestamp("2024-01-01")] * 2),
    sheet("id = 'arm'; expected the name of the column of sample identifiers", id="arm"),
    sheet("id = 3; expected the name of the column of sample identifiers", id=3),
    sheet("frame has 0 columns 'vial' among", id="vial"),
    sheet("repeat = 1; expected True or False", repeat=1),
    *(
        (
            "tell_all",
            {"frame": {**TABLE, "tube": ["u1", bad]}, "id": "tube"},
            f"row 2: id = .*{text}",
        )
        for bad, text in [
            (np.nan, "is empty; expected the identifier"),
            ("  ", "is empty; expected the identifier"),
            (1e17, "expected the identifier of a sample, a str of 1 to 100"),
            (True, "expected the identifier"),
            (["t"], "expected the identifier"),
        ]
    ),
    ("withdraw", {}, f"arm = None, reward = None, id = None, number = None; {NEITHER}"),
    ("withdraw", {"arm": "A", "id": "t1"}, f"arm = 'A', reward = None, id = 't1'.*; {NEITHER}"),
    ("withdraw", {"arm": "E", "reward": [1, 0]}, "arm = 'E'; expected one of A, B"),
    ("withdraw", {"arm": "A", "reward": [2, 0]}, r"reward = .* arm A; expected a reward that c"),
    ("withdraw", {"id": "t9"}, "id = 't9'; no such reward was told; expected a reward that counts"),
    ("withdraw", {"id": "t2"}, "id = 't2'; this reward was withdrawn before; expected a reward"),
    ("withdraw", {"number": 7}, "number = 7; no such reward was told"),
    ("withdraw", {"number": 1, "instead": [1]}, r"instead = \[1\]; expected 2 finite numbers"),
    ("withdraw", {"number": 1, "reason": "x" * 1001}, "reason = 'x.*; expected a str of at most"),
    retired("arm = 'D' is retired already", arm="D"),
    retired("reason = ''; expected a printable str of 1 to 1000", reason=""),
    retired("reason = '.udc", reason="\udc00"),
    retired("still_counts = 1", still_counts=1),
    retired("still_counts = False with rule = 'joint', whose statements", still_counts=False),
    added("made_from_data = True, .*expected a new session", made_from_data=True),
    added("made_from_data = 0", made_from_data=0),
    added("arms has the name 'A' twice", name="A"),
    added("name = None", name=None),
    added("cost = None", cost=None),
    added("cost = -1", cost=-1),
    added(r"features = \[1.0\]", features=[1.0]),
    added("delta = 2", delta=2),
    *(("raise_budget", {"budget": each}, "budget = .*; exp") for each in (50.0, None, "9", np.nan)),
    ("status", {"delta": 1.0}, "delta = 1.0"),
    ("status", {"rule": "guess"}, "rule = 'guess'"),
    ("status", {"standard_deviation": [1, 2]}, r"standard_deviation = \[1, 2\]"),
    planned(r"means = None; expected finite numbers of shape \(4, 2\)", means=None),
    planned("means = .*; expected finite numbers", means=MEANS + np.nan),
    planned("means has no value for 'C'", means={"A": [1, 2], "B": [1, 2], "D": [1, 2]}),
    planned("means has no value for 'cost'", means=pd.DataFrame(MEANS, [*"ABCD"], ["yield", "x"])),
    planned("means.* expected one row for each arm", means=pd.DataFrame(MEANS, [*"ABCC"])),
    planned(
        "means has a value for 'E'", means=pd.DataFrame(MEANS, [*"ABCE"], [*NAMES["objectives"]])
    ),
    planned("runs = 0; expected an integer, at least 1", runs=0),
    planned("max_samples = 0; expected an integer", max_samples=0),
    planned("standard_deviation = 0.0; expected one positive number", standard_deviation=0.0),
    ("plot", {"ax": "axes"}, "ax = 'axes'; expected 1 axes of Matplotlib"),
    ("plot", {"delta": 0}, "delta = 0"),
    ("report", {"path": "report.md"}, "path = 'report.md'; expected a name that ends in .html"),
    ("report", {"path": None}, "path = None; expected a str or a path"),
    ("report", {"path": "report.html", "delta": 2}, "delta = 2"),
    ("save", {"path": 5}, "path = 5; expected a str or a path"),
]


@pytest.mark.parametrize(("method", "arguments", "message"), CALLS)
def test_a_wrong_argument_is_named_and_nothing_changes(
    method, arguments, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    session = begun()
    before = session._content()
    with pytest.raises(ValueError, match=f"(?s)^{message}"):
        getattr(session, method)(**arguments)
    assert session._content() == before
    assert list(tmp_path.iterdir()) == []


def test_what_other_sessions_refuse():
    session = lab.Session(CHEAP, 4, 2, 1.0)
    with pytest.raises(ValueError, match="budget = 9; expected a session that has a budget"):
        session.raise_budget(9)
    with pytest.raises(ValueError, match=r"algorithm = .*expected pc\.Certified"):
        session.retire(3, "why", still_counts=True)
    session.ask_many(5)
    with pytest.raises(ValueError, match="with 5 samples outstanding; expected at most 100000"):
        session.ask_many(99_996)
    with pytest.raises(ValueError, match=r"^arm = True; expected one of 0, 1, the arms"):
        session.tell(True, [0.0, 0.0])
    each = lab.Session(pc.UniformSampling(budget=9), 2, 1, [[1.0], [2.0]])
    with pytest.raises(ValueError, match="the noise is stated for each arm"):
        each.add_arm(made_from_data=False)
    linear = lab.Session(pc.GEGE(budget=20), 2, 2, 1.0, np.eye(2))
    with pytest.raises(ValueError, match="2 finite numbers"):
        linear.add_arm(made_from_data=False, features=[0.5])
    last = begun()
    for arm in "AB":
        last.retire(arm, "sold out", still_counts=True)
    with pytest.raises(ValueError, match="last that may be sampled"):
        last.retire("C", "sold out", still_counts=True)
    many = lab.Session(pc.EGE(budget=10_000), 400, 2, 1.0)
    with pytest.raises(ValueError, match=r"^arm = 'x'; expected one of 0, 1, .* 9, \.\.\. \(400"):
        many.withdraw("x", [0.0, 0.0])


@pytest.mark.parametrize(
    ("deviation", "reward"), [(1e-10, 1e300), (1e-10, -1e141), (1e-70, 1e81), (1e70, 1e151)]
)
def test_rewards_of_extreme_size_are_refused(deviation, reward):
    session = lab.Session(pc.TrackAndStop(), 2, 1, standard_deviation=deviation)
    with pytest.raises(ValueError, match=r"^reward = .*; expected"):
        session.tell(session.ask(), [reward])
    assert session.samples == 0


@pytest.mark.parametrize("size", [1e-60, 1e70])
def test_rewards_of_any_other_size_are_used(size):
    session = lab.Session(pc.TrackAndStop(), 2, 2, standard_deviation=1e-5 * size)
    for reward in ([1.0, 1.0], [2.0, 2.0]):
        session.tell(session.ask(), np.array(reward) * size)
    assert session.ended_by == "answer"
    np.testing.assert_allclose(session.means, [[size, size], [2 * size, 2 * size]])
