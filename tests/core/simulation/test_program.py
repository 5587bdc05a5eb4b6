"""A store never returns the runs of another program."""

import abc
import collections
import dataclasses
import datetime
import enum
import functools
import heapq
import logging
import math
import operator
import os
import pathlib
import pickle
import re
import subprocess
import sys
import zipfile
from typing import NamedTuple

import numpy as np
import pytest
import scipy.special
from references.algorithms import example_of
from scipy import stats
from scipy.stats import norm

import pareto_core as pc
import pareto_lab as lab
from pareto_book import paths
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.compiling import identity
from pareto_core.simulation import program

INSTANCE = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])


class InTurn(pc.PythonAlgorithm):
    """Sample in turn."""

    BUDGET = 9

    def select(self, record, memory):
        return record.counts.argmin()

    def stop(self, record, memory):
        return record.time >= self.BUDGET

    def recommend(self, record, memory):
        return pc.pareto_set(record.means)


def samples(algorithm, folder, **options):
    request = {"n_jobs": 1, "backend": "threads", "progress": False, "store": folder}
    return pc.simulate(algorithm, INSTANCE, 2, **request | options).samples.tolist()


def rule(budget):
    """An algorithm whose budget is in no parameter."""

    class Rule(InTurn):
        def stop(self, record, memory):
            return record.time >= budget

    return Rule()


def test_algorithms_of_a_factory_are_distinguished(tmp_path):
    assert [samples(rule(n), tmp_path) for n in (10, 50, 10)] == [[10, 10], [50, 50], [10, 10]]


def test_a_class_made_by_type_is_distinguished(tmp_path):
    for budget in (9, 50, 9):
        kind = type("Sub", (InTurn,), {"BUDGET": budget})
        assert samples(kind(), tmp_path) == [budget, budget]


def test_a_changed_attribute_of_a_class_is_noticed(tmp_path, monkeypatch):
    assert samples(InTurn(), tmp_path) == [9, 9]
    monkeypatch.setattr(InTurn, "BUDGET", 20)
    assert samples(InTurn(), tmp_path) == [20, 20]


def test_an_attribute_of_the_object_is_noticed(tmp_path):
    algorithm = InTurn()
    assert samples(algorithm, tmp_path) == [9, 9]
    algorithm.BUDGET = 12
    assert samples(algorithm, tmp_path) == [12, 12]


def test_a_changed_method_of_an_algorithm_of_the_package_is_noticed(tmp_path, monkeypatch):
    before = identity.digest_of(pc.APE())
    monkeypatch.setattr(pc.APE, "select", staticmethod(pc.MOSE.select))
    assert identity.digest_of(pc.APE()) != before


EDITED = """
import pareto_core as pc
LIMIT = 9
class Mine(pc.PythonAlgorithm):
    def select(self, record, memory):
        return record.counts.argmin()
    def stop(self, record, memory):
        return record.time >= LIMIT
    def recommend(self, record, memory):
        return pc.pareto_set(record.means)
"""
TWICE = """
import os, sys
from pathlib import Path
import pareto_core as pc
import mine
instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
def samples():
    request = {"n_jobs": 1, "backend": "threads", "progress": False, "store": sys.argv[1]}
    print(pc.simulate(mine.Mine(), instance, 1, **request).samples[0])
samples()
if len(sys.argv) > 2:
    path = Path(mine.__file__)
    path.write_text(path.read_text().replace("LIMIT = 9", "LIMIT = 20"))
    os.utime(path, (1e9, 1e9))
    samples()
"""


def run(program, folder, *arguments, path=None):
    """What a new process prints, which finds modules in a folder."""
    environment = {**os.environ, "PYTHONPATH": f"{path or folder}{os.pathsep}{paths.ROOT}"}
    command = [sys.executable, "-B", "-c", program, *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=folder)
    return (done.stdout or done.stderr).split()


@pytest.mark.slow
def test_a_module_edited_and_not_loaded_again_keeps_its_runs(tmp_path):
    (tmp_path / "mine.py").write_text(EDITED)
    assert run(TWICE, tmp_path, tmp_path / "store", "edit") == ["9", "9"]
    assert run(TWICE, tmp_path, tmp_path / "store") == ["20"]
    (tmp_path / "mine.py").write_text(EDITED)
    assert run(TWICE, tmp_path, tmp_path / "store") == ["9"]


