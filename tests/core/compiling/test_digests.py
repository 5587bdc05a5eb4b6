"""The digest of an algorithm describes all that decides what it does, or is refused."""

import abc
import collections
import cProfile
import dataclasses
import enum
import functools
import os
import pathlib
import pickle
import sys
from typing import NamedTuple

import numpy as np
import pytest
from references.algorithms import example_of
from references.readers_algorithms import INSTANCE, InTurn, rule

import pareto_core as pc
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.compiling import identity
from pareto_core.compiling.bytecode import describe_code
from pareto_core.compiling.kernels import kernel


def outer(value):
    return value + 1


class Various(InTurn):
    """All that a class may refer to and that can be described."""

    table = np.arange(3.0)
    names = frozenset({"a", "b"})
    settings = {"x": [1, 2], "y": None}  # noqa: RUF012
    twice = functools.partial(outer, value=3)

    @property
    def half(self):
        return outer(4) / 2

    @classmethod
    def make(cls):
        return cls()

    @functools.cached_property
    def slow(self):
        return sorted(self.names)

    @functools.lru_cache  # noqa: B019
    def remembered(self):
        return len(self.settings)

    def stop(self, record, memory):
        return super().stop(record, memory) or record.time > max(self.settings["x"])


CHANGES = {
    "table": np.arange(3.0)[::-1].copy(),
    "names": frozenset({"a", "c"}),
    "settings": {"x": [1, 3], "y": None},
    "twice": functools.partial(outer, value=4),
    "half": property(lambda self: outer(5) / 2),
    "make": classmethod(lambda cls: cls),
    "remembered": functools.lru_cache(lambda self: 3),
    "stop": lambda self, record, memory: True,
    "added": 0,
}


@pytest.mark.parametrize("name", CHANGES)
def test_any_change_of_a_class_changes_the_digest(monkeypatch, name):
    before = identity.digest_of(Various())
    assert identity.digest_of(Various()) == before
    monkeypatch.setattr(Various, name, CHANGES[name], raising=False)
    assert identity.digest_of(Various()) != before
    monkeypatch.undo()
    assert identity.digest_of(Various()) == before


def test_a_function_that_is_called_decides_too(monkeypatch):
    before = identity.digest_of(Various())
    monkeypatch.setitem(globals(), "outer", lambda value: value + 2)
    assert identity.digest_of(Various()) != before


def test_the_hints_of_a_class_do_not_count(monkeypatch):
    before = identity.digest_of(Various())
    hints = eval("lambda format: {'value': Undefined}")  # as Python 3.14 keeps them
    monkeypatch.setattr(Various, "__annotate_func__", hints, raising=False)
    assert identity.digest_of(Various()) == before


def test_being_pickled_changes_no_digest():
    algorithm = Various()
    before = identity.digest_of(algorithm)
    copied = pickle.loads(pickle.dumps(algorithm))
    assert identity.digest_of(algorithm) == identity.digest_of(copied) == before


def test_a_value_in_the_place_of_a_cached_one_is_noticed():
    algorithm = Various()
    before = identity.digest_of(algorithm)
    algorithm.__dict__["slow"] = ["c"]
    assert identity.digest_of(algorithm) != before


@pytest.mark.parametrize("kind", algorithms_by_name().values())
def test_every_algorithm_of_the_package_has_a_digest(kind):
    algorithm = example_of(kind)
    assert identity.digest_of(algorithm) == identity.digest_of(algorithm)


def test_a_module_of_a_reader_is_followed_by_what_is_taken_from_it(monkeypatch, tmp_path):
    (tmp_path / "tools_of_mine.py").write_text("def limit():\n    return 5\nother = object()\n")
    text = "import tools_of_mine\nclass Mine(Base):\n    def stop(self, record, memory):\n"
    monkeypatch.syspath_prepend(tmp_path)
    found = {"Base": InTurn, "__name__": "of_mine"}
    exec(text + "        return record.time >= tools_of_mine.limit()\n", found)
    before = identity.digest_of(found["Mine"]())
    tools = sys.modules["tools_of_mine"]
    monkeypatch.setattr(tools, "limit", lambda: 6)
    assert identity.digest_of(found["Mine"]()) != before
    exec(text + "        return record.time >= len(vars(tools_of_mine))\n", found)
    with pytest.raises(identity.Unknown, match="the module tools_of_mine as a whole"):
        identity.digest_of(found["Mine"]())
    exec(text + "        return tools_of_mine.other\n", found)
    with pytest.raises(identity.Unknown, match=r"builtins\.object, an object that nothing"):
        identity.digest_of(found["Mine"]())


