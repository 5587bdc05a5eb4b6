"""Functions that a reader compiles with plain Numba, and kernels that call them."""

import numba
import numpy as np
import pytest
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target
from references.new_process import call, write

from pareto_core.compiling.kernels import kernel

# The functions are local, so no machine code of an earlier process is used.
pytestmark = [
    pytest.mark.compiled,
    pytest.mark.filterwarnings("ignore::pareto_core.compiling.kept.KernelNotKept"),
]


@pytest.mark.slow
def test_they_can_be_called_from_python_afterwards():
    @numba.njit
    def total(values):
        return values.sum()

    @numba.njit
    def one_more(values):
        return total(values) + 1.0

    @kernel
    def doubled(values):
        return 2.0 * one_more(values)

    @numba.njit
    def around(values):
        return doubled(values) + 1.0

    values = np.ones(3)
    assert around(values) == 9.0
    assert doubled(values) == 8.0
    assert one_more(values) == 4.0
    assert total(values) == 3.0
    assert around(values) == 9.0


@pytest.mark.slow
def test_a_ufunc_can_be_called_from_python_afterwards():
    @numba.vectorize
    def entry_by_entry(value):
        return 2.0 * value + 1.0

    @kernel
    def total(values):
        return entry_by_entry(values).sum()

    assert total(np.ones(3)) == 9.0
    np.testing.assert_array_equal(entry_by_entry(np.ones(3)), [3.0, 3.0, 3.0])


@pytest.mark.slow
def test_numba_may_keep_them(tmp_path):
    folder = tmp_path / "mine"
    helper = """
        import numba

        @numba.njit(cache=True)
        def total(values):
            found = 0.0
            for value in values:
                found += value
            return found
        """
    write(folder / "helper.py", helper)
    body = """
    import numpy as np
    from helper import total
    from pareto_core.compiling.kernels import kernel

    @kernel
    def twice(values):
        return 2.0 * total(values)

    answers = [twice(np.ones(3)), total(np.ones(3)), sum(total.stats.cache_hits.values())]
"""
    assert call(body, folder)[0] == [6.0, 3.0, 0]
    assert call(body, folder)[0] == [6.0, 3.0, 1]


class Failing(event.Listener):
    """Fails when a compilation begins or ends, as a signal may do."""

    def on_start(self, given):
        if given.data["dispatcher"].py_func.__name__ == "interrupted":
            raise KeyboardInterrupt

    def on_end(self, given):
        pass


@pytest.mark.parametrize("is_first", [True, False])
def test_an_interruption_changes_nothing_for_what_is_compiled_later(is_first):
    @numba.njit
    def interrupted(values):
        return values.sum()

    @kernel
    def total(values):
        return interrupted(values)

    listener, before = Failing(), event._registered["numba:compile"][:]
    listeners = [listener, *before] if is_first else [*before, listener]
    event._registered["numba:compile"][:] = listeners
    try:
        with pytest.raises(KeyboardInterrupt):
            total(np.ones(3))
    finally:
        event._registered["numba:compile"][:] = before
    assert cpu_target.target_context.codegen()._library_class is JITCodeLibrary
    assert total(np.ones(3)) == interrupted(np.ones(3)) == 3.0
