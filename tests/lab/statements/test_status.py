"""Statements about the arms at any time, and how often they are wrong."""

import numpy as np
import pytest

import pareto_core as pc
import pareto_lab as lab
from pareto_book.rivals import PAL
from pareto_book.rivals.gaussian_process import Hyperparameters

MEANS = np.array([[0.8, 0.0], [0.0, 0.8], [-0.5, -0.5], [0.5, -0.3]])


def tell_more(session, rng, means, deviation=1.0, number=20):
    """Tell rewards of every arm."""
    n_arms, d = means.shape
    arms = np.repeat(np.arange(n_arms), number)
    rewards = means[arms] + deviation * rng.standard_normal((arms.size, d))
    names = [str(each) for each in session.design.objectives]
    table = {"arm": np.array(session.design.arms)[arms], **dict(zip(names, rewards.T, strict=True))}
    session.tell_all(table)


def named_session(algorithm=None, **settings):
    return lab.Session(
        algorithm or pc.TrackAndStop(delta=1e-9),
        arms=["A", "B", "C", "D"],
        objectives={"gain": "max", "loss": "min"},
        **{"standard_deviation": 1.0, **settings},
    )


def test_a_status_is_a_certificate_in_the_caller_s_signs():
    session, rng = named_session(standard_deviation=[1.0, 2.0]), np.random.default_rng(1)
    turned = MEANS * [1.0, -2.0]
    tell_more(session, rng, turned, np.array([1.0, 2.0]), number=150)
    found = session.status(delta=0.05)
    certificate = pc.Certificate(4, 2, delta=0.05, standard_deviation=[1.0, 2.0])
    told = [np.array(each) * [1.0, -1.0] for each in session._state.rewards]
    certificate.update([len(each) for each in told], [each.mean(axis=0) for each in told])
    names = np.array(["A", "B", "C", "D"])
    for kind in ("optimal", "dominated", "open"):
        assert getattr(found, kind) == names[getattr(certificate, kind)].tolist()
    table = found.table.set_index("arm")
    np.testing.assert_allclose(table["loss, low"], -certificate.boxes[:, 1, 1])
    np.testing.assert_allclose(table["gain, high"], certificate.boxes[:, 0, 1])


def constrained_session():
    """Fever at most 38: A and C are optimal, B is infeasible, D is dominated."""
    return lab.Session(
        pc.ECAPE(delta=1e-9),
        arms=["A", "B", "C", "D"],
        objectives={"protection": "max", "fever": "min"},
        polyhedron=pc.Polyhedron([[0.0, 1.0]], [38.0]),
        standard_deviation=0.1,
    )


FEVERS = np.array([[3.0, 37.0], [9.0, 39.0], [4.0, 37.5], [2.0, 37.3]])


def test_reasons_for_a_constrained_question():
    session = constrained_session()
    tell_more(session, np.random.default_rng(3), FEVERS, deviation=0.1, number=40)
    found = session.status(delta=0.05)
    assert found.optimal == found.front == ["A", "C"]
    assert found.infeasible == ["B"]
    assert found.dominated == ["D"]
    assert found.candidates is None
    table = found.table.set_index("arm")
    assert table["reasons"].tolist() == [
        "feasible; not dominated",
        "infeasible",
        "feasible; not dominated",
        "feasible; dominated by A",
    ]


def test_an_arm_can_have_two_certain_reasons():
    session = constrained_session()
    means = np.array([[3.0, 37.0], [2.0, 39.0], [1.0, 36.0], [0.5, 39.0]])
    tell_more(session, np.random.default_rng(4), means, deviation=0.1)
    found = session.status()
    assert found.infeasible == ["B", "D"]
    assert found.table["reasons"][1] == "infeasible; dominated by A"
    assert found.table["reasons"][3] == "infeasible; dominated by A, C"


def test_best_arms_have_candidates():
    objectives = {"gain": "max", "loss": "min"}
    session = lab.Session(
        pc.MOBAI(delta=1e-9), arms=[*"ABC"], objectives=objectives, standard_deviation=1.0
    )
    means = np.array([[2.0, 2.0], [0.0, 1.99], [0.0, 9.0]])
    tell_more(session, np.random.default_rng(5), means, number=200)
    found = session.status()
    assert found.candidates == {"gain": ["A"], "loss": ["A", "B"]}
    assert found.optimal == ["A"]
    assert found.open == ["B"]
    assert found.statements.tolist() == ["certainly best", "open", "certainly not best"]
    assert found.table["reasons"].tolist() == ["best: gain; candidate: loss", "candidate: loss", ""]


def test_a_dominated_arm_names_the_arms_that_seem_to_dominate_it():
    session = named_session()
    tell_more(session, np.random.default_rng(6), MEANS * [1, -1], number=400)
    reasons = session.status(delta=0.1).table["reasons"].tolist()
    assert reasons == ["", "", "averages worse than those of A, B", "looks dominated by A"]


def test_an_algorithm_with_its_own_model_of_the_noise_has_no_status():
    priors = (Hyperparameters(0.0, 0.0, 1.0, (1.0,), 1.0),) * 2
    session = lab.Session(PAL(hyperparameters=priors), 3, 2, features=np.eye(3)[:, :1])
    with pytest.raises(ValueError, match="standard_deviation = None for PAL, which has its own"):
        session.status()


def test_the_algorithm_s_statement_of_the_noise_is_used():
    session = lab.Session(pc.Racing(variance_bound=4.0), 2, 1)
    session.tell_all({"arm": [0, 1], "0": [0.0, 0.0]})
    narrow = lab.Session(pc.Racing(), 2, 1, 1.0)
    narrow.tell_all({"arm": [0, 1], "0": [0.0, 0.0]})
    wide, narrow = (each.status().table["0, high"][0] for each in (session, narrow))
    assert wide == pytest.approx(2 * narrow)


@pytest.mark.parametrize(
    ("algorithm", "delta", "rule"),
    [
        (pc.Certified(delta=0.02, rule="pairs_subsets"), 0.02, "pairs"),
        (pc.TrackAndStop(delta=0.03, threshold="proven_correlated"), 0.03, "pairs"),
        (pc.EGE(budget=60), 0.1, "joint"),
    ],
    ids=repr,
)
def test_by_default_risk_and_rule_are_those_of_the_algorithm(algorithm, delta, rule):
    session = named_session(algorithm)
    status = session.status()
    assert (status.delta, status.rule) == (delta, rule)
    plan = session.plan(np.zeros((4, 2)), 1, max_samples=8, progress=False)
    assert (plan.delta, plan.rule) == (delta, rule)
    assert session.status(0.2, "joint").delta == 0.2


def test_an_objective_may_have_the_name_of_a_column():
    names = ["samples", "statement", "reasons", "y", "y, low"]
    session = lab.Session(pc.TrackAndStop(), 2, objectives=names, standard_deviation=1.0)
    session.tell(0, [1.0, 2.0, 3.0, 4.0, 5.0])
    table = session.status().table
    assert table.columns.is_unique
    assert table.loc[0, names].tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert table[["statement_", "samples_"]].iloc[0].tolist() == ["open", 1]
    assert table["y, low_"][0] < 4.0 < table["y, high"][0]
