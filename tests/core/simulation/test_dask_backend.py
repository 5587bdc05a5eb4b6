"""Simulations on a Dask cluster, which loses workers and clients in the middle."""

import os
import signal
import subprocess
import sys
import threading
import time

import cloudpickle
import dask
import distributed
import pytest
from references.runs import assert_same_runs

from pareto_book.paths import ROOT
from pareto_core import Instance, TrackAndStop, UniformSampling, simulate
from pareto_core.simulation import dask_backend
from pareto_core.simulation.scheduling import batches

RUNS = 60
# hard enough that a run takes a good part of a tenth of a second
ALGORITHM = TrackAndStop(delta=1e-3)
INSTANCE = Instance(
    [[0.2, 0.0, 0.0], [0.0, 0.2, 0.1], [-0.1, -0.1, -0.1]], variance=[1.0, 1.5, 0.7]
)
CLIENT = f"""
import sys
from pareto_core import Instance, TrackAndStop, simulate
instance = Instance({INSTANCE.means.tolist()}, {INSTANCE.variance.tolist()})
simulate({ALGORITHM!r}, instance, {RUNS}, store=sys.argv[1], progress=False, backend="dask")
"""


def wait_until(condition, what, patience=60):
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(0.01)


class Cluster:
    """A scheduler and workers, each a process of its own without a nanny to restart it."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        # A host and no port in common: several test sessions may share the machine.
        self.local = ("--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", ":0")
        file = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--scheduler-file", str(file), *self.local)
        wait_until(lambda: file.exists() and file.read_text().endswith("}"), "the scheduler is up")
        with distributed.Client(scheduler_file=str(file), set_as_default=False) as client:
            self.address = client.scheduler.address

    def start_worker(self, name):
        one_thread = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0")
        folder = ("--local-directory", str(self.folder), "--death-timeout", "60")
        return self._start(
            "worker", self.address, "--name", name, *one_thread, *folder, *self.local
        )

    def _start(self, *command):
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *command],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def kill(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A cluster with one worker."""
    cluster = Cluster(tmp_path_factory.mktemp("dask"))
    try:
        cluster.start_worker("first")
        yield cluster
    finally:
        cluster.kill()


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """Store and results of this process."""
    store = tmp_path_factory.mktemp("local")
    return store, simulate(ALGORITHM, INSTANCE, RUNS, store=store, progress=False)


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster.address) as client:
        client.wait_for_workers(1, timeout=60)
        yield client


@pytest.fixture
def thread():
    """A cluster whose only worker is a thread of this process."""
    one = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.Client(processes=False, **one) as client:
        yield client


@pytest.fixture(autouse=True)
def no_variable(monkeypatch):
    monkeypatch.delenv(dask_backend.VARIABLE, raising=False)


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}


def stored(folder):
    return len(list(folder.rglob("*.batch")))


def without_tasks(client):
    return client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)) == 0


@pytest.mark.slow
def test_a_worker_lost_in_the_middle_changes_no_byte(cluster, client, local, tmp_path):
    store, expected = local
    victim = cluster.start_worker("victim")
    client.wait_for_workers(2, timeout=60)
    workers = client.scheduler_info(n_workers=-1)["workers"]
    address = next(place for place, worker in workers.items() if worker["name"] == "victim")
    # it imports everything now, and not while the other worker takes its runs away
    client.run(simulate, ALGORITHM, INSTANCE, 1, progress=False, workers=[address])
    stored_then = []

    def kill():
        wait_until(lambda: stored(tmp_path) >= 3, "some batches are stored")
        wait_until(lambda: client.processing().get(address), "the victim works on some")
        victim.send_signal(signal.SIGKILL)
        stored_then.append(stored(tmp_path))

    killer = threading.Thread(target=kill)
    killer.start()
    runs = simulate(ALGORITHM, INSTANCE, RUNS, store=tmp_path, progress=False, backend="dask")
    killer.join()
    assert 3 <= stored_then[0] < len(batches(RUNS))
    assert victim.wait() == -signal.SIGKILL
    assert address not in client.scheduler_info(n_workers=-1)["workers"]
    assert_same_runs(runs, expected)
    assert contents(tmp_path) == contents(store)
    wait_until(lambda: without_tasks(client), "the cluster has released all")


