"""Typeset mathematics without a network: MathJax comes with the pages.

The files are those of the installed package ``django-static-mathjax``, which is
MathJax itself and needs no Django. Of its 35 MB a page can reach 2: the component
that turns TeX into HTML, the fonts, and the TeX extensions that load on demand.
"""

import shutil
from pathlib import Path

import mathjax

SOURCE = Path(mathjax.__file__).parent / "static" / "mathjax"
FILES = ("LICENSE", "es5/tex-chtml.js")
FOLDERS = ("es5/output/chtml/fonts/woff-v2", "es5/input/tex/extensions")


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("config-inited", use_local_copy)
    app.connect("build-finished", copy_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def use_local_copy(app, config):
    """Load MathJax from the static files, without the menu, whose entries need further files."""
    config.mathjax_path = "mathjax/es5/tex-chtml.js"
    config.mathjax3_config = {"options": {"enableMenu": False}}


def copy_files(app, exception):
    """Put the files that pages can reach beside the pages."""
    if exception or app.builder.format != "html":
        return
    target = Path(app.outdir) / "_static" / "mathjax"
    for name in FILES:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(SOURCE / name, target / name)
    for name in FOLDERS:
        shutil.copytree(SOURCE / name, target / name, dirs_exist_ok=True)
