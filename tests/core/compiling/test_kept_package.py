"""Machine code of the package is kept: an edit compiles what it touches, and copies share it."""

import shutil

import pytest
from references.new_process import call, edit, write

from pareto_book.paths import ROOT
from pareto_core.checks.paths import PACKAGE

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

SIMULATE = """
    import pareto_core as pc
    instance = pc.Instance([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0]])
    answers = []
    for algorithm in ALGORITHMS:
        runs = pc.simulate(algorithm, instance, 2, max_samples=50, n_jobs=1, progress=False)
        answers.append(runs.samples.tolist())
"""
RUN = SIMULATE.replace("ALGORITHMS", "(pc.MOSE(), pc.UniformSampling(budget=20))")


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """What two algorithms answered, and a folder with the kernels that they compiled."""
    kernels = tmp_path_factory.mktemp("simulated") / "kernels"
    answers, compiled, _ = call(RUN, kernels.parent, cache=kernels)
    assert {"pareto_core.loop.record.observe", "pareto_core.loop.run.run"} < compiled
    return answers, kernels


def test_an_edit_of_one_algorithm_compiles_it_and_nothing_else(simulated, tmp_path):
    first, kernels = simulated
    shutil.copytree(kernels, tmp_path / "kernels")
    copy = tmp_path / "copy"
    shutil.copytree(PACKAGE, copy / "pareto_core", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "data", copy / "data")
    assert call(RUN, copy, copy)[:2] == (first, set())
    edit(copy / "pareto_core/algorithms/best_arms/mose.py", "return arm, 1", "return arm + 0, 1")
    again, compiled, _ = call(RUN, copy, copy)
    assert again == first
    assert {each for each in compiled if ".mose." not in each} == {"pareto_core.loop.steps.step"}
    edit(copy / "pareto_core/instances/datasets.py", "import numpy", "\nimport numpy")
    assert call(RUN, copy, copy)[:2] == (first, set())
    edit(copy / "pareto_core/loop/record.py", "import numpy", "\nimport numpy")
    assert call(RUN, copy, copy)[:2] == (first, set())
    old, new = "before = record.observed[arm, c]", "before = record.observed[arm, c] + 0"
    edit(copy / "pareto_core/loop/record.py", old, new)
    again, compiled, _ = call(RUN, copy, copy)
    assert again == first
    assert {"pareto_core.loop.record.observe", "pareto_core.loop.run.run"} <= compiled


def test_an_algorithm_of_a_readers_own_does_not_break_the_others(simulated, tmp_path):
    shutil.copytree(simulated[1], tmp_path / "kernels")
    folder = tmp_path / "reader"
    write(
        folder / "mine2.py",
        """
        import dataclasses

        from pareto_book.rivals import TTPFTS
        from pareto_core.compiling.kernels import kernel

        @kernel
        def _stop(parameters, state):
            return state.record.time[0] >= 7

        @dataclasses.dataclass(frozen=True)
        class Mine(TTPFTS):
            stop = staticmethod(_stop)
        """,
    )
    body = "    import mine2" + SIMULATE.replace("ALGORITHMS", "[mine2.Mine(budget=20)]")
    theirs = "    from pareto_book.rivals import TTPFTS" + SIMULATE
    theirs = theirs.replace("ALGORITHMS", "[TTPFTS(budget=20)]")
    assert call(body, folder)[0][0] == [7, 7]
    edit(folder / "mine2.py", ">= 7", ">= 5")
    assert call(body, folder)[0][0] == [5, 5]
    (folder / "mine2.py").unlink()
    _, compiled, _ = call(theirs, folder)
    assert "pareto_core.loop.steps.step" in compiled  # of TTPFTS itself
    assert call(theirs, folder)[1] == set()


def test_a_second_copy_of_the_package_finds_the_code_of_the_first(tmp_path):
    body = "    import pareto_core\n    answers = pareto_core.pareto_set([[0.0], [1.0]]).tolist()\n"
    kept = tmp_path / "kernels"
    copies = [tmp_path / name for name in ("one", "two")]
    for copy in copies:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PACKAGE, copy / "pareto_core", ignore=ignored)
        shutil.copytree(ROOT / "data", copy / "data")
    assert call(body, copies[0], copies[0], kept)[1]
    assert not call(body, copies[1], copies[1], kept)[1]
    edit(copies[1] / "pareto_core/compiling/linking.py", "import copy", "import copy  # changed")
    assert call(body, copies[1], copies[1], kept)[1]
    assert not call(body, copies[0], copies[0], kept)[1]
