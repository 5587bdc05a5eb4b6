"""Paths of the sources of the book, and of the files that are built from them."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "data"
NOTEBOOKS = ROOT / "notebooks"
CHAPTERS = ROOT / "book" / "chapters"
LOCK = ROOT / "requirements.lock"
BIBLIOGRAPHY = ROOT / "book" / "references.bib"
TOC = ROOT / "_toc.yml"
BUILD = ROOT / "_build"


def written_file(*parts):
    """Path of a file that a chapter writes; None unless ``PARETO_BOOK_FILES`` names a folder."""
    folder = os.environ.get("PARETO_BOOK_FILES")
    if not folder:
        return None
    path = Path(folder, *parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
