"""Simulated users who change their experiments while they look, for bad reasons, too."""

from collections.abc import Sequence

import numpy as np

import pareto_core as pc
import pareto_lab as lab
from pareto_book.chapters.own_experiment.truth import is_wrong

__all__ = ["KINDS", "sees_wrong_statement"]

KINDS = (
    "retire, still counts",
    "retire, leaves the question",
    "newcomer",
    "missing values",
    "second experiment",
    "equal within ε",
    "several changes",
)
DELTA = 0.1  # risk of all statements at all times, of both experiments if there are two
SHARES = {"newcomer": 0.75, "several changes": 0.75, "second experiment": 0.5}  # of the first one
EPSILON = 0.5  # of both objectives
ARMS = ("A", "B", "C", "D")
N_LOOKS, HEAP = 16, 6  # looks, and samples before each
NEVER_STOPS = 1e-9  # risk of the algorithm, which does not end before the user does


def sees_wrong_statement(kind: str, number: int, seed: int = 0) -> bool:
    """Simulate an experiment, and whether any statement at any time was wrong."""
    user = User(kind, np.random.default_rng([seed, KINDS.index(kind), number]))
    for look in range(N_LOOKS):
        user.sample()
        if user.sees_error():
            return True
        if user.wants_change(look):
            user.change()
            if user.sees_error():
                return True
    return False


class User:
    """A user in the middle of an experiment."""

    def __init__(self, kind: str, rng: np.random.Generator) -> None:
        self.kind, self.rng = kind, rng
        means = rng.normal(size=(len(ARMS) + 1, 2)) * rng.choice([0.05, 0.3, 1.0])
        self.means = dict(zip([*ARMS, "E"], means, strict=True))
        self.by_hand, self.waits_for_favourite, self.retires_best = rng.random(3) < 0.5
        self.change_at = int(rng.integers(3, N_LOOKS - 3))
        self.delta = DELTA * SHARES.get(kind, 1.0)
        rule = (
            "joint_subsets"
            if kind in ("several changes", "retire, leaves the question")
            else "joint"
        )
        epsilon = EPSILON if kind == "equal within ε" else None
        self.algorithm = pc.Certified(
            pc.UniformSampling(), NEVER_STOPS, rule=rule, check_every=1000, epsilon=epsilon
        )
        self.session = self.begun(ARMS)
        self.retired: str | None = None
        self.is_changed = kind in ("missing values", "equal within ε")

    def begun(self, arms: Sequence[str]) -> lab.Session:
        """A session with these arms and no rewards."""
        return lab.Session(self.algorithm, arms=arms, objectives=[*"xy"], standard_deviation=1.0)

    @property
    def averages(self) -> np.ndarray:
        """Sum of the averages of each arm; zero without samples."""
        return np.nan_to_num(self.session.means).sum(axis=1)

    def sample(self) -> None:
        """Tell a batch of rewards."""
        names = [arm for arm in self.session.design.arms if arm != self.retired]
        scores = dict(zip(self.session.design.arms, self.averages, strict=True))
        best = max(names, key=scores.__getitem__)
        arms = [names[k % len(names)] for k in range(HEAP)]
        if self.by_hand and self.session.samples >= HEAP:
            arms = [best if self.rng.random() < 0.8 else arm for arm in arms]
        rewards = self.rng.normal([self.means[arm] for arm in arms])
        if self.kind in ("missing values", "several changes"):
            lost = self.rng.random(HEAP) < 0.3  # by accident: one of the two values
            rewards[lost, self.rng.integers(2, size=lost.sum())] = np.nan
        self.session.tell_all({"arm": arms, "x": rewards[:, 0], "y": rewards[:, 1]})

    def sees_error(self) -> bool:
        """Whether the status is wrong now."""
        names = self.session.design.arms
        leaves = self.kind != "retire, still counts"
        in_question = [not (leaves and name == self.retired) for name in names]
        epsilon = EPSILON if self.kind == "equal within ε" else 0.0
        status = self.session.status(delta=self.delta)
        means = np.array([self.means[name] for name in names])
        return is_wrong(status, means, in_question, epsilon)

    def wants_change(self, look: int) -> bool:
        """Whether the experiment changes now: at a time drawn before, or when it suits the user."""
        if self.is_changed:
            return False
        suits = self.waits_for_favourite and look >= 2 and self.averages.argmax() == 0
        return suits or look >= self.change_at

    def change(self) -> None:
        """Change the experiment."""
        self.is_changed = True
        names, order = self.session.design.arms, self.averages.argsort()
        if self.kind == "second experiment":  # with the arms that look best, and own rewards
            chosen = [names[k] for k in order[-3:]]
            self.session = self.begun(chosen)
        if "retire" in self.kind or self.kind == "several changes":
            self.retired = names[order[-1 if self.retires_best else 0]]
            self.session.retire(
                self.retired,
                "seems best" if self.retires_best else "looks bad",
                still_counts=self.kind == "retire, still counts",
            )
        if self.kind in ("newcomer", "several changes"):
            self.session.add_arm("E", made_from_data=False)
        if self.kind in SHARES:  # two experiments share the risk
            self.delta = DELTA * (1 - SHARES[self.kind])