@pytest.mark.slow
def test_an_algorithm_in_a_zip_is_kept(tmp_path):
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("mine.py", EDITED)
    for _ in range(2):
        assert run(TWICE, tmp_path, tmp_path / "store", path=tmp_path / "mine.zip") == ["9"]
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("mine.py", EDITED.replace("LIMIT = 9", "LIMIT = 11"))
    assert run(TWICE, tmp_path, tmp_path / "store", path=tmp_path / "mine.zip") == ["11"]


class Holds(InTurn):
    """Holds something that nothing describes."""

    def __init__(self, number=1):
        self.number = number
        self.rng = np.random.default_rng(0)


REFUSED = r"^the runs of {} can't be kept in a store, .*: {}.* Expected no store, or store_key="


def test_what_nothing_describes_is_refused_with_a_way_out(tmp_path):
    expected = REFUSED.format("Holds", "numpy.random.*Generator, an object")
    with pytest.raises(ValueError, match=expected):
        samples(Holds(), tmp_path)
    assert not list(tmp_path.iterdir())
    assert samples(Holds(), tmp_path, store_key="first") == [9, 9]
    assert samples(Holds(), tmp_path, store_key="second") == [9, 9]
    assert len(list(tmp_path.iterdir())) == 2
    assert samples(Holds(), None) == [9, 9]


def test_what_contains_itself_is_refused_in_words(tmp_path):
    algorithm = Holds()
    algorithm.rng = algorithm
    with pytest.raises(ValueError, match=REFUSED.format("Holds", "Holds contains itself")):
        samples(algorithm, tmp_path)
    algorithm.rng = [algorithm]
    with pytest.raises(ValueError, match=REFUSED.format("Holds", "Holds contains itself")):
        samples(algorithm, tmp_path)


@pytest.mark.parametrize("key", ["", 3, b"mine", ["a"]])
def test_a_key_that_is_no_name_is_refused(tmp_path, key):
    expected = rf"^store_key = {re.escape(repr(key))}; expected a string"
    with pytest.raises(ValueError, match=expected):
        samples(InTurn(), tmp_path, store_key=key)


def test_keys_of_a_comparison_are_by_the_names_of_the_algorithms(tmp_path):
    request = {"runs": 2, "store": tmp_path, "progress": False, "n_jobs": 1}
    with pytest.raises(ValueError, match="the runs of Holds can't be kept"):
        lab.compare({"mine": Holds()}, INSTANCE, **request)
    lab.compare({"mine": Holds()}, INSTANCE, **request, store_key={"mine": "first"})
    assert len(list(tmp_path.iterdir())) == 1
    with pytest.raises(ValueError, match=r"^store_key = \{'other': 'x'\}; expected .*'mine'"):
        lab.compare({"mine": Holds()}, INSTANCE, **request, store_key={"other": "x"})


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


def test_being_pickled_changes_no_digest():
    algorithm = Various()
    before = identity.digest_of(algorithm)
    copied = pickle.loads(pickle.dumps(algorithm))
    assert identity.digest_of(algorithm) == identity.digest_of(copied) == before


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


