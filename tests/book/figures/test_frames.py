"""Pictures in a row."""

import matplotlib.pyplot as plt
import pytest

from pareto_book.figures import plots
from pareto_book.figures.frames import show_frames


def picture(height):
    figure, axes = plots.new_figure()
    axes.plot([0.0, height])
    return figure


def test_every_picture_has_a_caption_and_a_copy_for_dark_pages():
    pictures = [picture(height) for height in (1.0, 2.0)]
    made = show_frames(pictures, ["one < two", "two"], ["first", "second"], "evening").data
    assert not plt.get_fignums()
    assert made.count('class="only-light"') == made.count('class="only-dark"') == 2
    assert made.count('alt="second"') == 2
    assert "<p>one &lt; two</p>" in made
    assert 'max="1"' in made


def test_texts_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="captions 1"):
        show_frames([picture(1.0), picture(2.0)], ["one"], ["a", "b"], "step")
    with pytest.raises(ValueError, match="pictures has length 0"):
        show_frames([], [], [], "step")
    plt.close("all")
