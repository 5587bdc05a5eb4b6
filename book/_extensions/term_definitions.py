"""Give each link to the glossary the definition as its title, shown while pointing at it."""

from docutils import nodes
from sphinx import addnodes

GLOSSARY = "book/how_to_read"


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("doctree-read", depend_on_glossary)
    app.connect("doctree-resolved", add_titles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def depend_on_glossary(app, doctree):
    """Read a page with terms again when the glossary changes."""
    if any(link.get("reftype") == "term" for link in doctree.findall(addnodes.pending_xref)):
        app.env.note_dependency(str(app.env.doc2path(GLOSSARY)))


def add_titles(app, doctree, page):
    """Add the definition to each reference to a term."""
    links = [
        link
        for link in doctree.findall(nodes.reference)
        if any("std-term" in child["classes"] for child in link.findall(nodes.inline))
    ]
    if not links or page == GLOSSARY:
        return
    definitions = definitions_in(app.env.get_doctree(GLOSSARY))
    for link in links:
        link["reftitle"] = definitions[link["refuri"].rpartition("#")[2]]
        link["classes"].append("defined")


def definitions_in(glossary):
    """Definition of each term by its anchor: the first paragraph of its entry, as plain text."""
    found = {}
    for item in glossary.findall(nodes.definition_list_item):
        paragraph = item.next_node(nodes.definition).next_node(nodes.paragraph)
        text = " ".join(paragraph.astext().split())
        found |= {anchor: text for term in item for anchor in term.get("ids", ())}
    return found
