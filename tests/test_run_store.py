"""Simulations that are interrupted, resumed, damaged."""

import dataclasses
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pareto_core import Instance, TrackAndStop, run_store, simulate
from pareto_core._paths import ROOT
from pareto_core.run_store import RunStore
from pareto_core.simulation import batches

INSTANCE = Instance([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
ALGORITHM = TrackAndStop(delta=0.1)
RUNS, FEWER = 24, 8  # where batches end, so that all of them are whole in both


def run(folder, runs=RUNS, algorithm=ALGORITHM, instance=INSTANCE, **settings):
    return simulate(algorithm, instance, runs, store=folder, progress=False, **settings)


def contents(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def files(folder):
    return sorted(folder.rglob("*.batch"))


def test_results_are_those_without_a_store(tmp_path):
    kept, again, plain = run(tmp_path), run(tmp_path), run(None)
    for runs in (kept, again):
        for column in ("samples", "correct", "stopped", "pulls", "means", "answers"):
            np.testing.assert_array_equal(getattr(runs, column), getattr(plain, column))
            assert getattr(runs, column).dtype == getattr(plain, column).dtype


def test_finished_batches_are_read_and_not_run_again(tmp_path, monkeypatch):
    first = run(tmp_path)
    monkeypatch.setattr("pareto_core.simulation.compile_run", None)  # running would fail
    np.testing.assert_array_equal(run(tmp_path).samples, first.samples)


def test_resuming_gives_the_bytes_of_an_uninterrupted_simulation(tmp_path):
    run(tmp_path / "whole")
    run(tmp_path / "resumed", runs=FEWER)
    run(tmp_path / "resumed")
    assert contents(tmp_path / "resumed") == contents(tmp_path / "whole")
    assert len(files(tmp_path / "whole")) == len(batches(RUNS))


def test_files_do_not_depend_on_the_number_of_jobs(tmp_path):
    run(tmp_path / "one", n_jobs=1)
    run(tmp_path / "four", n_jobs=4)
    assert contents(tmp_path / "one") == contents(tmp_path / "four")


SLOW_RUNS = 120
# hard enough that a run takes a good part of a tenth of a second
SLOW = f"""
import sys
from pathlib import Path
from pareto_core import Instance, TrackAndStop, simulate
simulate(TrackAndStop(delta=1e-3), Instance([[0.2, 0.0, 0.0], [0.0, 0.2, 0.1], [-0.1, -0.1, -0.1]]),
         {SLOW_RUNS}, n_jobs=1, store=Path(sys.argv[1]), progress=False)
"""


def start(folder):
    return subprocess.Popen([sys.executable, "-c", SLOW, str(folder)], cwd=ROOT, env=os.environ)


@pytest.mark.slow
def test_a_killed_simulation_resumes_to_the_same_bytes(tmp_path):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    process = start(killed)
    deadline = time.monotonic() + 120
    while len(files(killed)) < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    finished = {path: path.stat().st_mtime_ns for path in files(killed)}
    assert 1 <= len(finished) < len(batches(SLOW_RUNS))
    for folder in (killed, whole):
        assert start(folder).wait() == 0
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    resumed = {name: content for name, content in contents(killed).items() if name.name[0] != "."}
    assert resumed == contents(whole)
    assert len(files(killed)) == len(batches(SLOW_RUNS))


def truncated(content):
    return content[:-10]


def flipped(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def emptied(content):
    return b""


def without_checksum(content):
    return content.partition(b"\n")[2]


def other_checksum(content):
    return b"0" * 64 + content[64:]


@pytest.mark.parametrize("damage", [truncated, flipped, emptied, without_checksum, other_checksum])
def test_a_damaged_file_is_refused_by_name_and_left_as_it_is(tmp_path, damage):
    run(tmp_path)
    victim = files(tmp_path)[1]
    victim.write_bytes(damage(victim.read_bytes()))
    before = contents(tmp_path)
    with pytest.raises(ValueError, match="damaged") as error:
        run(tmp_path)
    assert str(victim) in str(error.value)
    assert contents(tmp_path) == before


def test_files_left_behind_half_written_are_ignored(tmp_path):
    whole = run(tmp_path / "whole")
    run(tmp_path / "store", runs=FEWER)
    folder = files(tmp_path / "store")[0].parent
    first, last = batches(RUNS)[-1]
    for name in (f".runs-{first:09d}-{last:09d}.batch.123", ".simulation.json.123"):
        (folder / name).write_bytes(b"half")
    np.testing.assert_array_equal(run(tmp_path / "store").samples, whole.samples)
    assert len(files(tmp_path / "store")) == len(batches(RUNS))


def test_another_simulation_never_shares_a_folder(tmp_path, monkeypatch):
    request = {
        "algorithm": ALGORITHM,
        "instance": INSTANCE,
        "seed": 0,
        "max_samples": 10**9,
    }
    changes = [
        {},
        {"seed": 1},
        {"max_samples": 10**8},
        {"instance": Instance(INSTANCE.means + 1e-15)},
        {"instance": Instance(INSTANCE.means[::-1])},
        {"instance": Instance(INSTANCE.means, variance=[1.0, 1.0000001])},
        {"algorithm": TrackAndStop(delta=0.1000000001)},
        {"algorithm": TrackAndStop(tracking="C")},
        {"algorithm": TrackAndStop(gradient_every=2)},
        {"algorithm": TrackAndStop(check_every=2)},
        {"algorithm": TrackAndStop(forced_exploration=False)},
        {"algorithm": TrackAndStop(threshold="mixture")},
        {
            "algorithm": dataclasses.make_dataclass(
                "Other", [], bases=(TrackAndStop,), frozen=True
            )()
        },
    ]
    folders = [RunStore(tmp_path, **(request | change)).folder for change in changes]
    monkeypatch.setattr(run_store, "package_hash", lambda: "after an edit")
    folders.append(RunStore(tmp_path, **request).folder)
    assert len(set(folders)) == len(changes) + 1
    assert {folder.parent for folder in folders} == {tmp_path}


def test_whole_numbers_of_numpy_are_as_good_as_those_of_python(tmp_path):
    plain = run(tmp_path, runs=FEWER, algorithm=TrackAndStop(gradient_every=2), seed=3)
    numpys = TrackAndStop(gradient_every=np.int64(2))
    other = run(tmp_path, runs=np.int64(FEWER), algorithm=numpys, seed=np.int64(3))
    np.testing.assert_array_equal(plain.samples, other.samples)
    assert len(files(tmp_path)) == len(batches(FEWER))
