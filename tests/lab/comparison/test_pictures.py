"""Figures show every row of the frame at its values."""

import matplotlib as mpl
import numpy as np
import pytest
from references.arms import BARE, CORNER

mpl.use("agg")

from pareto_core import APE, EGE, MOBAI, UniformSampling
from pareto_lab import compare


@pytest.fixture(scope="module")
def table():
    algorithms = {"ape": APE(), "uniform": UniformSampling(), "mo-bai": MOBAI()}
    return compare(algorithms, BARE, [0.1, 0.01], 6, max_samples=60, progress=False)


def labels(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def dots(axes):
    """Markers by their colours: position and shape."""
    return {
        line.get_color(): (line.get_xdata()[0], line.get_ydata()[0], line.get_marker())
        for line in axes.lines
        if line.get_marker() in ("o", "x")
    }


def test_there_is_a_panel_for_each_question(table):
    pareto, best = table.plot()
    assert [pareto.get_title(), best.get_title()] == ["pareto set", "best arm per objective"]
    assert [labels(pareto), labels(best)] == [["ape", "uniform"], ["mo-bai"]]
    assert [text.get_text() for text in pareto.get_yticklabels()] == ["bare"]
    assert "T^\\star" in best.get_xlabel()
    assert pareto.get_xlabel() == ""
    assert [axes.get_xscale() for axes in (pareto, best)] == ["log", "log"]


@pytest.mark.parametrize("delta", [0.1, 0.01, None])
def test_a_dot_is_at_the_ratio_and_a_cross_marks_cut_off_runs(table, delta):
    axes = table.plot(delta)[0]
    lines = table.at(delta)
    drawn = dots(axes)
    for k, name in enumerate(("ape", "uniform")):
        (line,) = lines[lines["algorithm"] == name].to_dict("records")
        x, y, sign = drawn[f"C{k}"]
        assert x == pytest.approx(line["over_the_bound"])
        assert y == pytest.approx(0.1 * k - 0.05)
        assert sign == ("x" if line["unfinished"] else "o")
        (bar,) = (
            each
            for each in axes.lines
            if each.get_color() == f"C{k}" and len(each.get_xdata()) == 2
        )
        unit = line["samples"] / line["over_the_bound"]
        assert bar.get_xdata() == pytest.approx(
            np.array([line["samples_low"], line["samples_high"]]) / unit
        )
    assert table.frame["unfinished"].nunique() > 1


def test_without_a_bound_the_axis_shows_samples():
    table = compare([EGE(60), APE()], {"a": CORNER, "b": CORNER}, runs=3, progress=False)
    (axes,) = table.plot()
    assert axes.get_xlabel() == "samples"
    assert dots(axes)["C0"][0] == 60
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a", "b"]
    assert axes.get_ylim() == (1.5, -0.5)  # the first instance is at the top
    assert ":" not in {line.get_linestyle() for line in axes.lines}


@pytest.mark.filterwarnings("error")
def test_names_with_dollars_and_underscores_are_drawn():
    table = compare({"_$x_$": EGE(60), "a$b": EGE(80)}, {"$y_$": CORNER}, runs=2, progress=False)
    (axes,) = table.plot()
    axes.figure.canvas.draw()
    texts = [each.get_text() for each in (*axes.get_legend().get_texts(), *axes.get_yticklabels())]
    assert [each.replace(r"\$", "$") for each in texts] == ["_$x_$", "a$b", "$y_$"]
