"""Plots of a session, for any number of objectives and arms."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import PathCollection

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.statements import plot

LONG = "an arm with a long name of $\\frac and <b>"


@pytest.fixture(autouse=True)
def _backend():
    """Open no windows, and close all figures."""
    with mpl.rc_context():
        plt.switch_backend("agg")
        yield
        plt.close("all")


def told(n_arms, n_objectives, number=20, algorithm=None, **settings):
    """A session with the same number of random rewards for each arm."""
    names = [LONG, *(f"v{k}" for k in range(1, n_arms))]
    objectives = {f"$goal {c}": ("min" if c % 2 else "max") for c in range(n_objectives)}
    session = lab.Session(
        algorithm or pc.UniformSampling(budget=10**7),
        arms=names,
        objectives=objectives,
        units={"$goal 0": "m/s^2"},
        **{"standard_deviation": 1.0, **settings},
    )
    if number:
        rng = np.random.default_rng(n_arms)
        arms = np.repeat(np.arange(n_arms), number)
        rewards = rng.uniform(0, 5, (n_arms, n_objectives))[arms]
        rewards += rng.standard_normal(rewards.shape)
        columns = dict(zip(objectives, rewards.T, strict=True))
        session.tell_all({"arm": np.array(names)[arms], **columns})
    return session


def points_of(axes):
    """Positions of the markers of axes."""
    markers = [each for each in axes.collections if isinstance(each, PathCollection)]
    return np.concatenate([np.empty((0, 2)), *(each.get_offsets() for each in markers)])


@pytest.mark.slow
@pytest.mark.parametrize("n_arms", [2, pytest.param(300, marks=pytest.mark.compiled)])
@pytest.mark.parametrize(
    ("n_objectives", "panels"),
    [(1, 1), (2, 1), pytest.param(3, 3, marks=pytest.mark.thorough), (4, 6), (5, 5)],
)
def test_every_arm_has_its_mark_in_every_panel(n_arms, n_objectives, panels):
    session = told(n_arms, n_objectives)
    axes = session.plot()
    assert len(axes) == panels
    status = session.status()
    for each in axes:
        assert len(points_of(each)) == n_arms
    if n_objectives == 2:
        found = points_of(axes[0])
        assert set(map(tuple, found)) == set(map(tuple, status.means))
    if n_objectives == 5:
        for c, each in enumerate(axes):
            assert sorted(points_of(each)[:, 1]) == sorted(status.means[:, c])
    text = " ".join(each.get_text() for each in axes[0].figure.legends[0].get_texts())
    for statement in set(status.statements):
        assert f"{statement} ({(status.statements == statement).sum()})" in text
    axes[0].figure.canvas.draw()


def boxes_of(axes):
    """Number of boxes in axes."""
    groups = [
        each for each in axes.collections if isinstance(each, mpl.collections.PatchCollection)
    ]
    return sum(len(each.get_paths()) for each in groups)


@pytest.mark.slow
@pytest.mark.compiled
def test_only_the_answer_has_boxes_if_there_are_many_arms():
    assert boxes_of(told(30, 2).plot()[0]) == 30
    session = told(300, 2)
    answer = {*session.status().optimal, *session.status().front}
    axes = session.plot()[0]
    assert boxes_of(axes) == min(len(answer), plot.MOST_DETAILED)
    named = {each.get_text() for each in axes.texts}
    assert named
    assert named <= {plot._label(arm) for arm in answer}


def test_the_staircase_bounds_what_the_front_dominates():
    session = told(12, 2)
    status = session.status()
    axes = session.plot()[0]
    (line,) = axes.lines
    signs = np.array([1.0, -1.0])
    stairs = line.get_xydata() * signs
    front = status.means[[list(status.arms).index(arm) for arm in status.front]] * signs
    for x in np.linspace(*axes.get_xlim(), 50)[1:-1]:
        above = front[front[:, 0] >= x, 1]
        steps = stairs[stairs[:, 0] >= x, 1]
        if above.size:
            assert steps.max() == pytest.approx(above.max())


def test_the_infeasible_region_is_shaded():
    region = pc.Polyhedron([[-1.0, 0.0]], [-3.4])
    session = told(4, 2, algorithm=pc.ECAPE(delta=1e-9), polyhedron=region)
    axes = session.plot()[0]
    (shade,) = (each for each in axes.collections if isinstance(each, mpl.contour.ContourSet))
    path, (least, most) = shade.get_paths()[0], axes.get_xlim()
    assert least < 3.4 < most
    for x in np.linspace(least, most, 9)[1:-1]:
        assert path.contains_point((x, np.mean(axes.get_ylim()))) == (x < 3.4)


def test_a_plot_uses_given_axes():
    figure, axes = plt.subplots()
    assert told(3, 2).plot(axes)[0] is axes
    assert plt.get_fignums() == [figure.number]
    _, three = plt.subplots(1, 3)
    assert told(3, 3).plot(three).tolist() == three.tolist()


def test_the_plot_of_a_report_takes_the_colour_of_its_page_and_is_reproducible():
    session = told(5, 2, 3)
    first, second = (plot.status_svg(session.design, session.status()) for _ in range(2))
    assert first == second
    assert first.startswith("<svg")
    assert plot.INK not in first
    assert "currentColor" in first
    assert plt.get_fignums() == []
