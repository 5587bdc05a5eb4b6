"""Make the paragraph after a cell the caption of the figure that the cell draws.

The source of a chapter has the caption as Markdown behind the cell, below the figure's label, so
that it reads well in JupyterLab too::

    (fig:gaps)=
    The gaps. Arm 3 is dominated: it must rise along the diagonal.
"""

from docutils import nodes
from docutils.transforms.references import PropagateTargets
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

LABEL = "fig:"


def setup(app):
    """Register the extension with Sphinx."""
    app.add_transform(FigureCaptions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class FigureCaptions(SphinxTransform):
    """Wrap outputs and the paragraphs that are labelled as their captions in figures."""

    default_priority = PropagateTargets.default_priority + 1  # labels are with paragraphs by then

    def apply(self):
        """Make a figure of each paragraph whose label begins with `LABEL`."""
        for paragraph in list(self.document.findall(nodes.paragraph)):
            if any(name.startswith(LABEL) for name in paragraph["names"]):
                self.make_figure(paragraph)

    def make_figure(self, paragraph):
        """Move the paragraph below the last output of the cell before it."""
        output = last_output(cell_before(paragraph))
        figure = nodes.figure(names=paragraph["names"], ids=paragraph["ids"])
        figure.source, figure.line = paragraph.source, paragraph.line
        output.replace_self(figure)
        figure += [output, nodes.caption("", "", *paragraph.children)]
        paragraph.parent.remove(paragraph)
        for label in figure["ids"]:
            self.document.ids[label] = figure


def cell_before(paragraph):
    """The cell that the paragraph stands behind; its label is in between."""
    place = paragraph.parent.index(paragraph)
    while place and isinstance(paragraph.parent[place - 1], nodes.target):
        place -= 1
    return paragraph.parent[place - 1] if place else None


def last_output(cell):
    """What the cell shows last."""
    shown = [
        node
        for node in (cell.findall(nodes.container) if cell is not None else ())
        if node.get("nb_element") == "mime_bundle"
    ]
    if not shown:
        raise ExtensionError(f"a caption that stands behind no figure: {cell}")
    return shown[-1]
