"""What decides the content of an executed chapter: its code, and what that reads and imports."""

import ast
import hashlib
import platform

from pareto_book import paths
from pareto_book.building import sources
from pareto_book.records.published import printed_text

NAMES = {"code": "its code", "python": "Python"}


def chapter_inputs(notebook, profile, seed, data):
    """Collect what an executed chapter is made from, each under a name to tell.

    Prose is no part of it, nor are files of the package or of ``data/`` that the chapter does
    not use.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        Its source.
    profile : str
        How many runs it makes.
    seed : int
        Seed of all simulations.
    data : iterable of str
        Files of ``data/`` that its last execution has read, and single claims whose published
        number it has read, as ``file#claim``.

    Returns
    -------
    dict
    """
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    code = "\n\n".join(cells)  # as a whole: what one cell imports, others use
    imports = sources.imports_in(ast.parse(code))
    modules = sources.closure(*sources.files_of(imports, paths.NOTEBOOKS))
    return {
        "code": hashlib.sha256(code.encode()).hexdigest(),
        "modules": {_name(path): _digest(path) for path in sorted(modules)},
        "data": {name: digest_of_data(name) for name in sorted(data)},
        "requirements.lock": _digest(paths.LOCK),
        "profile": profile,
        "seed": seed,
        "python": ".".join(platform.python_version_tuple()[:2]),
    }


def changes(before, now):
    """Names of the inputs that are not what they were, for a reader.

    Parameters
    ----------
    before, now : dict
        As `chapter_inputs` collects them.

    Returns
    -------
    list of str
    """
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


def digest_of_data(name):
    """SHA-256 of a file of ``data/``, or of what one of its claims gives as published."""
    if "#" in name:
        return hashlib.sha256(str(printed_text(name)).encode()).hexdigest()
    return _digest(paths.DATA / name)


def _digest(path):
    """SHA-256 of a file; None if it is not there."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
