"""Sources of chapters have captions after their figures, and check their profile first."""

import ast
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


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_profile_is_checked_before_anything_depends_on_it(source):
    cells = jupytext.read(source).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    names = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)]
    used = [
        node.lineno for node in names if node.id == "profile" and isinstance(node.ctx, ast.Load)
    ]
    if used:
        assert f'Scorecard("{source.stem}", profile)' in code.splitlines()[min(used) - 1]


# The extension


def page(*before):
    """A document with a labelled paragraph after these nodes."""
    document = new_document("page")
    paragraph = nodes.paragraph("", "What it shows.", names=["fig:one"], ids=["fig-one"])
    document += [*before, nodes.target(refid="fig-one"), paragraph]
    document.ids["fig-one"] = paragraph
    return document


def cell(n_outputs):
    return nodes.container(
        "", *(nodes.container(nb_element="mime_bundle") for _ in range(n_outputs))
    )


def test_a_labelled_paragraph_becomes_the_caption_of_the_last_output():
    document = page(cell(2))
    captions().FigureCaptions(document).apply()
    (figure,) = document.findall(nodes.figure)
    assert (figure["ids"], figure["names"]) == (["fig-one"], ["fig:one"])
    assert [type(child) for child in figure] == [nodes.container, nodes.caption]
    assert figure[1].astext() == "What it shows."
    assert document.ids["fig-one"] is figure
    assert figure.parent is document[0] and document[0].index(figure) == 1
    assert not list(document.findall(nodes.paragraph))


@pytest.mark.parametrize("before", [(), (nodes.paragraph("", "Words."),), (cell(0),)])
def test_a_caption_without_a_figure_stops_the_build(before):
    with pytest.raises(ExtensionError, match="behind no figure"):
        captions().FigureCaptions(page(*before)).apply()
