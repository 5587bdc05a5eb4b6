"""Figures have captions; the build stops at a caption without a figure."""

import re
from itertools import pairwise

import jupytext
import pytest

from pareto_book import paths

SOURCES = sorted((paths.ROOT / "notebooks").glob("*.md"))
CAPTION = re.compile(r"\(fig:\S+\)=\n[*A-Z]")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_saved_figure_is_followed_by_its_caption(source):
    cells = jupytext.read(source).cells
    for cell, following in pairwise(cells):
        assert "figure" not in cell.metadata.get("mystnb", {})
        if cell.cell_type == "code" and "plots.save(" in cell.source:
            assert CAPTION.match(following.source), cell.source[-80:]
