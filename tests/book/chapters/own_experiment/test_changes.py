"""Simulated users who change their experiments, and users who cheat."""

import types

import numpy as np
import pytest

from pareto_book.chapters.own_experiment import adhesives, changes, cheats
from pareto_book.chapters.own_experiment.truth import is_wrong

MEANS = [[2.0, 0.0], [0.0, 2.0], [1.8, 0.0]]  # the last one is dominated by less than 0.5
BOXES = np.stack([np.array(MEANS) - 1.0, np.array(MEANS) + 1.0], axis=-1)
OPTIMAL, DOMINATED, NEAR, OPEN = (
    "certainly optimal",
    "certainly dominated",
    "equal within ε",
    "open",
)


def status(*statements, boxes=BOXES):
    return types.SimpleNamespace(statements=np.array(statements), boxes=boxes)


@pytest.mark.parametrize(
    ("statements", "in_question", "epsilon", "wrong"),
    [
        ((OPTIMAL, OPTIMAL, DOMINATED), [1, 1, 1], 0.0, False),
        ((OPEN, OPEN, OPTIMAL), [1, 1, 1], 0.0, True),
        ((OPEN, DOMINATED, OPEN), [1, 1, 1], 0.0, True),
        (("retired", OPEN, OPTIMAL), [0, 1, 1], 0.0, False),
        (("retired", OPEN, DOMINATED), [0, 1, 1], 0.0, True),
        ((OPEN, OPEN, NEAR), [1, 1, 1], 0.5, False),
        ((OPEN, OPEN, NEAR), [1, 1, 1], 0.0, True),
    ],
)
def test_a_wrong_statement_is_found(statements, in_question, epsilon, wrong):
    assert is_wrong(status(*statements), MEANS, in_question, epsilon) is wrong


def test_a_wrong_interval_is_found():
    boxes = BOXES.copy()
    boxes[1, 0] += 1.5
    assert is_wrong(status(OPEN, OPEN, OPEN, boxes=boxes), MEANS, [1, 1, 1])


@pytest.mark.slow
@pytest.mark.parametrize("kind", changes.KINDS)
def test_each_user_changes_the_experiment(kind):
    user = changes.User(kind, np.random.default_rng(0))
    for look in range(changes.N_LOOKS):
        user.sample()
        if user.wants_change(look):
            user.change()
    assert user.is_changed
    assert bool(user.retired) == ("retire" in kind or kind == "several changes")
    assert (user.session.design.n_arms == 5) == (kind in ("newcomer", "several changes"))
    assert bool(user.session.predecessors) == (kind in ("newcomer", "several changes"))
    assert (user.session.status().missing.sum() > 0) == (
        kind in ("missing values", "several changes")
    )


@pytest.mark.slow
def test_users_who_cheat_are_misled():
    lost = [cheats.cheat("loses bad values", number) for number in range(5)]
    assert sum(each.is_wrong for each in lost) >= 3
    assert all(each.is_mentioned for each in lost)
    silent = cheats.cheat("tells good news only", 0)
    assert not silent.is_mentioned
    assert not silent.is_warned
    assert cheats.cheat("withdraws bad rewards", 0).is_warned


@pytest.mark.slow
def test_the_story_needs_these_pareto_sets():
    names = adhesives.formulations()
    dominated = {"acrylic E", "epoxy B", "silicone"}
    assert set(names) - set(adhesives.pareto_optimal(names)) == dominated
    names.remove("acrylic")
    assert "acrylic E" in adhesives.pareto_optimal(names)
    assert "acrylic E" not in adhesives.pareto_optimal([*names, "hybrid"])
