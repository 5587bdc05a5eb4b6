"""Simulations that are interrupted, resumed, damaged."""

import os
import shutil
import subprocess
import sys
import threading

import filelock
import numpy as np
import pytest
from references.runs import assert_same_runs

from pareto_book.paths import ROOT
from pareto_core import (
    APE,
    Certified,
    Instance,
    TrackAndStop,
    UniformSampling,
    hypercube,
    orthant,
    simulate,
)
from pareto_core.simulation import program
from pareto_core.simulation.run_store import RunStore
from pareto_core.simulation.scheduling import batches

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


def test_results_are_those_without_a_store(tmp_path, monkeypatch):
    plain, kept = run(None), run(tmp_path)
    monkeypatch.setattr("pareto_core.loop.run.compile_run", None)  # running would fail
    again = run(tmp_path)
    assert_same_runs(kept, plain)
    assert_same_runs(again, plain)


def test_resuming_gives_the_bytes_of_an_uninterrupted_simulation(tmp_path):
    run(tmp_path / "whole", n_jobs=1)
    run(tmp_path / "resumed", runs=FEWER)
    run(tmp_path / "resumed", n_jobs=4)
    assert contents(tmp_path / "resumed") == contents(tmp_path / "whole")
    assert len(files(tmp_path / "whole")) == len(batches(RUNS))


KILLS = [8, pytest.param(25, marks=pytest.mark.thorough)]
# Forks of a process that has compiled everything begin at once. Whenever one ends before it is
# killed, the next begin another store.
KILLED_AT_RANDOM = """
import os, random, signal, sys, threading, time
from pathlib import Path
from tqdm import tqdm
from pareto_core import Instance, TrackAndStop, simulate
tqdm.set_lock(threading.RLock())  # forks share the default one, also if killed while holding it
algorithm, instance = TrackAndStop(delta=1e-3), Instance([[0.5, 0.0], [0.0, 0.5], [-0.3, -0.3]])
killed, whole = map(Path, sys.argv[1:3])
most_kills = int(sys.argv[3])

def start(folder):
    child = os.fork()
    if child:
        return child
    try:
        simulate(algorithm, instance, 300, n_jobs=2, store=folder, progress=False)
        os._exit(0)
    finally:
        os._exit(1)

def ending(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

simulate(algorithm, instance, 1, n_jobs=1, store=killed.with_name("first"), progress=False)
begin = time.monotonic()
assert ending(start(whole)) == 0
duration = time.monotonic() - begin
delays = random.Random(0)
kills, stored, stores = 0, 0, [killed / "0"]
while kills < most_kills or not stored:
    child = start(stores[-1])
    time.sleep(delays.uniform(0, duration / 2))
    os.kill(child, signal.SIGKILL)
    if ending(child) == 0:
        stores.append(killed / str(len(stores)))
        continue
    kills, stored = kills + 1, len(list(killed.rglob("*.batch")))
    duration *= 1 if stored else 1.2  # other work may have slowed the machine since
    print(stored)
for store in stores:
    assert ending(start(store)) == 0
"""


