"""The rooms of the packages: an import only ever goes down, and a room is a door, not a file."""

import ast
import functools
import importlib
import inspect
import itertools
import pkgutil
import sys
from collections import Counter

PACKAGES = ("pareto_book", "pareto_lab", "pareto_core")  # each on top of the ones after it
# From the top floor of each package down. A room imports rooms of lower floors only; those of one
# floor do not know each other.
FLOORS = {
    "pareto_core": (
        {"warm_up", "__init__"},
        {"algorithms"},
        {"simulation"},
        {"bounds"},
        {"loop", "transport"},
        {"questions", "instances", "confidence"},
        {"regression"},
        {"geometry"},
        {"compiling"},
        {"checks"},
    ),
    "pareto_lab": (
        {"__main__", "__init__"},
        {"running", "tuning"},
        {"shell"},
        {"session"},
        {"planning"},
        {"statements", "comparison"},
        {"experiment"},
        {"libraries"},
    ),
    "pareto_book": (
        {"__main__", "__init__"},
        {"building"},
        {"chapters"},
        {"kept_runs"},
        {"claims"},
        {"figures", "studies"},
        {"records", "error_rates", "rivals"},
        {"paths"},
    ),
}
INSIDE = {  # which rooms may import which within a room of rooms
    "pareto_core.algorithms": (
        {"registry"},
        {"__init__"},
        {"top_two"},
        {"pareto", "linear", "best_arms", "constrained"},
        {"exploration", "stopping"},
        {"ada_hedge", "elimination", "proven_stopping", "race", "settings", "tracking"},
    )
}
# All that an installed core may need, and a laboratory besides.
NEEDED = {
    "pareto_core": {
        "filelock",
        "loky",
        "numba",
        "numpy",
        "platformdirs",
        "scipy",
        "tqdm",
    },
    "pareto_lab": {"jinja2", "matplotlib", "pandas"},
}
# What is the value of a parameter in the core: files of a room may not differ by these words alone.
PARAMETERS = {
    *("arm", "arms", "best", "front", "pareto", "partition", "partitions", "set"),
    *("constrained", "features", "linear", "region"),
    *("correlated", "covariance", "joint", "known", "noise", "noisy", "separate", "separately"),
    *("unequal", "unknown", "variance"),
}
TWINS = {  # files that do, each with the reason
    ("constrained_ledger", "ledger"): "dominators must be feasible: a statement for each pair",
    ("linear_oracle", "oracle"): "in a linear model no arm moves alone, so that every move differs",
}
# Lines that a room of the core may have. A change that needs more says why in its commit.
BUDGETS = {
    "pareto_core": 500,
    "pareto_core.algorithms": 1050,
    "pareto_core.algorithms.best_arms": 600,
    "pareto_core.algorithms.constrained": 1300,
    "pareto_core.algorithms.linear": 400,
    "pareto_core.algorithms.pareto": 2450,
    "pareto_core.algorithms.top_two": 1500,
    "pareto_core.bounds": 1100,
    "pareto_core.bounds.surrogate": 900,
    "pareto_core.checks": 500,
    "pareto_core.compiling": 600,
    "pareto_core.confidence": 3500,
    "pareto_core.geometry": 1600,
    "pareto_core.instances": 1900,
    "pareto_core.loop": 1300,
    "pareto_core.regression": 700,
    "pareto_core.simulation": 1300,
    "pareto_core.transport": 3800,
}
STANDARD = set(sys.stdlib_module_names)
OPTIONAL = {"IPython", "cloudpickle", "dask", "distributed"}  # imported where it is used


def modules_of(package):
    found = importlib.import_module(package).__path__
    return [package, *sorted(each.name for each in pkgutil.walk_packages(found, f"{package}."))]


MODULES = [name for package in PACKAGES for name in modules_of(package)]
ROOMS = [name for name in MODULES if hasattr(importlib.import_module(name), "__path__")]


@functools.cache
def tree_of(name):
    return ast.parse(inspect.getsource(importlib.import_module(name)))


