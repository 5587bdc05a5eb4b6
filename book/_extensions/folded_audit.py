"""Fold the subsections of the section *Audit* of a chapter; a click on a heading opens one."""

from docutils import nodes

TITLE = "Audit"


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("doctree-resolved", fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def fold(app, doctree, page):
    """Wrap each subsection of an audit in an element that a reader can open."""
    if app.builder.format != "html":
        return
    for title in list(doctree.findall(nodes.title)):
        if title.astext() == TITLE:
            for part in title.parent.children:
                if isinstance(part, nodes.section):
                    wrap(part)


def wrap(section):
    """Make the title of a section the summary of the rest."""
    before = section.first_child_matching_class(nodes.title)
    section.insert(before + 1, html("</summary>"))
    section.insert(before, html('<details class="folded"><summary>'))
    section.append(html("</details>"))


def html(text):
    """A piece of HTML."""
    return nodes.raw("", text, format="html")
