"""The figure of samples as the risk falls."""

from types import SimpleNamespace

import numpy as np
import pytest

from pareto_book.chapters.kone2025constrained.duels import draw_falling


def draw(heights):
    """Draw made-up samples over T* log(1/δ), by risk, with T* = 1."""
    results = {
        risk: {"e-cAPE, wide": SimpleNamespace(samples=np.array([-height * np.log(risk)]))}
        for risk, height in heights.items()
    }
    return draw_falling(results, 1.0)


def test_curves_fall_between_the_labelled_risks():
    draw({1e-1: 3.0, 1e-2: 3.1, 1e-4: 2.0})  # noise
    with pytest.raises(ValueError, match="fall"):
        draw({1e-1: 3.0, 1e-2: 2.5, 1e-4: 3.5})
