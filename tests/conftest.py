"""What all tests share: repeatable random tests, and kernels that say the same every time.

Random tests try a third of the examples that they state, and all of them with the long tests.

With NUMBA_DISABLE_JIT=1 the kernels are interpreted, a hundred times slower: random tests then
try few examples, the longest tests are skipped, and NumPy does not warn where compiled code
has infinity or NaN without a word.
"""

import os
import sys
import tempfile
from collections import Counter

import hypothesis
import numba
import pytest

os.environ["TQDM_DISABLE"] = "1"  # before tqdm is imported
INTERPRETED = bool(numba.config.DISABLE_JIT)
FEW = 3  # examples of a random test
IEEE = "ignore:(divide by zero|invalid value|overflow|underflow) encountered:RuntimeWarning"
SLOW = ("slow", "statistical", "thorough")  # markers
OTHER_THAN_FIGURES = ("execution_count", "metadata", "name", "output_type", "traceback")

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.load_profile("repeatable")


def pytest_configure(config):
    if INTERPRETED:
        config.addinivalue_line("filterwarnings", IEEE)
    if config.getoption("nbval"):
        prepare_kernels(config)


def prepare_kernels(config):
    """Let nbval start the chapters' kernels with separate sockets."""
    import nbval.kernel

    from pareto_book.building.kernels import own_sockets

    folder = tempfile.TemporaryDirectory(prefix="kernels-")
    config.add_cleanup(folder.cleanup)

    class KernelManager(nbval.kernel.KernelManager):
        def __init__(self, **settings):
            super().__init__(**settings, config=own_sockets(folder.name))

    nbval.kernel.KernelManager = KernelManager


@pytest.fixture(autouse=True)
def no_open_figures():
    """Close what a test has drawn, so that the next one can count its own figures."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


def pytest_collection_modifyitems(config, items):
    for item in filter(is_of_a_chapter, items):
        item.parent.skip_compare = OTHER_THAN_FIGURES
    if hasattr(config, "workerinput"):  # one of several processes
        items.sort(key=longest_first(items))
    for item in items if INTERPRETED else ():
        if item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.skip(reason="the kernels are not compiled"))
    if INTERPRETED or "thorough" in config.getoption("markexpr"):  # they are left out
        try_fewer_examples(items)


def try_fewer_examples(items):
    """Let random tests try a third of their examples, and with interpreted kernels a few."""
    for test in {item.obj for item in items if item.get_closest_marker("hypothesis")}:
        own = test._hypothesis_internal_use_settings
        most = own.max_examples
        fewer = min(most, FEW) if INTERPRETED else (most + 2) // 3
        test._hypothesis_internal_use_settings = hypothesis.settings(own, max_examples=fewer)


def is_of_a_chapter(item):
    """Whether nbval made an item: a cell that is executed again."""
    return hasattr(item.parent, "skip_compare")


def longest_first(items):
    """Key of the order in which processes take files: large chapters, then many slow tests."""
    slow = Counter(item.path for item in items if any(map(item.get_closest_marker, SLOW)))

    def key(item):
        chapter = is_of_a_chapter(item)
        weight = item.path.stat().st_size if chapter else slow[item.path]
        return not chapter, -weight, str(item.path)

    return key
