"""Interrupted simulations end at once, and leave neither threads nor processes behind."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from pareto_book.paths import ROOT

SECONDS = 180  # until a process has begun, with its kernels compiled
SOON = 30  # seconds after a signal; without one, or if it is not heard, runs never end

SIMULATION = """
import signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it is ignored from outside
import endless
import pareto_core as pc
from pareto_core.simulation import process_backend

process_backend.START_UP = -1.0  # seconds: nothing is run in this process
try:
    pc.simulate(endless.{algorithm}, endless.INSTANCE, 9, progress=False, **{options})
except (KeyboardInterrupt, ValueError) as error:
    others = [each for each in threading.enumerate() if not each.daemon]
    print(type(error).__name__, error, [each.name for each in others])
"""
pytestmark = [
    pytest.mark.compiled,
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals"),
]


@pytest.fixture(scope="module", autouse=True)
def kept_kernels(tmp_path_factory):
    """Compile the endless algorithm, because a signal during compilation may be lost."""
    options = {"n_jobs": 1, "max_samples": 3}
    with started(simulation("Compiled()", **options), tmp_path_factory.mktemp("kept")) as process:
        assert process.communicate()[0] == ""
        assert process.returncode == 0


@contextlib.contextmanager
def running(arguments, folder, runs):
    """A new process of Python, once a number of its runs have begun."""
    with started(arguments, folder) as process:
        notes = folder / "notes"
        wait(lambda: len([*notes.iterdir()]) >= runs or process.poll() is not None, SECONDS)
        assert process.poll() is None, process.communicate()[1]
        time.sleep(1.0)
        yield process


@contextlib.contextmanager
def started(arguments, folder):
    """A new process of Python, which is killed in the end."""
    notes = folder / "notes"
    notes.mkdir()
    path = os.pathsep.join([str(ROOT), os.path.dirname(__file__)])
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path, "NOTES": str(notes)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def simulation(algorithm, **options):
    return ["-c", SIMULATION.format(algorithm=algorithm, options=options)]


def wait(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not so after {seconds} s"
        time.sleep(0.05)


def workers(folder):
    """Numbers of the processes that runs have begun in."""
    return {int(each.name.split("-")[0]) for each in (folder / "notes").iterdir()}


def is_alive(number):
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    return False


@pytest.mark.parametrize(
    "algorithm, n_jobs",
    [
        ("Compiled()", 1),
        ("Compiled(work=1_000_000)", 2),  # ten milliseconds for each sample
        ("Python()", 2),
    ],
)
def test_an_interruption_ends_every_thread(algorithm, n_jobs, tmp_path):
    program = simulation(algorithm, n_jobs=n_jobs, backend="threads")
    with running(program, tmp_path, n_jobs) as process:
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=SOON)[0] == "KeyboardInterrupt  ['MainThread']\n"


def test_a_failed_run_ends_the_runs_in_other_threads(tmp_path):
    with running(simulation("Python(fails=True)", n_jobs=2, backend="threads"), tmp_path, 2) as one:
        assert one.communicate(timeout=SOON)[0] == "ValueError failed on purpose ['MainThread']\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_parent(number, tmp_path):
    """A shell sends Ctrl-C to the whole group, and a batch system SIGTERM to its leader."""
    send = os.killpg if number == signal.SIGINT else os.kill
    with running(simulation("Python()", n_jobs=2), tmp_path, 2) as process:
        assert len(workers(tmp_path)) == 2
        assert process.pid not in workers(tmp_path)
        send(process.pid, number)
        printed = process.communicate(timeout=SOON)
        wait(lambda: not any(map(is_alive, workers(tmp_path))), SOON)
        if number == signal.SIGINT:
            assert printed[0] == "KeyboardInterrupt  ['MainThread']\n"
            assert "Traceback" not in printed[1]