def imports_of(name):
    """Modules that a module imports, anywhere in its text."""
    found = set()
    for node in ast.walk(tree_of(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in MODULES else node.module)
    return found


def own_imports_of(name):
    return {each for each in imports_of(name) if root_of(each) in PACKAGES}


def root_of(name):
    return name.split(".")[0]


def part(name, depth):
    """The package, room or file that a module is in, ``depth`` levels down."""
    parts = name.split(".")
    return parts[depth] if len(parts) > depth else "__init__"


def floor(here, floors):
    return next(k for k, rooms in enumerate(floors) if here in rooms)


def goes_down(importing, imported):
    """Whether one module may import another."""
    packages = root_of(importing), root_of(imported)
    if packages[0] != packages[1]:
        return PACKAGES.index(packages[0]) < PACKAGES.index(packages[1])
    rooms = part(importing, 1), part(imported, 1)
    if rooms[0] != rooms[1]:
        calls_as_a_reader = rooms[0] == "warm_up" and imported == "pareto_core"
        floors = FLOORS[packages[0]]
        return calls_as_a_reader or floor(rooms[0], floors) < floor(rooms[1], floors)
    inner = INSIDE.get(f"{packages[0]}.{rooms[0]}")
    files = part(importing, 2), part(imported, 2)
    return inner is None or files[0] == files[1] or floor(files[0], inner) < floor(files[1], inner)


def test_every_room_has_its_floor():
    rooms = {package: set() for package in PACKAGES}
    for name in MODULES:
        rooms[root_of(name)].add(part(name, 1))
    assert rooms == {package: set().union(*FLOORS[package]) for package in PACKAGES}


def test_imports_only_go_down():
    wrong = [
        f"{name} imports {imported}"
        for name in MODULES
        for imported in own_imports_of(name) - {name}
        if not goes_down(name, imported)
    ]
    assert not wrong


def test_nothing_imports_in_a_circle():
    graph = {name: own_imports_of(name) - {name} for name in MODULES}
    while graph:
        free = [name for name, needed in graph.items() if not needed & set(graph)]
        assert free, f"in a circle: {sorted(graph)}"
        for name in free:
            del graph[name]


def test_the_core_and_the_laboratory_need_no_other_libraries():
    allowed = {*PACKAGES, *OPTIONAL}
    for package in ("pareto_core", "pareto_lab"):
        allowed |= NEEDED[package]
        for name in modules_of(package):
            foreign = {root_of(each) for each in imports_of(name)} - STANDARD
            assert foreign <= allowed, name


def test_parts_of_scipy_are_imported_when_they_are_used():
    """SciPy does so by itself; named in an import, they would make a third of that of the core."""
    imports = {name: imports_of(name) for name in modules_of("pareto_core")}
    assert [name for name in imports if any(map(is_part_of_scipy, imports[name]))] == []


def is_part_of_scipy(name):
    return name.startswith("scipy.")


def test_a_room_holds_no_code():
    for name in ROOMS:
        tree = tree_of(name)
        for node in tree.body[1:]:
            assert isinstance(node, ast.Import | ast.ImportFrom | ast.Assign), ast.unparse(node)
            if isinstance(node, ast.Assign):
                assert {target.id for target in node.targets} <= {"__all__", "__version__"}


def test_no_module_has_the_name_of_something_that_its_room_exports():
    for name in set(ROOMS) - set(PACKAGES):
        room = importlib.import_module(name)
        files = {module for _, module, _ in pkgutil.iter_modules(room.__path__)}
        assert not files & set(getattr(room, "__all__", ())), name


def room_of(name):
    """The room of the core that a file is in; a room is in itself."""
    return name if name in ROOMS else name.rpartition(".")[0]


def without_parameters(file):
    return tuple(word for word in file.split("_") if word not in PARAMETERS)


def test_no_two_files_of_a_room_differ_by_noise_question_or_region():
    files = [name.rpartition(".") for name in modules_of("pareto_core") if name not in ROOMS]
    twins = {
        (first, second)
        for (room, _, first), (other, _, second) in itertools.combinations(files, 2)
        if room == other and without_parameters(first) == without_parameters(second)
    }
    assert twins == set(TWINS)


def test_each_room_of_the_core_has_a_budget_of_lines():
    lines = Counter()
    for name in modules_of("pareto_core"):
        lines[room_of(name)] += len(inspect.getsourcelines(importlib.import_module(name))[0])
    assert set(lines) == set(BUDGETS)
    assert [room for room in lines if lines[room] > BUDGETS[room]] == []
