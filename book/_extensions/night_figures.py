"""Show each figure of a chapter twice, for light pages and for dark ones; the page hides one."""

import hashlib
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

from pareto_book.figures.night import at_night

BEFORE_COLLECTION = 870  # Sphinx collects the images of a document at priority 880


def setup(app):
    """Register the extension with Sphinx."""
    app.add_transform(NightFigures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class NightFigures(SphinxTransform):
    """Put a recoloured copy behind each SVG that a cell shows."""

    default_priority = BEFORE_COLLECTION

    def apply(self):
        """Add the copies."""
        for image in list(self.document.findall(nodes.image)):
            if shown_by_a_cell(image) and image["uri"].endswith(".svg"):
                image.parent.insert(image.parent.index(image) + 1, self.copy(image))
                image["classes"].append("only-light")

    def copy(self, image):
        """The same image in other colours, in a file beside it."""
        _, path = self.env.relfn2path(image["uri"], self.env.docname)
        source = Path(path)
        svg = at_night(source.read_text(encoding="utf-8"))
        name = hashlib.sha256(svg.encode()).hexdigest() + source.suffix
        source.with_name(name).write_text(svg, encoding="utf-8")
        other = image.deepcopy()
        other["uri"] = image["uri"].replace(source.name, name)
        other["classes"].append("only-dark")
        return other


def shown_by_a_cell(image):
    """Whether an image is an output of a code cell."""
    around = image.parent
    while around is not None and around.get("nb_element") != "cell_code_output":
        around = around.parent
    return around is not None
