"""Labels beside a figure do not hide each other."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from pareto_book.figures.label_columns import label_column, move_apart


@pytest.mark.parametrize("heights", [[0.1, 0.5, 0.9], [0.5, 0.52, 0.51, 0.1], [0.3] * 5])
def test_heights_are_a_gap_apart_and_keep_their_order_and_mean(heights):
    apart = move_apart(heights, 0.1)
    assert np.diff(np.sort(apart)).min() >= 0.1 - 1e-12
    assert (np.argsort(apart, kind="stable") == np.argsort(heights, kind="stable")).all()
    assert apart.mean() == pytest.approx(np.mean(heights))


def test_labels_of_points_at_one_height_do_not_overlap():
    figure, axes = plt.subplots()
    axes.set(yscale="log", ylim=(0.1, 10))
    points = dict.fromkeys(("first", "second", "third"), (0.5, 1.0))
    label_column(axes, points, dict.fromkeys(points, "black"))
    heights = sorted(text.xyann[1] for text in axes.texts)
    plt.close(figure)
    inches = axes.get_position().height * figure.get_figheight()
    assert np.diff(heights).min() * inches * 72 >= 8
