"""The role ``row``: a small link from a sentence to the row that it rests on."""

import posixpath

from docutils import nodes

from pareto_book.claims.own_tables import anchor

SCORECARD = "book/chapters/scorecard.html"


def setup(app):
    """Register the role with Sphinx."""
    app.add_role("row", row)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def row(name, rawtext, text, lineno, inliner, options=None, content=None):
    """Link to a row of the scorecard, by the name of the row."""
    page = inliner.document.settings.env.docname
    address = posixpath.relpath(SCORECARD, posixpath.dirname(page))
    link = nodes.reference(
        "", "row", refuri=f"{address}#{anchor(text)}", reftitle=f"what this rests on: {text}"
    )
    return [nodes.superscript("", "", link, classes=["row-link"])], []
