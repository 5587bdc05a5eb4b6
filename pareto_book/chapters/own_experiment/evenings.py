"""A session on arms whose means are known, looked at every evening."""

from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from pareto_core.instances.instance import Instance
from pareto_lab.session import Session

__all__ = ["Evening", "evenings"]


class Evening(NamedTuple):
    """What a session shows in the evening.

    Attributes
    ----------
    picture : matplotlib.figure.Figure
        Averages with their boxes, and what is certain.
    caption, alt : str
        The number of samples and what is certain, and the same as the description of the picture.
    certain : int
        Number of arms that are certainly optimal or certainly dominated.
    """

    picture: Figure
    caption: str
    alt: str
    certain: int


def evenings(
    session: Session, instance: Instance, per_day: int, days: int, rng: np.random.Generator
) -> list[Evening]:
    """Sample a number of times each day, and look at the session every evening.

    Parameters
    ----------
    session : Session
        A new session on the arms of the instance; it is modified in place.
    instance : Instance
        Where the rewards come from, with Gaussian noise.
    per_day : int
        Number of samples on a day.
    days : int
        Largest number of days; there are fewer if the session ends.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    list of Evening
    """
    deviations = np.sqrt(instance.variance)
    found = []
    while not session.finished and len(found) < days:
        for _ in range(per_day):
            if session.finished:
                break
            arm = session.ask()
            mean = instance.means[instance.labels.index(arm)]
            session.tell(arm, mean + deviations * rng.standard_normal(mean.size))
        found.append(_evening(session))
    return found


def _evening(session):
    status = session.status()
    named = {
        "certainly optimal": status.optimal,
        "certainly dominated": status.dominated,
        "open": status.open,
    }
    words = "; ".join(f"{name}: {', '.join(arms)}" for name, arms in named.items() if arms)
    caption = f"{session.samples} samples. {words[:1].upper()}{words[1:]}."
    if session.finished:
        caption += f" The session ends with its answer: {', '.join(session.recommendation)}."
    figure = session.plot()[0].figure
    plt.close(figure)  # or a notebook shows it by itself
    alt = f"Averages and boxes of the arms after {caption}"
    return Evening(figure, caption, alt, len(status.optimal) + len(status.dominated))
