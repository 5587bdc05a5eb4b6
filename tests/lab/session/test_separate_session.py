"""Sessions that ask for one objective of one arm at a time."""

import itertools

import numpy as np
import pandas as pd
import pytest

import pareto_core as pc
from pareto_lab import Session, load_session

ARMS, OBJECTIVES = ("A", "B", "C"), {"accuracy": "max", "latency": "min"}
COSTS = {"accuracy": 10.0, "latency": 1.0}
DEVIATION = {"accuracy": 0.5, "latency": 2.0}
MEANS = {"A": (1.0, 5.0), "B": (0.5, 4.0), "C": (0.0, 8.0)}


def new_session(threshold="stylised", delta=0.1, **settings):
    settings = {"standard_deviation": DEVIATION, "costs": COSTS, **settings}
    algorithm = pc.SeparateTopTwo(delta, threshold=threshold)
    return Session(algorithm, arms=ARMS, objectives=OBJECTIVES, **settings)


def test_a_correlation_is_refused_because_measurements_are_independent():
    covariance = np.array([[0.25, 0.9], [0.9, 4.0]])
    with pytest.raises(ValueError, match="measurements are of one objective each"):
        new_session(standard_deviation=None, covariance=covariance)
    alone = covariance * np.eye(2)
    assert new_session(standard_deviation=None, covariance=alone).ask() == new_session().ask()


class Laboratory:
    """Measurements whose values depend on the pair and on how often it was measured."""

    def __init__(self, seed=0):
        noise = np.random.default_rng(seed).standard_normal((3, 2, 5000))
        values = np.array(list(MEANS.values()))[..., None] + noise * [[[0.5], [2.0]]]
        self.queues = {
            (arm, objective): iter(values[k, c].tolist())
            for k, arm in enumerate(ARMS)
            for c, objective in enumerate(OBJECTIVES)
        }

    def measure(self, pair):
        return next(self.queues[pair])


def finish(session, laboratory, n=None):
    while not session.finished:
        for pair in [session.ask()] if n is None else session.ask_many(n):
            session.tell(pair, laboratory.measure(pair))
    return session


def test_ask_names_an_arm_and_an_objective():
    session = new_session()
    assert session.ask() == ("A", "accuracy")
    assert session.ask_many(5) == [
        ("A", "latency"),
        ("B", "accuracy"),
        ("B", "latency"),
        ("C", "accuracy"),
        ("C", "latency"),
    ]
    assert session.outstanding.tolist() == [[1, 1], [1, 1], [1, 1]]
    session.tell(("C", "latency"), 8.5)
    assert session.waiting.tolist() == [[0, 0], [0, 0], [0, 1]]
    session.tell(("A", "accuracy"), [1.5])
    assert session.pulls.tolist() == [[1, 0], [0, 0], [0, 0]]
    assert session.means[0].tolist() == [1.5, 0.0] and session.spent == 33.0


def test_numbers_serve_without_names():
    session = Session(pc.SeparateTopTwo(), 2, 2, 1.0)
    assert session.ask() == (0, 0)
    table = {"arm": [0, 0, 1, 1], "objective": [0, 1, 0, 1], "value": [1.0, 2.0, -1.0, -2.0]}
    session.tell_all(table)
    assert session.means.tolist() == [[1.0, 2.0], [-1.0, -2.0]]


@pytest.mark.parametrize("threshold", ["stylised", "proven"])
def test_the_answer_does_not_depend_on_how_many_are_asked_at_once(threshold):
    one = finish(new_session(threshold), Laboratory())
    many = finish(new_session(threshold), Laboratory(), 7)
    assert one.ended_by == many.ended_by == "answer"
    assert one.recommendation.tolist() == many.recommendation.tolist() == ["A", "B"]
    np.testing.assert_array_equal(one.pulls, many.pulls)
    assert one.algorithm.costs == ((10.0, 1.0),) * 3
    assert one.spent == (one.pulls @ [10.0, 1.0]).sum()


@pytest.mark.parametrize("as_file", [False, True])
def test_tables_have_a_row_for_each_value(as_file, tmp_path):
    rows = [("A", "accuracy", 1.1, "s1"), ("A", "latency", 5.0, "s2"), ("B", "accuracy", 0.4, "s3")]
    table = pd.DataFrame(rows, columns=["arm", "objective", "value", "sample"])
    if as_file:
        table.to_csv(tmp_path / "t.csv", index=False)
    given = tmp_path / "t.csv" if as_file else table
    session = new_session()
    assert session.tell_all(given, id="sample") == (3, 0)
    assert session.tell_all(given, id="sample") == (0, 3)
    assert session.samples == 3 and session.spent == 0.0
    with pytest.raises(
        ValueError, match=r"row 1.*expected one of accuracy, latency \(did you mean"
    ):
        session.tell_all({"arm": ["A"], "objective": ["acuracy"], "value": [1.0]})
    with pytest.raises(ValueError, match="expected the columns arm, objective, value"):
        session.tell_all({"arm": ["A"], "accuracy": [1.0], "latency": [1.0]})
    with pytest.raises(ValueError, match="rows have the arm and the reward of one told before"):
        session.tell_all(table[["arm", "objective", "value"]])


