"""Figures that several chapters use have the right content, and reproducible files."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

from matplotlib import pyplot as plt

from pareto_book.figures import plots
from pareto_book.records.measurements import Measurement


@pytest.fixture(autouse=True)
def style():
    with mpl.rc_context():
        plots.use_style()
        yield
        plt.close("all")


def test_a_curve_has_a_band_of_intervals_and_a_gap_at_nan():
    unknown = Measurement(np.nan, (np.nan, np.nan), 0)
    measured = [Measurement(2.0, (1.0, 4.0), 9), unknown, Measurement(3.0, (2.5, 3.5), 9)]
    _, axes = plots.new_figure()
    plots.curve(axes, [10, 20, 30], measured, plots.RED, "name")
    (line,), (band,) = axes.lines, axes.collections
    np.testing.assert_array_equal(line.get_xydata(), [[10, 2], [20, np.nan], [30, 3]])
    assert (line.get_label(), line.get_color()) == ("name", plots.RED)
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
