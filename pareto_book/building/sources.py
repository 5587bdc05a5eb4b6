"""The source files that a chapter depends on: what it imports, directly or not.

The modules of the three packages and those beside the chapter are followed, but not what is
installed: `requirements.lock` has its versions.
"""

import ast
import functools
import importlib.util
import sys
from pathlib import Path

from pareto_book import paths

PACKAGES = {"pareto_core", "pareto_lab", "pareto_book"}  # of the repository
INSTALLED = {"site-packages", "dist-packages"}


def closure(*paths):
    """Source files and all those that they import, directly or not.

    Returns
    -------
    set of pathlib.Path
    """
    found = set()
    new = {Path(path).resolve() for path in paths}
    while new:
        path = new.pop()
        found.add(path)
        new |= imported_files(path) - found
    return found


def imported_files(path):
    """Source files that a source file imports itself, anywhere in its text.

    Returns
    -------
    frozenset of pathlib.Path
    """
    status = path.stat()
    return _imported_once(path, status.st_mtime_ns, status.st_size)


def files_of(imports, folder):
    """Source files of import statements, for a file that lies in ``folder``.

    Parameters
    ----------
    imports : iterable of tuple
        Each the level (0 if absolute), the module and a name that is imported from it, if any.
    folder : pathlib.Path
        What a relative import is relative to.

    Returns
    -------
    frozenset of pathlib.Path
    """
    found = set()
    for level, module, name in imports:
        parts = module.split(".") if module else []
        if level:
            found |= _files_below([folder, *folder.parents][level - 1], parts, name)
        elif parts[0] in PACKAGES:
            found |= _files_of_package(parts, name)
        elif parts[0] not in sys.stdlib_module_names:
            found |= _files_of_reader(parts, name)
    return frozenset(found)


def imports_in(tree):
    """Import statements of a parsed program, as `files_of` takes them.

    Of ``import pareto_core as pc`` and ``pc.simulate`` only what is used counts.
    """
    found, doors = set(), {}
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            names = {each.name: each.asname or each.name for each in node.names}
            doors |= {known: name for name, known in names.items() if name in PACKAGES}
            found |= {(0, name, None) for name in names if name not in PACKAGES}
        elif isinstance(node, ast.ImportFrom):
            found |= {(node.level, node.module, each.name) for each in node.names}
    return frozenset(found | _used_of_packages(nodes, doors))


def _used_of_packages(nodes, doors):
    """Names that a program takes from packages; ``doors`` has what it calls each of them."""
    attributes = {node.value: node.attr for node in nodes if isinstance(node, ast.Attribute)}
    names = {node for node in nodes if isinstance(node, ast.Name) and node.id in doors}
    return {(0, doors[name.id], attributes.get(name)) for name in names}


@functools.cache
def _imported_once(path, modified, size):
    return files_of(imports_in(ast.parse(path.read_bytes())), path.parent)


def _files_of_package(parts, name):
    """File of the package that is meant; the doors of its rooms only lead to others."""
    place = paths.ROOT.joinpath(*parts)
    if name is not None and place.with_suffix(".py").is_file():
        return {place.with_suffix(".py")}
    if name is not None:
        place, door = place / name, place / "__init__.py"
        if not place.with_suffix(".py").is_file() and not place.is_dir():
            return _files_behind(door, name)
    files = (place.with_suffix(".py"), place / "__init__.py")
    return {file for file in files if file.is_file()}


def _files_behind(door, name):
    """File of what a room hands on under a name; the door itself if it does not."""
    if not door.is_file():
        return set()
    for node in ast.walk(ast.parse(door.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            if name in {alias.asname or alias.name for alias in node.names}:
                return _files_of_package(node.module.split("."), name)
    return {door}


def _files_of_reader(parts, name):
    try:
        spec = importlib.util.find_spec(parts[0])
    except (ImportError, ValueError):
        return set()
    for origin in (spec and spec.origin, *((spec and spec.submodule_search_locations) or ())):
        if origin and INSTALLED & set(Path(origin).parts):
            return set()
    if spec is None or spec.submodule_search_locations is None:
        source = Path(spec.origin) if spec and spec.origin else None
        return {source.resolve()} if source and source.suffix == ".py" else set()
    folders = [Path(folder).resolve() for folder in spec.submodule_search_locations]
    return set().union(*(_files_below(folder, parts[1:], name) for folder in folders))


def _files_below(folder, parts, name):
    """Files that importing ``name`` from a module below a folder runs."""
    found = set()
    for part in (*parts, name):
        found.add(folder / "__init__.py")
        if part is None:
            break
        found.add(folder / f"{part}.py")
        folder = folder / part
    return {path for path in {*found, folder / "__init__.py"} if path.is_file()}
