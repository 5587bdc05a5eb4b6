"""The inputs of an executed chapter: its code, the modules that the code uses, and all tables."""

import ast
import hashlib
import platform

from pareto_book import paths
from pareto_book.building import sources
from pareto_book.claims.claims import chapters_with_claims, load_claims

NAMES = {"code": "its code", "python": "Python"}


def chapter_inputs(notebook, profile, seed):
    """Collect the inputs of a chapter, by names for messages."""
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    code = "\n\n".join(cells)  # joined, since a cell can use the imports of another cell
    imports = sources.imports_in(ast.parse(code))
    modules = sources.closure(*sources.files_of(imports, paths.NOTEBOOKS))
    return {
        "code": hashlib.sha256(code.encode()).hexdigest(),
        "modules": {_name(path): file_digest(path) for path in sorted(modules)},
        "data": {_name(path): file_digest(path) for path in _tables(code)},
        "published numbers": _published_digest(),
        "requirements.lock": file_digest(paths.LOCK),
        "profile": profile,
        "seed": seed,
        "python": ".".join(platform.python_version_tuple()[:2]),
    }


def changes(before, now):
    """Return the names of the inputs that have changed."""
    found = []
    for name, value in now.items():
        if isinstance(value, dict) and isinstance(before.get(name), dict):
            old = before[name]
            found += sorted(each for each in {*old, *value} if old.get(each) != value.get(each))
        elif before.get(name) != value:
            found.append(NAMES.get(name, name))
    return found


def _name(path):
    root = paths.ROOT
    return path.relative_to(root).as_posix() if root in path.parents else path.name


def _tables(code):
    """Files of ``data/``; what papers print only where cells show it."""
    found = [path for path in sorted(paths.DATA.rglob("*.*")) if path.suffix in (".csv", ".npz")]
    published = paths.DATA / "published"
    return [path for path in found if path.parent != published or ".check(" in code]


def _published_digest():
    """SHA-256 of what all claims give as published."""
    claims = {chapter: load_claims(chapter) for chapter in chapters_with_claims()}
    found = [{name: claim.published for name, claim in each.items()} for each in claims.values()]
    return hashlib.sha256(repr(found).encode()).hexdigest()


def file_digest(path):
    """SHA-256 of a file; None if it does not exist."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
