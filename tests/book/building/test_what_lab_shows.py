"""What stands in a chapter can be read in JupyterLab, too."""

import re

import pytest
from references.held_sentences import prose_of

from pareto_book import paths

CHAPTERS = sorted(paths.NOTEBOOKS.glob("*.md"))
# Roles of the pages that JupyterLab shows as they are written, or as a bare label.
HIDDEN = {
    "a number that a cell hands to the text": re.compile(r"\{glue(:\w+)?\}"),
    "a link to a row": re.compile(r"\{row\}"),
    "a numbered reference": re.compile(r"\{numref\}"),
    "a reference without words": re.compile(r"\{(ref|doc|prf:ref)\}`[^`<]*`"),
}


def hidden_in(text):
    return {name: found[0] for name, role in HIDDEN.items() if (found := role.search(text))}


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_has_no_role_that_jupyterlab_cannot_show(path):
    assert hidden_in(prose_of(path)) == {}


@pytest.mark.parametrize(
    "text", ["{glue:text}`a:.2f`", "{row}`b`", "{numref}`fig:a`", "{ref}`sec:a`", "{doc}`../api`"]
)
def test_each_of_them_is_found(text):
    assert hidden_in(f"Words {text} and words.")
