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
COMPILED_ONLY = {  # tests, or one of their cases: too long, or about machine code
    "test_ape.py::test_finds_the_two_vaccines_of_cov_boost",
    "test_cells.py::test_cells_are_distinct_and_as_many_as_counted",
    "test_constrained_transport.py::test_cost_equals_brute_force",
    "test_constrained_transport.py::test_search_of_many_arms_costs_what_their_places_cost",
    "test_constrained_transport.py::test_search_of_one_admission_equals_brute_force",
    "test_constrained_transport.py::test_without_rows_all_is_as_without_constraints",
    "test_d_tracking.py::test_runs_are_those_of_the_plain_loop",
    "test_d_tracking.py::test_the_rarest_arm_is_sampled_when_it_is_too_rare",
    "test_dominance.py::test_hundred_thousand_arms",
    "test_dominance.py::test_large_staircase_gives_what_all_pairs_give",
    "test_game_cpsi.py::test_reasons_are_those_that_meet_the_eye",
    "test_game_cpsi.py::test_run_is_that_of_the_plain_loop[9-settings0]",
    "test_game_cpsi.py::test_run_is_that_of_the_plain_loop[9-settings1]",
    "test_game_cpsi.py::test_run_is_that_of_the_plain_loop[9-settings2]",
    "test_game_cpsi.py::test_run_is_that_of_the_plain_loop[9-settings3]",
    "test_gege.py::test_rounds_are_algorithm_3",
    "test_kernels.py::test_numba_cache_dir_is_respected",
    "test_kernels.py::test_the_next_process_compiles_nothing",
    "test_lazy_evidence.py::test_runs_are_those_of_the_plain_loop",
    "test_lazy_evidence.py::test_runs_with_and_without_bounds_are_the_same",
    "test_mobai.py::test_every_arm_gets_its_floor_and_samples_follow_the_targets",
    "test_oracle_weights.py::test_a_hundred_thousand_arms",
    "test_oracle_weights.py::test_few_steps_are_enough",
    "test_partition_cost.py::test_cost_equals_brute_force_for_every_right_answer",
    "test_simulation.py::test_memory_of_a_run_does_not_grow_with_its_samples",
    "test_surrogate.py::test_a_long_run_is_certified_and_repeatable",
    "test_surrogate.py::test_equal_weights_are_certified[shape1]",
    "test_surrogate.py::test_equal_weights_are_certified[shape2]",
    "test_surrogate.py::test_every_iteration_of_algorithm_3_adds_an_optimum",
    "test_surrogate.py::test_the_value_is_that_of_highs_along_a_run[shape1-300-all leaders-0.0]",
    "test_surrogate.py::test_what_is_remembered_saves_exchanges",
    "test_track_and_stop.py::"
    "test_forced_exploration_samples_every_arm_like_the_square_root_of_the_time",
    "test_transport.py::test_gradient_equals_finite_differences_of_brute_force",
    "test_transport.py::test_sweep_equals_cells_on_a_long_front",
}

OTHER_THAN_FIGURES = ("execution_count", "metadata", "name", "output_type", "traceback")

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.load_profile("repeatable")


def pytest_configure(config):
    if INTERPRETED:
        config.addinivalue_line("filterwarnings", IEEE)
    if config.getoption("nbval"):
        from pareto_core.publishing.replicate import kernel_environment

        os.environ.update(kernel_environment(os.devnull))


def pytest_collection_modifyitems(items):
    for item in items:
        if hasattr(item.parent, "skip_compare"):  # a chapter that is executed again
            item.parent.skip_compare = OTHER_THAN_FIGURES
    for item in items if INTERPRETED else ():
        names = (item.name, getattr(item, "originalname", None))
        if any(f"{item.path.name}::{name}" in COMPILED_ONLY for name in names):
            item.add_marker(pytest.mark.skip(reason="the kernels are not compiled"))
        if item.get_closest_marker("hypothesis"):
            own = item.obj._hypothesis_internal_use_settings
            few = hypothesis.settings(own, max_examples=min(own.max_examples, FEW))
            item.obj._hypothesis_internal_use_settings = few