def test_a_module_imported_in_a_method_is_refused():
    class Late(InTurn):
        def stop(self, record, memory):
            import math

            return record.time > math.pi

    with pytest.raises(identity.Unknown, match="imports math when it is called"):
        identity.digest_of(Late())


def asks_system(record):
    return os.environ["LIMIT"]


def reads_file(record):
    return np.loadtxt("limits")


def opens_file(record):
    return open("limits")


def asks_for_globals(record):
    return globals()["LIMIT"]


def is_not_defined(record):
    return there_is_no_such_name  # noqa: F821


@pytest.mark.parametrize(
    "function, reason",
    [
        (asks_system, "it uses os.environ, whose answer may not be in memory"),
        (reads_file, "it uses numpy.loadtxt, whose answer"),
        (opens_file, "opens_file uses open, which has no exact description"),
        (asks_for_globals, "asks_for_globals uses globals"),
        (is_not_defined, "is_not_defined uses there_is_no_such_name"),
        (os.getenv, "it uses os.getenv"),
        ([].append, "a method of an object"),
    ],
)
def test_what_is_not_in_memory_is_refused(function, reason):
    kind = type("Asks", (InTurn,), {"stop": lambda self, record, memory: function(record)})
    with pytest.raises(identity.Unknown, match=reason):
        identity.digest_of(kind())


def test_an_attribute_of_a_function_is_noticed(monkeypatch):
    before = identity.digest_of(Various())
    monkeypatch.setattr(outer, "limit", 5, raising=False)
    assert identity.digest_of(Various()) != before


def decorated(function):
    @functools.wraps(len)
    def inner(*arguments):
        return function(*arguments)

    return inner


def test_what_only_bears_the_name_of_something_installed_is_followed(monkeypatch):
    monkeypatch.setitem(globals(), "outer", decorated(lambda value: value + 1))
    before = identity.digest_of(Various())
    monkeypatch.setitem(globals(), "outer", decorated(lambda value: value + 2))
    assert identity.digest_of(Various()) != before
    kinds = [dataclasses.make_dataclass("Other", [], bases=(rule(n).__class__,)) for n in (1, 2)]
    for kind in kinds:
        kind.__module__ = "types"  # as before Python 3.12
    assert identity.digest_of(kinds[0]()) != identity.digest_of(kinds[1]())


@pytest.mark.compiled
@pytest.mark.parametrize("algorithm", [pc.ECAPE(), pc.Certified(pc.APE())], ids=repr)
def test_a_digest_is_the_same_before_and_after_compiling(algorithm):
    before = identity.digest_of(algorithm)
    region = pc.orthant([0.0, 0.0]) if algorithm.uses_polyhedron else None
    instance = pc.Instance(INSTANCE.means, polyhedron=region)
    pc.simulate(algorithm, instance, 1, n_jobs=1, max_samples=20, progress=False)
    assert identity.digest_of(algorithm) == before


@pytest.mark.compiled
def test_a_digest_is_the_same_before_and_under_a_profiler():
    """Numba clears a flag of the code of a function that it calls while a profiler runs."""

    @kernel
    def twice(x):
        return 2.0 * x

    function = twice.py_func
    before = describe_code(function.__code__)
    with cProfile.Profile():
        assert twice(1.5) == 3.0
    describe_code.cache_clear()
    assert describe_code(function.__code__) == before


class Memory:
    def __init__(self, limit=9):
        self.limit = 9


class Changed(Memory):
    def __init__(self, limit=9):
        self.limit = 50


