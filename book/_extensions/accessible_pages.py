"""Mend what the theme and the writer of pages leave inaccessible."""

from pathlib import Path


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("html-page-context", name_roles_of_citations)
    app.connect("build-finished", give_colours_without_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def name_roles_of_citations(app, page, template, context, doctree):
    """Call entries of the bibliography list items: the role that docutils has is deprecated."""
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def give_colours_without_scripts(app, exception):
    """Make pages light until a script looks up what the reader's system prefers.

    The theme writes ``auto``, for which its style sheets have no colours.
    """
    if exception or app.builder.format != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace('data-theme="auto"', 'data-theme="light"', 1), "utf-8")