def test_a_session_is_restored_and_continued(tmp_path):
    laboratory, twin = Laboratory(), Laboratory()
    session, path = new_session(budget=2000.0), tmp_path / "mine.json"
    number = itertools.count()
    for _ in range(30):
        for pair in session.ask_many(2):
            session.tell(pair, laboratory.measure(pair), id=f"x{next(number)}")
            twin.measure(pair)
    wrong = ("A", "accuracy")
    session.withdraw(wrong, session._state.rewards[0][-1], instead=1.25, reason="typo")
    session.ask_many(3)
    session.save(path)
    found = load_session(path)
    for name in ("pulls", "means", "outstanding", "waiting"):
        np.testing.assert_array_equal(getattr(found, name), getattr(session, name))
    assert found.withdrawn == session.withdrawn and found.withdrawn[0].arm == wrong
    assert found.ask() == session.ask() and found.spent == session.spent
    finish(session, laboratory).save(path)
    assert finish(found, twin).recommendation.tolist() == session.recommendation.tolist()
    found.save(path)  # the same session: it continues the file


def test_status_has_its_own_counts_of_each_objective(tmp_path):
    session = finish(new_session("proven", delta=0.05), Laboratory())
    status = session.status()
    certificate = pc.Certificate(3, 2, 0.05, standard_deviation=[0.5, 2.0])
    certificate.update(session.pulls, session.means * [1, -1])
    np.testing.assert_array_equal(status.samples, session.pulls)
    low, high = certificate.boxes[:, 1, 1], certificate.boxes[:, 1, 0]
    np.testing.assert_allclose(status.boxes[:, 1], -np.stack([low, high], axis=1))
    assert status.optimal == [ARMS[k] for k in certificate.optimal] and status.optimal
    assert status.table["samples"][0] == f"{session.pulls[0, 0]}, {session.pulls[0, 1]}"
    assert not status.variance_test.is_refuted.any() and status.variance_test.is_telling
    assert "running" not in repr(session) and len(session.plot()) == 1
    session.report(tmp_path / "report.html")
    report = (tmp_path / "report.html").read_text()
    assert (
        '<th scope="row">A, accuracy</th><td>10</td>' in report
        and "noise of all measurements is independent" in report
    )


def test_noise_that_contradicts_the_statement_is_found_in_its_objective():
    session = new_session()
    values = np.random.default_rng(1).normal(5.0, 8.0, 40).tolist()
    session.tell_all({"arm": ["A"] * 40, "objective": ["latency"] * 40, "value": values})
    assert session.status().variance_test.is_refuted.tolist() == [False, True]
    assert "in latency (arm A)" in session.status().remarks[0].text or (
        "in latency" in session.status().remarks[0].text
    )


def test_the_budget_counts_measurements():
    session = finish(new_session(budget=100.0), Laboratory())
    assert session.ended_by == "budget" and 80 < session.spent <= 100
    with pytest.raises(RuntimeError, match=r"arm \('\w', '\w+'\) that it needs next"):
        session.ask()
    with pytest.warns(UserWarning, match="one measurement of each of the 6 pairs"):
        new_session(budget=20.0)


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"costs": {"accuracy": 1.0}}, "costs has no value for 'latency'"),
        ({"costs": [1.0, 2.0, 3.0]}, r"costs = .*array of shape \(3, 2\)"),
        ({"costs": pd.DataFrame(np.ones((3, 2)), ["C", "B", "A"], list(OBJECTIVES))}, "costs = "),
        ({"standard_deviation": "unknown"}, "measures objectives separately"),
    ],
)
def test_invalid_settings_are_refused(settings, match):
    with pytest.raises(ValueError, match=match):
        new_session(**settings)


@pytest.mark.parametrize(
    ("pair", "value", "match"),
    [
        ("A", 1.0, "arm = 'A'; expected"),
        (("A", "speed"), 1.0, "arm = "),
        (("A", "accuracy"), [1.0, 2.0], "expected a finite number, the value of 'accuracy'"),
        (("A", "accuracy"), np.nan, "expected a finite number"),
        (("A", "accuracy"), 1e200, "expected"),
    ],
)
def test_invalid_values_are_refused(pair, value, match):
    session = new_session()
    session.ask()
    with pytest.raises(ValueError, match=match):
        session.tell(pair, value)
    assert session.samples == 0


def test_bounds_are_those_of_the_objective():
    bounds = {"accuracy": (0.0, 1.0), "latency": (0.0, 20.0)}
    session = new_session(standard_deviation=None, bounds=bounds)
    session.ask_many(6)
    with pytest.raises(ValueError, match=r"within the bounds \(0.0, 1.0\)"):
        session.tell(("A", "accuracy"), 1.5)
    session.tell(("A", "latency"), 1.5)


def test_costs_of_each_arm_and_objective():
    costs = pd.DataFrame([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], list(ARMS), list(OBJECTIVES))
    assert new_session(costs=costs).algorithm.costs == ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))
    assert new_session(costs=None).design.costs is None


def test_an_unknown_variance_is_refused_in_status():
    with pytest.raises(ValueError, match="measured separately; expected None"):
        new_session().status(standard_deviation="unknown")


@pytest.mark.parametrize("threshold", ["stylised", "proven"])
def test_the_best_arm_of_each_objective(threshold, tmp_path):
    algorithm = pc.SeparateTopTwo(threshold=threshold, problem="best_arm_per_objective")
    settings = {"arms": ARMS, "objectives": OBJECTIVES, "costs": COSTS}
    session = Session(algorithm, **settings, standard_deviation=DEVIATION)
    finish(session, Laboratory())
    assert session.recommendation.tolist() == ["A", "B"]
    status = session.status()
    assert status.samples.tolist() == session.pulls.tolist()
    assert "A" in status.candidates["accuracy"] and "B" in status.candidates["latency"]
    session.save(tmp_path / "mine.json")
    restored = load_session(tmp_path / "mine.json")
    assert restored.algorithm == session.algorithm
    assert restored.recommendation.tolist() == ["A", "B"]
    plan = session.plan(list(MEANS.values()), 2, progress=False, n_jobs=1)
    assert np.isfinite(plan.samples[:, -1]).all()