@pytest.mark.slow
@pytest.mark.parametrize("kills", KILLS)
def test_kills_at_random_moments_lose_and_leave_nothing(tmp_path, kills):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    program = [sys.executable, "-c", KILLED_AT_RANDOM, str(killed), str(whole), str(kills)]
    done = subprocess.run(program, cwd=ROOT, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    stored = np.array(done.stdout.split(), int)
    assert stored.size >= kills
    assert (np.diff(stored) >= 0).all()
    assert stored[-1] > 0
    for store in killed.iterdir():
        assert contents(store) == contents(whole)


def store_of(folder, seed=0):
    return RunStore(folder, ALGORITHM, INSTANCE, seed, 10**9)


def test_any_altered_byte_and_any_truncation_is_noticed(tmp_path):
    store = store_of(tmp_path)
    store.save(0, 1, {"samples": np.array([5])})
    (victim,) = files(tmp_path)
    content = victim.read_bytes()
    for k in range(len(content)):
        altered = content[:k] + bytes([content[k] ^ (1 << k % 8)]) + content[k + 1 :]
        for damaged in (altered, content[:k], content + b"\0"):
            victim.write_bytes(damaged)
            with pytest.raises(ValueError, match="damaged") as error:
                store.load(0, 1)
            assert str(victim) in str(error.value)
            assert victim.read_bytes() == damaged
    victim.write_bytes(content)
    assert store.load(0, 1)["samples"] == 5


def test_a_file_of_another_batch_or_simulation_is_refused_by_name(tmp_path):
    store, other = store_of(tmp_path), store_of(tmp_path, seed=1)
    for number in (0, 1):
        store.save(number, number + 1, {"samples": np.array([number])})
    other.save(0, 1, {"samples": np.array([7])})
    first, second = files(store.folder)
    for source in (second, other.folder / first.name):
        shutil.copyfile(source, first)
        with pytest.raises(ValueError, match="damaged") as error:
            store.load(0, 1)
        assert str(first) in str(error.value)
        assert first.read_bytes() == source.read_bytes()
    assert store.load(1, 2)["samples"] == 1


def half_written(folder):
    first, last = batches(RUNS)[-1]
    partial = [folder / f".runs-{first:09d}-{last:09d}.batch.0", folder / ".simulation.json.0"]
    for path in partial:
        path.write_bytes(b"half")
    return partial


def test_files_that_a_killed_simulation_left_half_written_are_removed(tmp_path):
    whole = run(tmp_path / "whole")
    run(tmp_path / "store", runs=FEWER)
    half_written(files(tmp_path / "store")[0].parent)
    np.testing.assert_array_equal(run(tmp_path / "store").samples, whole.samples)
    assert contents(tmp_path / "store") == contents(tmp_path / "whole")


@pytest.mark.slow
def test_files_that_another_simulation_is_writing_are_left_to_it(tmp_path):
    folder = store_of(tmp_path).folder
    partial = half_written(folder)
    with filelock.FileLock(folder / ".lock"):
        waiting = threading.Thread(target=run, args=(tmp_path,))
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
        assert all(path.exists() for path in partial)
    waiting.join()
    assert not any(path.exists() for path in partial)
    assert len(files(tmp_path)) == len(batches(RUNS))


COVARIANCES = np.eye(2), [np.eye(2)] * 3, [[1.0, 1e-9], [1e-9, 1.0]]
REGIONS = orthant([0, 0]), orthant([0, 1e-12]), orthant([0, -1]), hypercube(2, 5.0)


def test_different_simulations_never_share_a_folder(tmp_path, monkeypatch):
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
        {"instance": Instance(INSTANCE.means, noise="uniform")},
        {"instance": Instance(10 * INSTANCE.means, variance=[100.0, 100.0])},  # the same whitened
        *(  # the accuracy has a value for each name
            {"algorithm": CERTIFIED, "instance": Instance(INSTANCE.means, objectives=each)}
            for each in (["x", "y"], ["y", "x"])
        ),
        *({"instance": Instance(INSTANCE.means, covariance=each)} for each in COVARIANCES),
        *({"instance": Instance(INSTANCE.means, polyhedron=each)} for each in REGIONS),
        *({"algorithm": Certified(inner)} for inner in (APE(), APE(k=1))),
        {"algorithm": TrackAndStop(delta=0.1000000001)},
        {"algorithm": TrackAndStop(tracking="C")},
        {"algorithm": TrackAndStop(gradient_every=2)},
        {"algorithm": TrackAndStop(check_every=2)},
        {"algorithm": TrackAndStop(exploration="none")},
        {"algorithm": TrackAndStop(threshold="mixture")},
    ]
    folders = [RunStore(tmp_path, **(request | change)).folder for change in changes]
    monkeypatch.setattr(program, "package_hash", lambda: "after an edit")
    folders.append(RunStore(tmp_path, **request).folder)
    assert len(set(folders)) == len(changes) + 1
    assert {folder.parent for folder in folders} == {tmp_path}


CERTIFIED = Certified(UniformSampling(), delta=0.1, epsilon={"x": 0.3, "y": 2.0})


def test_integers_of_numpy_and_python_share_a_store(tmp_path):
    plain = run(tmp_path, runs=FEWER, algorithm=TrackAndStop(gradient_every=2), seed=3)
    numpys = TrackAndStop(gradient_every=np.int64(2))
    other = run(tmp_path, runs=np.int64(FEWER), algorithm=numpys, seed=np.int64(3))
    np.testing.assert_array_equal(plain.samples, other.samples)
    assert len(files(tmp_path)) == len(batches(FEWER))
