"""What the accuracy of an algorithm means for an experiment, in words."""

from typing import Any

import numpy as np

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.confidence.accuracy import epsilon_for, is_exact
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.experiment.design import ExperimentDesign
from pareto_lab.experiment.names import named_objective
from pareto_lab.statements.data_warnings import Remark


def accuracy_of(algorithm: Algorithm) -> Any:
    """Accuracy of `Certified`, in the caller's units; None for other algorithms."""
    return algorithm.epsilon if isinstance(algorithm, Certified) else None


def accuracy_remarks(
    algorithm: Algorithm, design: ExperimentDesign, ended_by: str | None
) -> tuple[Remark, ...]:
    """What an accuracy means, and when the session will have ended; empty without accuracy."""
    if is_exact(accuracy_of(algorithm)):
        return ()
    texts = [
        "An arm that is equal within ε may be optimal or not, but certainly no arm is better by ε "
        f"or more in every objective, with ε = {_in_words(algorithm, design)}."
    ]
    if ended_by == "answer":
        texts.append(
            "The answer contains every optimal arm, and no arm that is worse than another arm by ε "
            "or more in every objective. An arm of the answer may be far worse than another arm in "
            "all objectives but one."
        )
    elif ended_by is None:
        texts.append(_latest_end(algorithm, design))
    return tuple(Remark(text, False) for text in texts)


def _in_words(algorithm, design):
    """The accuracy of each objective, with its unit."""
    parts = []
    for c, each in enumerate(epsilon_for(algorithm.epsilon, design.n_objectives)):
        name = named_objective(design.objectives[c])
        parts.append(f"{each:g}{f' {design.units[c]}' if design.units[c] else ''} in {name}")
    return ", ".join(parts)


def _latest_end(algorithm, design):
    """When the algorithm stops at the latest, or why this cannot be told."""
    end = algorithm.latest_end(design.problem)
    if end is None:
        return (
            "No latest end can be told: the standard deviation of an objective is unknown or 0, or "
            "ε is 0, so that tied arms may never be told apart, or too small."
        )
    each = np.unique(end.samples_of_each)
    number = f"{each[0]}" if each.size == 1 else f"{each[0]} to {each[-1]}"
    return (
        f"The algorithm stops at the latest when it has used {number} rewards of every arm, "
        f"that is, after {end.samples} rewards in all, whatever the rewards are."
    )
