"""Figures have captions, and captions have figures."""

import importlib.util
import re
from itertools import pairwise

import jupytext
import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.errors import ExtensionError

from pareto_book import paths

SOURCES = sorted((paths.ROOT / "notebooks").glob("*.md"))
CAPTION = re.compile(r"\(fig:\S+\)=\n[*A-Z]")


def captions():
    """The extension of the book that turns paragraphs into captions."""
    path = paths.ROOT / "book" / "_extensions" / "figure_captions.py"
    spec = importlib.util.spec_from_file_location("figure_captions", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_saved_figure_is_followed_by_its_caption(source):
    cells = jupytext.read(source).cells
    for cell, following in pairwise(cells):
        assert "figure" not in cell.metadata.get("mystnb", {})
        if cell.cell_type == "code" and "plots.save(" in cell.source:
            assert CAPTION.match(following.source), cell.source[-80:]


def page(*before):
    """A document with a labelled paragraph after these nodes."""
    document = new_document("page")
    paragraph = nodes.paragraph("", "What it shows.", names=["fig:one"], ids=["fig-one"])
    document += [*before, nodes.target(refid="fig-one"), paragraph]
    document.ids["fig-one"] = paragraph
    return document


@pytest.mark.parametrize("before", [(), (nodes.paragraph("", "Words."),), (nodes.container(),)])
def test_a_caption_without_a_figure_stops_the_build(before):
    with pytest.raises(ExtensionError, match="behind no figure"):
        captions().FigureCaptions(page(*before)).apply()
