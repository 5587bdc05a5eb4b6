"""An experiment that starts from another one."""

import numpy as np
import pytest

import pareto_core as pc
import pareto_lab as lab

NAMES = ["A", "B", "C"]
OBJECTIVES = {"yield": "max", "price": "min"}
TABLE = {
    "arm": ["A", "B", "C"] * 40,
    "yield": [3.0, 0.0, 0.0] * 40,
    "price": [1.0, 0.0, 2.0] * 40,
    "tube": [f"t{k}" for k in range(120)],
}


def first_session(**options):
    settings = {"arms": NAMES, "objectives": OBJECTIVES, "units": {"price": "€"}}
    settings |= {"standard_deviation": [1.0, 2.0], "costs": {"A": 1, "B": 2, "C": 3}}
    algorithm = pc.Certified(pc.TrackAndStop(), delta=0.05)
    return lab.Session(algorithm, **{**settings, **options})


def told(session):
    return [[each.tolist() for each in rewards] for rewards in session._ledger.told()]


def test_it_has_the_design_of_the_first_and_none_of_its_rewards():
    first = first_session()
    first.tell_all(TABLE, id="tube")
    second = first.successor(["C", "A"], use_rewards=False, seed=4, budget=50)
    assert second.design.arms == ("C", "A") and second.design.units == ("", "€")
    assert second.design.directions == ("max", "min")
    assert second.design.standard_deviation.tolist() == [1.0, 2.0]
    assert second.design.costs.tolist() == [3.0, 1.0]
    assert second.algorithm.algorithm.costs == (3.0, 1.0)
    assert (second.seed, second.budget, second.spent, second.samples) == (4, 50, 0, 0)
    assert second.predecessors == [(("A", "B", "C"), 0.05, 0)]
    assert told(second) == [[], []]


def test_all_rewards_count_in_an_experiment_with_all_arms():
    first = first_session()
    first.tell_all(TABLE, id="tube")
    first.ask_many(3) if not first.finished else None
    second = first.successor(["D", *NAMES], use_rewards=True, costs=[1, 1, 1, 1])
    assert told(second) == [[], *told(first)]
    assert second.status().samples.tolist() == [0, 40, 40, 40]
    assert second.spent == 0 and second.outstanding.sum() == 0
    assert second.tell_all(TABLE, id="tube") == (0, 120)
    third = second.successor(["A", "D"], use_rewards=False, costs=[1, 1])
    assert [each.rewards for each in third.predecessors] == [120, 0]
    text = third.status(delta=0.1).remarks[-1].text
    assert "Experiments before this one: 2" in text and "at least 0.8" in text


def test_rewards_of_chosen_arms_do_not_count():
    first = first_session()
    first.tell_all(TABLE)
    with pytest.raises(ValueError, match=r"without B, C; expected all arms.*joint_subsets"):
        first.successor(["A", "D"], use_rewards=True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"arms": ["A", "D"]}, "costs of the new arms D is unknown"),
        ({"arms": ["A", "A"]}, "'A' twice"),
        ({"arms": ["A"]}, "n_arms = 1"),
        ({"arms": "AB"}, "arms = 'AB'"),
        ({"use_rewards": 1}, "use_rewards = 1"),
        ({"algorithm": 3}, "algorithm = 3"),
        ({"seed": -1}, "seed = -1"),
        ({"costs": [1, 2]}, "costs = "),
    ],
)
def test_invalid_arguments(arguments, words):
    with pytest.raises(ValueError, match=words):
        first_session().successor(**{"use_rewards": False, **arguments})


def test_what_each_arm_has_must_be_known():
    deviations = np.full((3, 2), 2.0)
    algorithm = pc.UniformSampling(budget=9)
    first = lab.Session(algorithm, arms=NAMES, n_objectives=2, standard_deviation=deviations)
    assert first.successor(["C", "B"], use_rewards=False).design.standard_deviation.shape == (2, 2)
    with pytest.raises(ValueError, match="the same noise for all arms"):
        first.successor([*NAMES, "D"], use_rewards=False)
    numbered = lab.Session(pc.APE(), 2, 1, 1.0)
    assert numbered.successor(use_rewards=True).n_arms == 2
    with pytest.raises(ValueError, match="whose arms have no names"):
        numbered.successor(["A", "B"], use_rewards=False)


@pytest.mark.parametrize(
    "noise", [{"standard_deviation": "unknown"}, {"standard_deviation": None, "bounds": (-9, 9)}]
)
def test_every_statement_about_the_noise_passes_on(noise):
    variance = "unknown" if noise["standard_deviation"] else "known"
    algorithm = pc.Certified(pc.TrackAndStop(), variance=variance)
    first = lab.Session(algorithm, arms=NAMES, objectives=OBJECTIVES, **noise)
    second = first.successor(use_rewards=True)
    assert second.design.is_noise_unknown == first.design.is_noise_unknown
    assert second.design.bounds == first.design.bounds
    assert second.algorithm == first.algorithm


def test_a_file_and_a_report_have_the_predecessors(tmp_path):
    first = first_session()
    first.tell_all(TABLE)
    second = first.successor([*NAMES, "D"], use_rewards=True, costs=[1, 1, 1, 1])
    second.save(tmp_path / "second.json")
    twin = lab.load_session(tmp_path / "second.json")
    assert twin.predecessors == second.predecessors
    assert str(twin.status()) == str(second.status())
    twin.report(tmp_path / "second.html", delta=0.1)
    text = (tmp_path / "second.html").read_text()
    assert "Experiments before this one: 1" in text and "at least 0.85" in text
    assert "were neither made nor chosen" in text
    same = first.successor(use_rewards=True)
    with pytest.raises(ValueError, match="different session"):
        same.save(tmp_path / "second.json")


