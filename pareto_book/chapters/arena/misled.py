"""How few samples an optimal arm has in the wrong runs of an algorithm with a fixed budget."""

from typing import NamedTuple

import numpy as np

from pareto_book.chapters.arena.budgets import Budgets
from pareto_book.kept_runs.budgets.needed import wrong_answers
from pareto_core.simulation.runs import repeat_run

__all__ = ["Fewest", "fewest_samples"]


class Fewest(NamedTuple):
    """Samples of the optimal arm that has the fewest, as medians over runs.

    Attributes
    ----------
    wrong, right : float
        Median over the runs with a wrong answer, and over those with the right one.
    runs : int
        Number of wrong runs, and of right ones.
    """

    wrong: float
    right: float
    runs: int

    @property
    def ratio(self) -> float:
        """The first median over the second."""
        return self.wrong / self.right


def fewest_samples(
    budgets: Budgets, instance: str, name: str, multiple: float, most: int = 30
) -> Fewest:
    """Repeat wrong runs, and as many right ones, and count the samples of optimal arms.

    Parameters
    ----------
    budgets : Budgets
        The kept answers.
    instance, name : str
        Names of the instance and of the entrant.
    multiple : float
        Budget over the characteristic time; one of the multiples of the instance's ladder.
    most : int, default 30
        Largest number of wrong runs; the first ones are repeated.

    Returns
    -------
    Fewest

    Raises
    ------
    ValueError
        If no run is wrong, or none is right.
    """
    kept, contest = budgets.kept[instance, name], budgets.contests[instance]
    budget = contest.budgets[contest.multiples.index(multiple)]
    wrong = wrong_answers(kept)[kept.budgets.index(budget)]
    runs = min(most, int(wrong.sum()), int((~wrong).sum()))
    if runs == 0:
        raise ValueError(
            f"multiple = {multiple} of {name} on {instance} with {wrong.sum()} wrong runs of "
            f"{wrong.size}; expected some that are wrong, and some that are right"
        )
    algorithm = contest.entrants[name].make(contest.instance, budget)
    medians = [
        np.median(
            [
                repeat_run(algorithm, contest.instance, int(run), kept.seed)["pulls"][
                    contest.instance.pareto_set
                ].min()
                for run in np.flatnonzero(part)[:runs]
            ]
        )
        for part in (wrong, ~wrong)
    ]
    return Fewest(*map(float, medians), runs)