@pytest.mark.slow
def test_a_killed_client_resumes_to_the_same_bytes(cluster, client, local, tmp_path, monkeypatch):
    store, expected = local
    monkeypatch.setenv(dask_backend.VARIABLE, cluster.address)
    process = subprocess.Popen([sys.executable, "-c", CLIENT, str(tmp_path)], cwd=ROOT)
    try:
        wait_until(lambda: stored(tmp_path) >= 3 or process.poll() is not None, "it has begun")
    finally:
        process.kill()
    assert process.wait() == -signal.SIGKILL
    finished = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.batch")}
    assert 3 <= len(finished) < len(batches(RUNS))
    runs = simulate(ALGORITHM, INSTANCE, RUNS, store=tmp_path, progress=False, backend="dask")
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    assert_same_runs(runs, expected)
    assert contents(tmp_path) == contents(store)


@pytest.mark.slow
def test_a_failed_batch_and_an_interrupt_cancel_the_others(client):
    def work(batch):
        if batch[0] == 3:
            raise ZeroDivisionError("run 3")
        time.sleep(0.2)

    def interrupt(batch, results):
        raise KeyboardInterrupt

    collected = []
    for error, collect in (
        (ZeroDivisionError, lambda batch, results: collected.append(batch)),
        (KeyboardInterrupt, interrupt),
    ):
        with pytest.raises(error):
            dask_backend.run_on_dask(work, batches(500), collect)
        wait_until(lambda: without_tasks(client), "the others are cancelled")
    assert len(collected) < 10
    with pytest.raises(ValueError, match=r"^budget = 2"):
        simulate(UniformSampling(budget=2), INSTANCE, 50, progress=False, backend="dask")


def test_a_worker_in_this_process_gives_what_threads_give(thread):
    request = (UniformSampling(budget=30), INSTANCE, 12)
    runs = simulate(*request, progress=False, backend="dask")
    assert_same_runs(runs, simulate(*request, progress=False))


def test_a_scheduler_whose_workers_have_left_is_refused(thread):
    thread.cluster.scale(0)
    wait_until(lambda: not thread.scheduler_info()["workers"], "they have left")
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}),
        pytest.raises(ValueError, match=f"{thread.scheduler.address} has no workers; start some"),
    ):
        simulate(ALGORITHM, INSTANCE, 5, progress=False, backend="dask")


def test_a_worker_refuses_the_batch_of_another_source(thread):
    with pytest.raises(ValueError, match=r"^the Dask worker at inproc://\S+ has another source"):
        dask_backend._check_workers(thread, "another")
    batch = thread.submit(dask_backend._run, (0, 1), cloudpickle.dumps(len), "another")
    with pytest.raises(ValueError, match=r"^the Dask worker at inproc://\S+ has another source"):
        batch.result(timeout=60)


def test_without_a_cluster_the_error_explains_how_to_start_one():
    with pytest.raises(ValueError, match="set PARETO_DASK_SCHEDULER to the address of"):
        simulate(ALGORITHM, INSTANCE, 5, progress=False, backend="dask")


@pytest.mark.slow
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://127.0.0.1:9"])
def test_a_scheduler_that_does_not_answer_is_named(address, monkeypatch):
    monkeypatch.setenv(dask_backend.VARIABLE, address)
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(ValueError, match=f"^PARETO_DASK_SCHEDULER = '{address}'; expected the"),
    ):
        simulate(ALGORITHM, INSTANCE, 5, progress=False, backend="dask")


def test_an_address_with_tls_needs_certificates(monkeypatch):
    for variable in dask_backend.CERTIFICATES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(dask_backend.VARIABLE, "tls://127.0.0.1:9")
    message = r"^PARETO_DASK_SCHEDULER = 'tls://127\.0\.0\.1:9' without certificates; expected "
    with pytest.raises(ValueError, match=message + ".*_CA_FILE, .*_CERT and .*_KEY$"):
        simulate(UniformSampling(budget=30), INSTANCE, 4, progress=False, backend="dask")


def test_without_distributed_the_error_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)  # an import fails
    with pytest.raises(ImportError, match=r"pip install distributed$"):
        simulate(ALGORITHM, INSTANCE, 5, progress=False, backend="dask")
