"""Single runs of e-cAPE, sample by sample: when each verdict is certain, and for which reason."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import pareto_core as pc
import pareto_lab as lab
from pareto_book.chapters.kone2025constrained.roles import ROLE_COLOURS
from pareto_book.figures import plots
from pareto_book.figures.tables import show_table

if TYPE_CHECKING:
    from IPython.display import HTML

__all__ = ["Story", "draw_story", "follow", "story_table", "told_until"]


class Story(NamedTuple):
    """A run, and what `pareto_lab.explain` said of it along the way.

    Attributes
    ----------
    session : Session
        The session at the end of the run.
    pages : pandas.DataFrame
        A row for each arm and moment, with the number of ``samples``.
    """

    session: Any
    pages: pd.DataFrame

    def last(self) -> pd.DataFrame:
        """What was said at the end, by arm."""
        return self.pages[self.pages["samples"] == self.session.samples].set_index("arm")

    def certain_since(self) -> dict[int, float]:
        """After how many samples the last verdict on each arm did not change any more."""
        last = self.last()
        open_until = {}
        for arm, page in self.pages.groupby("arm"):
            settled = page["sure"] & (page["called"] == last["called"][arm])
            open_until[arm] = page.loc[~settled, "samples"].max()
        return open_until


def follow(session: Any, instance: pc.Instance, seed: int, every: int = 20) -> Story:
    """Run a session on Bernoulli rewards to its end, and keep what is said of it along the way."""
    rng = np.random.default_rng(seed)
    pages = []
    while not session.finished:
        arm = session.ask()
        session.tell(arm, (rng.random(instance.n_objectives) < instance.means[arm]).astype(float))
        at_a_moment = session.samples % every == 0 or session.finished
        if at_a_moment and session.pulls.min() > 0:
            pages.append(lab.explain(session).assign(samples=session.samples))
    return Story(session, pd.concat(pages))


def told_until(
    instance: pc.Instance, algorithm: pc.ECAPE, deviation: float, seed: int, sure: int
) -> tuple[Any, pd.DataFrame]:
    """Run a session on Gaussian rewards until ``sure`` verdicts are certain."""
    shape = instance.means.shape
    session = lab.Session(algorithm, *shape, deviation, polyhedron=instance.polyhedron)
    rng = np.random.default_rng(seed)
    while session.pulls.min() == 0 or lab.explain(session)["sure"].sum() < sure:
        arm = session.ask()
        session.tell(arm, instance.means[arm] + deviation * rng.standard_normal(shape[1]))
    return session, lab.explain(session)


def strongest_reason(page: pd.DataFrame) -> np.ndarray:
    """The verdict that is nearest to being certain, at each moment, shape (n,)."""
    outside = ~page["feasible"] & (page["margin"] >= page["lead"])
    outside |= page["called"] == "infeasible"
    rejected = np.where(outside, "infeasible", "dominated")
    return np.where(page["called"] == "optimal", "optimal", rejected)


def draw_story(story: Story, labels: tuple[str, ...]) -> Figure:
    """Draw the evidence for the verdict on each arm along a run."""
    last = story.last()
    figure, panels = plots.new_figure(len(labels), 1, height=0.95, sharex=True)
    for arm, axes in enumerate(panels):
        page = story.pages[story.pages["arm"] == arm]
        reasons = strongest_reason(page)
        called = last["called"][arm]
        first_case, *_, last_case = page["case"]
        plots.require(last_case > 0 > first_case, "rise above zero")
        plots.require(reasons[-1] == called, "in the colour of its verdict")
        axes.axhline(0, color="grey", lw=0.8, ls=":")
        for reason, colour in ROLE_COLOURS.items():
            own = page[reasons == reason]
            axes.plot(own["samples"], own["case"], ".", ms=2, color=colour)
        axes.set_yscale("symlog", linthresh=0.05)
        axes.set(ylim=(-3, 0.1), xlim=(0, None))
        axes.set_yticks([-1, -0.1, 0], ["−1", "−0.1", "0"])
        axes.minorticks_off()
        where = {"transform": axes.transAxes, "ha": "right", "color": ROLE_COLOURS[called]}
        axes.text(0.98, 0.15, f"{labels[arm]}: {called}", **where)
    panels[len(labels) // 2].set_ylabel("case")
    panels[-1].set_xlabel("patients")
    return figure


def reason_in_words(
    story: Story, arm: int, labels: tuple[str, ...], limits: Mapping[str, float]
) -> str:
    """The reason for the verdict on an arm, in a sentence."""
    row = story.last().loc[arm]
    if row["called"] == "optimal":
        return "passes, and no dose that passes is better in both respects"
    if row["called"] == "dominated":
        return f"{labels[int(row['rival'])]} passes and is better in both respects"
    missed = [
        f"{name} {value:.2f} < {limit}"
        for (name, limit), value in zip(limits.items(), story.session.means[arm], strict=True)
        if value < limit
    ]
    return "not good enough: " + ", ".join(missed)


def story_table(story: Story, instance: pc.Instance, names: tuple[str, ...]) -> "HTML":
    """Make a table of the verdicts, their reasons, and when they became certain."""
    arms = range(instance.n_arms)
    last, since = story.last(), story.certain_since()
    limits = dict(zip(names, -instance.polyhedron.rows()[1], strict=True))
    means = dict(zip(names, story.session.means.T, strict=True))
    columns = {
        "dose": instance.labels,
        "patients": story.session.pulls,
        **means,
        "verdict": [last["called"][arm] for arm in arms],
        "reason": [reason_in_words(story, arm, instance.labels, limits) for arm in arms],
        "certain since": [since[arm] for arm in arms],
    }
    formats = dict.fromkeys(("patients", "certain since"), ",.0f") | dict.fromkeys(names, ".3f")
    caption = (
        "What the doctors get: each dose's verdict, the reason, and after how many patients it "
        "did not change any more."
    )
    return show_table(pd.DataFrame(columns), caption, **formats)
