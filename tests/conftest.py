"""What all tests share: repeatable random tests, and kernels that say the same every time.

With NUMBA_DISABLE_JIT=1 the kernels are interpreted, a hundred times slower: random tests then
try few examples, the longest tests are skipped, and NumPy does not warn where compiled code
has infinity or NaN without a word.
"""

import os

import hypothesis
import numba
import pytest

INTERPRETED = bool(numba.config.DISABLE_JIT)
FEW = 3  # examples of a random test
IEEE = "ignore:(divide by zero|invalid value|overflow|underflow) encountered:RuntimeWarning"
COMPILED_ONLY = {  # they take too long, or are about machine code
    "test_ape.py::test_finds_the_two_vaccines_of_cov_boost",
    "test_d_tracking.py::test_runs_are_those_of_the_plain_loop",
    "test_d_tracking.py::test_the_rarest_arm_is_sampled_when_it_is_too_rare",
    "test_dominance.py::test_hundred_thousand_arms",
    "test_dominance.py::test_large_staircase_gives_what_all_pairs_give",
    "test_kernels.py::test_numba_cache_dir_is_respected",
    "test_kernels.py::test_the_next_process_compiles_nothing",
    "test_lazy_evidence.py::test_runs_with_and_without_bounds_are_the_same",
    "test_oracle_weights.py::test_a_hundred_thousand_arms",
}

OTHER_THAN_FIGURES = ("execution_count", "metadata", "name", "output_type", "traceback")

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.load_profile("repeatable")


def pytest_configure(config):
    if INTERPRETED:
        config.addinivalue_line("filterwarnings", IEEE)
    if config.getoption("nbval"):
        from pareto_core.replicate import kernel_environment

        os.environ.update(kernel_environment(os.devnull))


def pytest_collection_modifyitems(items):
    for item in items:
        if hasattr(item.parent, "skip_compare"):  # a chapter that is executed again
            item.parent.skip_compare = OTHER_THAN_FIGURES
    for item in items if INTERPRETED else ():
        if f"{item.path.name}::{getattr(item, 'originalname', None)}" in COMPILED_ONLY:
            item.add_marker(pytest.mark.skip(reason="the kernels are not compiled"))
        if item.get_closest_marker("hypothesis"):
            own = item.obj._hypothesis_internal_use_settings
            few = hypothesis.settings(own, max_examples=min(own.max_examples, FEW))
            item.obj._hypothesis_internal_use_settings = few
