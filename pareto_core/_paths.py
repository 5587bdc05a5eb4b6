"""Where the package finds what it reads, and where it puts what it makes.

In the repository the data lie beside the package, and what is made goes to ``_build/`` there.
An installed package has the data inside it. Nothing is ever written to that folder: what is made
goes to ``_build/`` in the folder that the program works in, and chapters are looked for there.
"""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
IS_INSTALLED = (PACKAGE / "data").is_dir()
ROOT = Path() if IS_INSTALLED else PACKAGE.parent
DATA = PACKAGE / "data" if IS_INSTALLED else ROOT / "data"
NOTEBOOKS = ROOT / "notebooks"
CHAPTERS = ROOT / "book" / "chapters"
LOCK = ROOT / "requirements.lock"
BIBLIOGRAPHY = ROOT / "book" / "references.bib"
TOC = ROOT / "_toc.yml"
BUILD = ROOT / "_build"
FIGURES = BUILD / "figures"
SCORECARDS = BUILD / "scorecard"


def data_file(name):
    """Path of a file of ``data/`` that is about to be read.

    Who executes a chapter is told its name, to know later what the chapter was made from.
    """
    told = os.environ.get("PARETO_DATA_READ_FILE")
    if told:
        with open(told, "a", encoding="utf-8") as stream:
            stream.write(f"{name}\n")
    return DATA / name