def test_a_link_to_a_file_of_the_package_changes_nothing(package):
    before = program.package_hash()
    os.link(package / "a.py", package / "linked")
    (package / "a.py").chmod(0o600)
    assert program.package_hash() == before


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


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A folder that is taken for the package."""
    (tmp_path / "inner").mkdir()
    for name in ("a.py", "inner/b.py"):
        (tmp_path / name).write_text(f"x = '{name}'\n")
    monkeypatch.setattr(program, "PACKAGE", tmp_path)
    monkeypatch.setattr(program, "_imported", program._contents())
    return tmp_path


@pytest.mark.parametrize("change", ["written", "replaced", "added", "removed"])
def test_a_package_that_changed_since_it_was_imported_is_refused(package, change):
    program.package_hash()
    path = package / "inner" / "b.py"
    if change == "written":
        status = path.stat()
        path.write_text(path.read_text()[::-1])
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif change == "replaced":
        new = package / "new"
        new.write_text(path.read_text()[::-1])
        new.replace(path)
    elif change == "added":
        path = package / "c.py"
        path.write_text("")
    else:
        path.unlink()
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))} has changed since pareto_core"):
        program.package_hash()


def test_a_moved_line_changes_the_hash_and_another_place_does_not(package, monkeypatch, tmp_path):
    def hash_of(first, second):
        for name, text in (("a.py", first), ("inner/b.py", second)):
            (package / name).write_text(text)
        monkeypatch.setattr(program, "_imported", program._contents())
        return program.package_hash()

    assert hash_of("xy", "z") != hash_of("x", "yz")
    assert hash_of("xy", "z") == hash_of("xy", "z")


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
    assert kinds[0].__module__ == "types"
    assert identity.digest_of(kinds[0]()) != identity.digest_of(kinds[1]())


@pytest.mark.compiled
@pytest.mark.parametrize("algorithm", [pc.ECAPE(), pc.Certified(pc.APE())], ids=repr)
def test_a_digest_is_the_same_before_and_after_compiling(algorithm):
    before = identity.digest_of(algorithm)
    region = pc.orthant([0.0, 0.0]) if algorithm.uses_polyhedron else None
    instance = pc.Instance(INSTANCE.means, polyhedron=region)
    pc.simulate(algorithm, instance, 1, n_jobs=1, max_samples=20, progress=False)
    assert identity.digest_of(algorithm) == before


MODULE = """
import pareto_core as pc
LIMIT = 9
class Mine(pc.PythonAlgorithm):
    BUDGET = 3
    def select(self, record, memory):
        sum(range(20_000))  # takes a while
        return record.counts.argmin()
    def stop(self, record, memory):
        return record.time >= max(LIMIT, self.BUDGET)
    def recommend(self, record, memory):
        return pc.pareto_set(record.means)
"""
IN_PROCESSES = """
import mine
import pareto_core as pc
{change}
instance = pc.Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
try:
    runs = pc.simulate(mine.Mine(), instance, 300, n_jobs=2, progress=False)
    print(set(runs.samples.tolist()))
except ValueError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("change", ["", "mine.LIMIT = 20", "mine.Mine.BUDGET = 30"])
def test_different_processes_never_run_different_programs(tmp_path, change):
    (tmp_path / "mine.py").write_text(MODULE)
    text = " ".join(run(IN_PROCESSES.format(change=change), tmp_path))
    expected = "Mine is a different program in another process" if change else "{9}"
    assert text.startswith(expected)


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


def uses_libraries(record):
    table = collections.Counter(record.counts.tolist())
    bound = norm.ppf(0.9) + stats.chi2.ppf(0.9, 2) + math.sqrt(scipy.special.gamma(3.0))
    LOGGER.debug("%s", table)
    return bound + np.linalg.norm(record.means) + heapq.nsmallest(1, table)[0] > Colour.RED.value


LOGGER = logging.getLogger("mine")


def test_what_algorithms_usually_use_is_described(monkeypatch):
    kind = type("Usual", (InTurn,), {"stop": lambda self, record, memory: uses_libraries(record)})
    before = identity.digest_of(kind())
    monkeypatch.setattr(np, "mylimit", 9, raising=False)
    assert identity.digest_of(kind()) == before
    values = re.compile("a+"), operator.itemgetter(1), range(3), slice(2), datetime.timedelta(1)
    for value in values:
        assert identity.digest_of(with_attribute(value))


def reads_constant(record):
    return np.mylimit


def test_a_constant_that_somebody_put_into_a_library_is_noticed(monkeypatch):
    kind = type("Reads", (InTurn,), {"stop": lambda self, record, memory: reads_constant(record)})
    digests = []
    for value in (9, 50):
        monkeypatch.setattr(np, "mylimit", value, raising=False)
        digests.append(identity.digest_of(kind()))
    assert digests[0] != digests[1]


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


def test_what_is_sent_is_checked_if_it_holds_an_algorithm_of_a_reader():
    assert program.signed(pc.Certified(pc.APE()))[1] is None
    kind = type("Mine", (pc.APE,), {})
    assert program.signed(pc.Certified(kind()))[1] is not None


def test_the_reason_says_where_it_was_found():
    with pytest.raises(identity.Unknown, match=r"^in .*reads_file, np: it uses numpy\.loadtxt"):
        identity.digest_of(with_attribute(reads_file))