# One more arm


def go_on(session, seed):
    rng = np.random.default_rng(seed)
    means = {"A": [3.0, 1.0], "B": [0.0, 0.0], "C": [0.0, 2.0], "D": [4.0, -2.0], "E": [9.0, -9.0]}
    while not session.finished:
        arm = session.ask()
        session.tell(arm, means[arm] + rng.standard_normal(2) * [1.0, 2.0])


def visible(session):
    run, answer = session._ledger.queued_run, session.recommendation
    return (
        [(int(arm), reward.tolist()) for arm, reward in run.used],
        session.predecessors,
        None if answer is None else answer.tolist(),
        (session.outstanding.tolist(), session.waiting.tolist(), session.spent, session.ended_by),
        session.algorithm,
        session.retired,
        session.withdrawn,
        str(session.status()),
    )


@pytest.mark.slow
def test_an_arm_arrives_and_everything_else_remains(tmp_path):
    session = first_session(budget=3000)
    session.tell_all(TABLE, id="tube")
    session.withdraw("A", [3.0, 1.0], [2.5, 1.5], "mistyped")
    if not session.finished:
        session.ask_many(2)
    session.save(tmp_path / "session.json")
    spent, outstanding = session.spent, session.outstanding.tolist()
    session.add_arm("D", made_from_data=False, delta=0.02, cost=2.0)
    assert session.design.arms == (*NAMES, "D") and session.n_arms == 4
    assert (session.spent, session.outstanding.tolist()) == (spent, [*outstanding, 0])
    assert session.algorithm.delta == 0.02
    assert session.algorithm.algorithm.costs == (1.0, 2.0, 3.0, 2.0)
    assert session.predecessors == [(("A", "B", "C"), 0.05, 120)]
    assert session.status().samples.tolist() == [40, 40, 40, 0]
    assert session.tell_all(TABLE | {"tube": ["new", *TABLE["tube"][1:]]}, id="tube", repeat=True)
    session.save(tmp_path / "session.json")
    assert visible(lab.load_session(tmp_path / "session.json")) == visible(session)
    go_on(session, 0)
    assert session.recommendation.tolist() == ["D"]
    session.withdraw("D", session._ledger.told()[3][0], reason="mistyped")
    go_on(session, 1)
    session.add_arm("E", made_from_data=False, cost=1.0)
    go_on(session, 2)
    assert session.recommendation.tolist() == ["E"]
    session.save(tmp_path / "session.json")
    assert visible(lab.load_session(tmp_path / "session.json")) == visible(session)
    assert "at least 0.83" in session.status(0.1).remarks[-1].text  # 0.05, 0.02 and 0.1


def test_an_arm_arrives_after_another_was_retired(tmp_path):
    algorithm = pc.Certified(pc.APE(), rule="joint_subsets")
    session = lab.Session(algorithm, arms=NAMES, objectives=OBJECTIVES, standard_deviation=1.0)
    session.tell_all(TABLE)
    session.retire("A", "sold out", still_counts=False)
    session.add_arm("D", made_from_data=False)
    assert [each.arm for each in session.retired] == ["A"]
    go_on(session, 0)
    assert "A" not in session.recommendation and "D" in session.recommendation
    session.save(tmp_path / "session.json")
    assert visible(lab.load_session(tmp_path / "session.json")) == visible(session)


def test_other_files_are_not_replaced(tmp_path):
    session, other = first_session(), first_session()
    other.tell_all(TABLE)
    other.save(tmp_path / "other.json")
    session.add_arm("D", made_from_data=False, cost=1.0)
    with pytest.raises(ValueError, match="different session"):
        session.save(tmp_path / "other.json")
    session.save(tmp_path / "session.json")
    with pytest.raises(ValueError, match="different session"):
        first_session().save(tmp_path / "session.json")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"made_from_data": True}, "expected a new experiment"),
        ({"made_from_data": 0}, "made_from_data = 0"),
        ({"name": "A"}, "'A' twice"),
        ({"name": None}, "name = None"),
        ({"name": " D"}, "name ' D'"),
        ({"cost": None}, "cost = None"),
        ({"cost": -1}, "cost = -1"),
        ({"features": [1.0]}, r"features = \[1.0\]"),
        ({"delta": 2}, "delta = 2"),
    ],
)
def test_invalid_arms_change_nothing(arguments, words):
    session = first_session()
    before = visible(session)
    with pytest.raises(ValueError, match=words):
        session.add_arm(**{"name": "D", "made_from_data": False, "cost": 1.0, **arguments})
    assert visible(session) == before
    assert session.design.arms == tuple(NAMES)


def test_arms_without_names_and_with_features():
    features = [[1.0, 0.0], [0.0, 1.0]]
    session = lab.Session(pc.GEGE(budget=20), 2, 2, 1.0, features)
    session.add_arm(made_from_data=False, features=[0.5, 0.5])
    assert session.design.arms == range(3)
    assert session.design.features.tolist() == [*features, [0.5, 0.5]]
    with pytest.raises(ValueError, match="2 finite numbers"):
        session.add_arm(made_from_data=False, features=[0.5])
    deviations = lab.Session(pc.UniformSampling(budget=9), 2, 1, [[1.0], [2.0]])
    with pytest.raises(ValueError, match="the noise is stated for each arm"):
        deviations.add_arm(made_from_data=False)
