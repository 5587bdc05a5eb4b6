"""The sentences that cells of chapters check, and the prose in which they have to stand."""

import ast
import re

import jupytext

from pareto_book import paths

CODE = re.compile(r"^```\{code-cell\}.*?^```$", re.DOTALL | re.MULTILINE)


def held_in(path):
    """Sentences that a chapter checks by `card.holds`."""
    found = []
    for cell in jupytext.read(path).cells:
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "holds":
                found.append(ast.literal_eval(node.args[0]))
    return found


def prose_of(path):
    """Text of a page without its cells, each run of white space as one space."""
    return " ".join(CODE.sub("", path.read_text(encoding="utf-8")).split())


PAGES = (paths.ROOT / "README.md", *sorted(paths.NOTEBOOKS.glob("*.md")))
HELD = {path.stem: held_in(path) for path in PAGES[1:]}
