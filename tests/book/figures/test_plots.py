"""Figures that several chapters use have the right content, and reproducible files."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

from pareto_book.figures import plots
from pareto_book.figures.label_columns import label_column, move_apart
from pareto_book.records.measurements import Measurement


@pytest.fixture(autouse=True)
def style():
    with mpl.rc_context():
        plots.use_style()
        yield


def test_a_curve_has_a_band_of_intervals_and_a_gap_at_nan():
    unknown = Measurement(np.nan, (np.nan, np.nan), 0)
    measured = [Measurement(2.0, (1.0, 4.0), 9), unknown, Measurement(3.0, (2.5, 3.5), 9)]
    _, axes = plots.new_figure()
    plots.curve(axes, [10, 20, 30], measured, plots.RED, "name")
    (line,), (band,) = axes.lines, axes.collections
    np.testing.assert_array_equal(line.get_xydata(), [[10, 2], [20, np.nan], [30, 3]])
    corners = np.vstack([path.vertices for path in band.get_paths()])
    assert {1.0, 4.0, 2.5, 3.5} == set(corners[:, 1])
    assert 20 not in corners[:, 0]


@pytest.mark.slow
def test_a_figure_drawn_twice_gives_the_same_files(tmp_path, monkeypatch):
    contents = []
    for folder in ("first", "second"):
        monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path / folder))
        figure, axes = plots.new_figure()
        axes.plot([1, 2], [3, 1])
        plots.save(figure, "chapter", "line")
        files = sorted((tmp_path / folder / "figures" / "chapter").iterdir())
        assert [file.name for file in files] == ["line.png", "line.svg"]
        contents.append([file.read_bytes() for file in files])
    assert contents[0] == contents[1]


@pytest.mark.parametrize("heights", [[0.1, 0.5, 0.9], [0.5, 0.52, 0.51, 0.1], [0.3] * 5])
def test_heights_are_a_gap_apart_and_keep_their_order_and_mean(heights):
    apart = move_apart(heights, 0.1)
    assert np.diff(np.sort(apart)).min() >= 0.1 - 1e-12
    assert (np.argsort(apart, kind="stable") == np.argsort(heights, kind="stable")).all()
    assert apart.mean() == pytest.approx(np.mean(heights))


def test_labels_of_points_at_one_height_do_not_overlap():
    figure, axes = plots.new_figure()
    axes.set(yscale="log", ylim=(0.1, 10))
    points = dict.fromkeys(("first", "second", "third"), (0.5, 1.0))
    label_column(axes, points, dict.fromkeys(points, "black"))
    heights = sorted(text.xyann[1] for text in axes.texts)
    inches = axes.get_position().height * figure.get_figheight()
    assert np.diff(heights).min() * inches * 72 >= 8
