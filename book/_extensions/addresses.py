"""Addresses of the book and its repository, from ``[project.urls]`` of ``pyproject.toml``.

``Homepage`` is the address of the pages, and ``Repository`` that of the sources: with it, pages
have buttons for the repository, the source of a page, and issues, and chapters one for Binder.
Without them nothing points anywhere. The source of a chapter is the text notebook in
``notebooks/``, not the executed one from which its page is made.
"""

import re
import tomllib
from pathlib import Path

BRANCH = "main"
BUTTONS = ("use_repository_button", "use_source_button", "use_issues_button")
BINDER = "https://mybinder.org"
EXECUTED = re.compile(r"book/chapters/([\w-]+)\.ipynb")


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("config-inited", set_addresses)
    app.connect("html-page-context", point_to_sources, priority=900)  # after the theme's buttons
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def addresses(folder):
    """Addresses by name, if the folder's ``pyproject.toml`` states any."""
    path = Path(folder) / "pyproject.toml"
    if not path.exists():
        return {}
    return tomllib.loads(path.read_text(encoding="utf-8"))["project"].get("urls", {})


def set_addresses(app, config):
    """Give Sphinx and its extensions the addresses."""
    found = addresses(app.srcdir)
    config.html_baseurl = found.get("Homepage", "")
    config.ogp_site_url = config.html_baseurl
    repository = found.get("Repository", "").rstrip("/")
    if repository:
        config.html_theme_options |= {
            "repository_url": repository,
            "repository_branch": BRANCH,
            **dict.fromkeys(BUTTONS, True),
            "launch_buttons": {"notebook_interface": "jupyterlab", "binderhub_url": BINDER},
        }


def point_to_sources(app, page, template, context, doctree):
    """Let the buttons of a chapter lead to its text notebook.

    A page that summarises other chapters cannot be executed before them, and has no button for it.
    """
    buttons = context.get("header_buttons", [])
    if app.env.metadata.get(page, {}).get("summary"):
        buttons[:] = [each for each in buttons if each.get("label") != "launch-buttons"]
    for button in buttons:
        for each in (button, *button.get("buttons", ())):
            if str(each.get("url", "")).startswith("https://"):
                each["url"] = EXECUTED.sub(r"notebooks/\1.md", each["url"])
