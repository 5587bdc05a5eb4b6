"""Leave out the scripts of sphinx-thebe, which jupyter-book puts on every page.

They would let a reader run cells on a server, which this book does not have, and since
jupyter-book reads the sources in two passes they come twice and fail.
"""


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("config-inited", remove_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def remove_scripts(app, config):
    """Disconnect what adds scripts and settings to pages; the style sheet may stay."""
    for event in ("env-before-read-docs", "doctree-resolved"):
        listeners = app.events.listeners[event]
        listeners[:] = [one for one in listeners if one.handler.__module__ != "sphinx_thebe"]
