"""Show each figure of a chapter twice, for light pages and for dark ones; the page hides one."""

import hashlib
import os
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
        svg = at_night(source.read_text(encoding="utf-8")).encode()
        name = hashlib.sha256(svg).hexdigest() + source.suffix
        write_once(source.with_name(name), svg)
        other = image.deepcopy()
        other["uri"] = image["uri"].replace(source.name, name)
        other["classes"].append("only-dark")
        return other


def write_once(path, content):
    """Write a file whose name is a digest of its content, unless it is there.

    Pages that show the same figure share the file: writing it again would make the others look out
    of date. It appears whole, even if pages are read in several processes.
    """
    if not path.exists():
        partial = path.with_name(f"{path.name}.{os.getpid()}.part")
        partial.write_bytes(content)
        partial.replace(path)


def shown_by_a_cell(image):
    """Whether an image is an output of a code cell."""
    around = image.parent
    while around is not None and around.get("nb_element") != "cell_code_output":
        around = around.parent
    return around is not None
