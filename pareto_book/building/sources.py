"""The source files that a chapter depends on: those that it imports, directly or indirectly.

They are modules of the three packages and modules beside the chapter. Installed packages are not
included, because `requirements.lock` states their versions.
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
    """Return source files and all files that they import, directly or indirectly."""
    found = set()
    new = {Path(path).resolve() for path in paths}
    while new:
        path = new.pop()
        found.add(path)
        new |= imported_files(path) - found
    return found


def imported_files(path):
    """Return the source files that a source file imports directly, anywhere in its text."""
    status = path.stat()
    return _imported_once(path, status.st_mtime_ns, status.st_size)


def files_of(imports, folder):
    """Return the source files of import statements."""
    found = set()
    for level, module, name in imports:
        parts = module.split(".") if module else []
        if level:
            found |= _files_below([folder, *folder.parents][level - 1], parts, name)
        elif parts[0] in PACKAGES:
            found |= _files_of_package(parts, name)
        elif parts[0] not in sys.stdlib_module_names:
            found |= _files_beside_chapter(parts, name)
    return frozenset(found)


def imports_in(tree):
    """Return the imports of a parsed program, in the form that `files_of` takes."""
    found, packages = set(), {}
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            names = {each.name: each.asname or each.name for each in node.names}
            packages |= {alias: name for name, alias in names.items() if name in PACKAGES}
            found |= {(0, name, None) for name in names if name not in PACKAGES}
        elif isinstance(node, ast.ImportFrom):
            found |= {(node.level, node.module, each.name) for each in node.names}
    return frozenset(found | _used_names(nodes, packages))


def _used_names(nodes, packages):
    """Names of packages that a program uses; ``packages`` maps their aliases to their names."""
    attributes = {node.value: node.attr for node in nodes if isinstance(node, ast.Attribute)}
    names = {node for node in nodes if isinstance(node, ast.Name) and node.id in packages}
    return {(0, packages[name.id], attributes.get(name)) for name in names}


@functools.cache
def _imported_once(path, modified, size):
    return files_of(imports_in(ast.parse(path.read_bytes())), path.parent)


def _files_of_package(parts, name):
    """File in which a name of a package is defined, not the ``__init__.py`` that exports it."""
    path = paths.ROOT.joinpath(*parts)
    if name is not None and path.with_suffix(".py").is_file():
        return {path.with_suffix(".py")}
    if name is not None:
        path, init = path / name, path / "__init__.py"
        if not path.with_suffix(".py").is_file() and not path.is_dir():
            return _files_of_export(init, name)
    files = (path.with_suffix(".py"), path / "__init__.py")
    return {file for file in files if file.is_file()}


def _files_of_export(init, name):
    """File in which a name that ``init`` imports is defined; ``init`` if it defines the name."""
    if not init.is_file():
        return set()
    for node in ast.walk(ast.parse(init.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            if name in {alias.asname or alias.name for alias in node.names}:
                return _files_of_package(node.module.split("."), name)
    return {init}


def _files_beside_chapter(parts, name):
    """Files of a module that is not installed."""
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
    """Files that are executed when ``name`` is imported from a module below a folder."""
    found = set()
    for part in (*parts, name):
        found.add(folder / "__init__.py")
        if part is None:
            break
        found.add(folder / f"{part}.py")
        folder = folder / part
    return {path for path in {*found, folder / "__init__.py"} if path.is_file()}
