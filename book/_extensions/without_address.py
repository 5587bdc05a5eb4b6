"""Leave out the tags of social cards that need the address of the book, where it has none.

``sphinxext.opengraph`` would give them paths from the root of the book, which from a page lead
nowhere.
"""

import re

NEED_AN_ADDRESS = re.compile(r'<meta property="og:(?:url|image|image:alt)" content="[^"]*" />\n')


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("html-page-context", leave_out, priority=900)  # after sphinxext.opengraph
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def leave_out(app, page, template, context, doctree):
    """Take the tags out of the head of a page."""
    if doctree is not None and not app.config.html_baseurl:
        context["metatags"] = NEED_AN_ADDRESS.sub("", context["metatags"])
