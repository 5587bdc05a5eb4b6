"""The sentences of the book that rest on rows, found by their markers."""

import functools
import re
from pathlib import Path
from typing import NamedTuple

from pareto_book import paths

__all__ = ["Sentence", "all_sentences", "sentences_of", "sentences_on"]

MARKER = re.compile(r"\{row\}`([^`]+)`|<!-- row: (\S+) -->")
SENTENCE_END = re.compile(
    r"(?<=[.!?:])((?:\s*<!-- row: \S+ -->)+)(?:\s+|$)|(?<=[.!?])\s+(?=[A-Z`*])"
)
IN_PARAGRAPHS = ("README.md",)  # pages whose sentences do not begin a line each
LEADING = re.compile(r"^\s*(?:[-*]\s|\d+\.\s|>\s)\s*")


class Sentence(NamedTuple):
    """A sentence of a page.

    Attributes
    ----------
    page : str
        Name of a chapter, ``"README"`` or ``"paper"``.
    text : str
        The sentence without its markers.
    rows : tuple of str
        Names of the rows that it rests on.
    """

    page: str
    text: str
    rows: tuple


def sentence_of(page: str, line: str) -> Sentence:
    """Split a line of a page into a sentence and the rows that it rests on."""
    rows = tuple(first or second for first, second in MARKER.findall(line))
    return Sentence(page, LEADING.sub("", MARKER.sub("", line)).strip(), rows)


def sentences_of(path: Path) -> list[Sentence]:
    """Sentences of a page: a chapter has one on each line, README and the paper have paragraphs."""
    text = path.read_text(encoding="utf-8")
    if path.name in IN_PARAGRAPHS:
        lines = [line for block in _paragraphs(text) for line in _split(block)]
    else:
        lines = text.splitlines()
    return [sentence_of(path.stem, line) for line in lines if line.strip()]


def _paragraphs(text):
    """Paragraphs and list items, each on one line."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n|\n(?=- )", text)]


def _split(block):
    """Sentences of a paragraph, markers with the sentence before them."""
    parts, start = [], 0
    for end in SENTENCE_END.finditer(block):
        parts.append(block[start : end.end()])
        start = end.end()
    return [*parts, block[start:]]


def all_sentences() -> tuple[Sentence, ...]:
    """All sentences of the book that name rows."""
    return _sentences_in(paths.ROOT, paths.NOTEBOOKS)


@functools.cache
def _sentences_in(root, notebooks):
    pages = [root / "README.md", *sorted(notebooks.glob("*.md"))]
    there = [path for path in pages if path.exists()]
    return tuple(each for path in there for each in sentences_of(path) if each.rows)


def sentences_on(row: str) -> list[Sentence]:
    """Sentences that rest on a row, by its name."""
    return [each for each in all_sentences() if row in each.rows]