class Point(NamedTuple):
    x: float = 9.0

    def moved(self):
        return self.x + 1


class Moved(NamedTuple):
    x: float = 9.0

    def moved(self):
        return self.x + 2


class Pair(list):
    def first(self):
        return self[0]


def of_kind(kind):
    """An algorithm whose memory is of a class."""
    return type("Remembers", (InTurn,), {"start": lambda self, problem, rng: kind()})()


def with_attribute(value):
    return type("Has", (InTurn,), {"value": value})()


class Colour(enum.Enum):
    RED = 1


class Shade(enum.Enum):
    RED = 2


@dataclasses.dataclass
class Fields:
    values: list = dataclasses.field(default_factory=lambda: [9])

    def __eq__(self, other):
        return True


@dataclasses.dataclass
class OtherFields:
    values: list = dataclasses.field(default_factory=lambda: [50])

    def __eq__(self, other):
        return True


@dataclasses.dataclass
class OtherEquality:
    values: list = dataclasses.field(default_factory=lambda: [9])

    def __eq__(self, other):
        return False


def renamed(kind, name):
    """A class under the name of another."""
    kind.__qualname__ = kind.__name__ = name
    return kind


@pytest.mark.parametrize(
    "first, second",
    [
        (Memory, renamed(Changed, "Memory")),
        (Point, renamed(Moved, "Point")),
        (Colour, renamed(Shade, "Colour")),
        (Fields, renamed(OtherFields, "Fields")),
        (Fields, renamed(OtherEquality, "Fields")),
    ],
)
def test_classes_that_differ_in_one_value_are_distinguished(first, second):
    digests = [identity.digest_of(of_kind(kind)) for kind in (first, second, first)]
    assert digests[0] == digests[2] != digests[1]


UNCERTAIN = {
    "a list with methods": Pair([1]),
    "a defaultdict": collections.defaultdict(int),
    "a matrix": np.ma.masked_array([1.0]),
    "a ufunc of one's own": np.frompyfunc(lambda x: x, 1, 1),
    "a path": pathlib.Path("limits"),
    "an open file": sys.stdout,
    "a module": np,
}


@pytest.mark.parametrize("value", UNCERTAIN.values(), ids=UNCERTAIN)
def test_what_a_digest_would_miss_is_refused(value):
    with pytest.raises(identity.Unknown):
        identity.digest_of(with_attribute(value))


def test_classes_that_refer_to_each_other_are_described_once():
    kinds = [type("Kind", (), {})]
    for _ in range(40):
        kinds.append(type("Kind", (), {"one": kinds[-1], "two": kinds[-1]}))
    assert identity.digest_of(with_attribute(kinds[-1]))


class ZPair(NamedTuple):
    x: float = 1.0

    def moved(self):
        return self.x + 1


@pc.kernel
def a_kernel():
    return ZPair(2.0).x


def uses_both(record):
    return a_kernel() < ZPair().moved()


def test_a_class_that_a_kernel_reads_less_of_is_described_in_full(monkeypatch):
    kind = type("Both", (InTurn,), {"other": a_kernel, "stop": staticmethod(uses_both)})
    before = identity.digest_of(kind())
    monkeypatch.setattr(ZPair, "moved", lambda self: 0.0)
    assert identity.digest_of(kind()) != before


def test_the_reason_says_where_it_was_found():
    with pytest.raises(identity.Unknown, match=r"^in .*reads_file, np: it uses numpy\.loadtxt"):
        identity.digest_of(with_attribute(reads_file))


def test_a_class_with_abstract_methods_is_described():
    class Abstract(InTurn, abc.ABC):
        @abc.abstractmethod
        def limit(self):
            """How many samples."""

        def stop(self, record, memory):
            return record.time >= self.limit()

    def derived(number):
        return type("Derived", (Abstract,), {"limit": lambda self: number})()

    assert identity.digest_of(derived(3)) == identity.digest_of(derived(3))
    assert identity.digest_of(derived(3)) != identity.digest_of(derived(4))
