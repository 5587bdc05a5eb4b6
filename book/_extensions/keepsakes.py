"""Links to what a reader may want to keep: figures as SVG and PNG, claims as CSV."""

import json
import re
from itertools import pairwise

from docutils import nodes
from sphinx import addnodes

from pareto_book import paths
from pareto_book.building.keepsakes import figure_files, write_claims

CLAIMS = paths.BUILD / "claims"
LABEL = re.compile(r"\((fig:\S+)\)=\n")  # of a figure; its caption begins the cell that follows
BEFORE_COLLECTION = 400  # Sphinx collects the files that pages offer at priority 500


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("builder-inited", lambda app: write_claims(CLAIMS))
    app.connect("doctree-read", add_links, priority=BEFORE_COLLECTION)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def add_links(app, doctree):
    """Add links below the figures of a chapter and above its first table of claims."""
    chapter = paths.CHAPTERS / f"{app.env.docname.rpartition('/')[2]}.ipynb"
    if not app.env.docname.startswith("book/chapters/"):
        return
    saved = files_by_figure(json.loads(chapter.read_text(encoding="utf-8")))
    for figure in doctree.findall(nodes.figure):
        for name in saved.keys() & set(figure["names"]):
            figure += nodes.legend("", links("Save this figure:", saved[name], "SVG", "PNG"))
    claims = CLAIMS / f"{chapter.stem}.csv"
    table = next(filter(shows_claims, doctree.findall(nodes.raw)), None)
    if table is not None and claims.exists():
        cell = table
        while cell.get("nb_element") != "cell_code":
            cell = cell.parent
        cell.parent.insert(
            cell.parent.index(cell), links("All rows of this page:", [claims], "CSV")
        )


def files_by_figure(notebook):
    """Files of each figure of a notebook, by its label as the document tree has it."""
    cells = notebook["cells"]
    files = {}
    for cell, caption in pairwise(cells):
        label = LABEL.match("".join(caption["source"]))
        if label and (saved := figure_files(cell)):
            files[nodes.fully_normalize_name(label[1])] = saved
    return files


def shows_claims(raw):
    """Whether a piece of HTML has a table of claims."""
    return '<table class="claims' in raw.astext()


def links(lead, files, *words):
    """One line with a link to each file."""
    line = nodes.paragraph("", f"{lead} ", classes=["keepsakes"])
    for file, word in zip(files, words, strict=True):
        target = f"/{file.relative_to(paths.ROOT).as_posix()}"
        link = addnodes.download_reference(reftarget=target, refdoc="")
        line += [link, nodes.Text(" ")]
        link += nodes.inline("", word)
    return line
