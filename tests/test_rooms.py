"""The rooms of the package: an import only ever goes down, and a room is a door, not a file."""

import ast
import importlib
import inspect
import pkgutil

import pytest

import pareto_core

# From the top floor down. A room imports rooms of lower floors only; those of one floor do not
# know each other.
FLOORS = (
    {"__main__", "warm_up", "__init__"},
    {"arena"},
    {"sessions", "error_rates", "publishing"},
    {"algorithms"},
    {"simulation"},
    {"bounds"},
    {"loop", "transport"},
    {"questions", "instances", "confidence"},
    {"geometry", "regression"},
    {"compiling"},
    {
        "_checks",
        "_paths",
        "_words",
        "progress",
    },
)
GROUND = FLOORS[-1]  # its files do know each other
INTERVALS = "pareto_core.simulation.statistics"  # all that the book's own room needs above it
INSIDE = {  # who may import whom within a room of rooms
    "algorithms": (
        {"registry"},
        {"__init__"},
        {"pareto", "linear", "best_arms", "constrained"},
    )
}
PACKAGES = pkgutil.walk_packages(pareto_core.__path__, "pareto_core.")
MODULES = ["pareto_core", *sorted(package.name for package in PACKAGES)]
ROOMS = [name for name in MODULES if hasattr(importlib.import_module(name), "__path__")]


def imports_of(name):
    """Modules of the package that a module imports, anywhere in its text."""
    module = importlib.import_module(name)
    found = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in MODULES else node.module)
    return {each for each in found if each.split(".")[0] == "pareto_core"}


def part(name, depth):
    """The room (or file) that a module is in, so many levels below the package."""
    parts = name.split(".")[1:]
    return parts[depth] if len(parts) > depth else "__init__"


def floor(name, floors, depth=0):
    here = part(name, depth)
    return next(k for k, rooms in enumerate(floors) if here in rooms)


def test_every_room_has_its_floor():
    rooms = {part(name, 0) for name in MODULES} | {"__main__"}
    assert rooms == set().union(*FLOORS)


@pytest.mark.parametrize("name", MODULES)
def test_imports_only_go_down(name):
    for imported in imports_of(name):
        here, there = part(name, 0), part(imported, 0)
        if here == "warm_up" and imported == "pareto_core":
            continue  # it calls what a reader calls
        if {here, there} <= GROUND:
            continue
        if here == there:
            inner = INSIDE.get(here)
            same = part(name, 1) == part(imported, 1)
            if inner and not same:
                assert floor(name, inner, 1) < floor(imported, inner, 1), f"{name}: {imported}"
            continue
        assert floor(name, FLOORS) < floor(imported, FLOORS), f"{name} imports {imported}"


def test_nothing_imports_in_a_circle():
    graph = {name: imports_of(name) - {name} for name in MODULES}
    while graph:
        free = [name for name, needed in graph.items() if not needed & set(graph)]
        assert free, f"in a circle: {sorted(graph)}"
        for name in free:
            del graph[name]


@pytest.mark.thorough
def test_the_library_does_not_need_the_book():
    for name in MODULES:
        if part(name, 0) == "publishing":
            for imported in imports_of(name):
                allowed = part(imported, 0) in GROUND | {"publishing"} or imported == INTERVALS
                assert allowed, f"{name}: {imported}"
        else:
            assert not any(part(each, 0) == "publishing" for each in imports_of(name)), name


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_says_what_lives_in_it_and_holds_no_code(name):
    tree = ast.parse(inspect.getsource(importlib.import_module(name)))
    assert len(ast.get_docstring(tree)) > 40
    for node in tree.body[1:]:
        assert isinstance(node, ast.Import | ast.ImportFrom | ast.Assign), ast.unparse(node)
        if isinstance(node, ast.Assign):
            assert {target.id for target in node.targets} <= {"__all__", "__version__"}


@pytest.mark.parametrize("name", [name for name in ROOMS if name != "pareto_core"])
def test_no_module_has_the_name_of_something_that_its_room_exports(name):
    room = importlib.import_module(name)
    files = {module for _, module, _ in pkgutil.iter_modules(room.__path__)}
    assert not files & set(getattr(room, "__all__", ()))
