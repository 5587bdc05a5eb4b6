"""The rooms of the packages: an import only ever goes down, and each room has a budget of lines."""

import ast
import importlib
import inspect
import pkgutil
from collections import Counter

# From the top floor down, over all packages. A room imports rooms of lower floors only; those of
# one floor do not know each other. `warm_up` calls the core as a reader does.
FLOORS = (
    {"pareto_book", "pareto_book.__main__"},
    {"pareto_book.building"},
    {"pareto_book.chapters"},
    {"pareto_book.kept_runs"},
    {"pareto_book.claims"},
    {"pareto_book.figures", "pareto_book.studies"},
    {"pareto_book.records", "pareto_book.error_rates", "pareto_book.rivals"},
    {"pareto_book.paths"},
    {"pareto_lab", "pareto_lab.__main__"},
    {"pareto_lab.running", "pareto_lab.tuning"},
    {"pareto_lab.shell"},
    {"pareto_lab.session"},
    {"pareto_lab.planning"},
    {"pareto_lab.statements", "pareto_lab.comparison"},
    {"pareto_lab.experiment"},
    {"pareto_lab.libraries"},
    {"pareto_core.warm_up"},
    {"pareto_core"},
    {"pareto_core.algorithms"},
    {"pareto_core.simulation"},
    {"pareto_core.bounds"},
    {"pareto_core.loop", "pareto_core.transport"},
    {"pareto_core.questions", "pareto_core.instances", "pareto_core.confidence"},
    {"pareto_core.regression"},
    {"pareto_core.geometry"},
    {"pareto_core.compiling"},
    {"pareto_core.checks"},
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
# Lines that a room of the core may have. A change that needs more says why in its commit.
BUDGETS = {
    "pareto_core": 450,
    "pareto_core.algorithms": 900,
    "pareto_core.algorithms.best_arms": 560,
    "pareto_core.algorithms.constrained": 1150,
    "pareto_core.algorithms.linear": 320,
    "pareto_core.algorithms.pareto": 2435,
    "pareto_core.algorithms.top_two": 1420,
    "pareto_core.bounds": 1000,
    "pareto_core.bounds.surrogate": 860,
    "pareto_core.checks": 430,
    "pareto_core.compiling": 620,
    "pareto_core.confidence": 3450,
    "pareto_core.geometry": 1500,
    "pareto_core.instances": 1600,
    "pareto_core.loop": 1200,
    "pareto_core.regression": 640,
    "pareto_core.simulation": 1300,
    "pareto_core.transport": 3650,
}


def modules_of(package):
    found = importlib.import_module(package)
    inner = pkgutil.walk_packages(found.__path__, f"{package}.")
    return [found, *(importlib.import_module(each.name) for each in inner)]


def imports_of(module):
    """Names of what a module imports, anywhere in its text, and of the modules it takes it from."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(name):
    """The room that a name of a package is in, or else the package."""
    package, *inner = name.split(".")
    room = ".".join([package, *inner[:1]])
    return room if room in FLOOR else package


def test_imports_only_go_down():
    wrong = [
        f"{module.__name__} imports {name}"
        for package in ("pareto_book", "pareto_lab", "pareto_core")
        for module in modules_of(package)
        for name in imports_of(module)
        if room_of(name) in FLOOR
        and room_of(name) != room_of(module.__name__)
        and FLOOR[room_of(name)] <= FLOOR[room_of(module.__name__)]
    ]
    assert not wrong


def test_each_room_of_the_core_has_a_budget_of_lines():
    lines = Counter()
    for module in modules_of("pareto_core"):
        is_room = hasattr(module, "__path__")
        room = module.__name__ if is_room else module.__name__.rpartition(".")[0]
        lines[room] += len(inspect.getsourcelines(module)[0])
    assert {room: number for room, number in lines.items() if number > BUDGETS[room]} == {}
