"""Threads that share a session: each sees a reward completely, or not at all."""

import contextlib
import copy
import pickle
import sys
import threading

import numpy as np
import pytest
from references.sessions import CHEAP, everything_of

import pareto_core as pc
import pareto_lab as lab

SECONDS = 60  # until a thread has to be done


class Waiting(pc.PythonAlgorithm):
    """Stops after four samples, and waits for an event before that."""

    inside, go_on = threading.Event(), threading.Event()

    def select(self, record, memory):
        return record.time % record.counts.size

    def stop(self, record, memory):
        if record.time == 4:
            self.inside.set()
            assert self.go_on.wait(SECONDS)
        return record.time == 4

    def recommend(self, record, memory):
        return [1]


def in_thread(function):
    """Call a function in a thread; return the thread and a list for the result."""
    found = []
    thread = threading.Thread(target=lambda: found.append(function()), daemon=True)
    thread.start()
    return thread, found


@contextlib.contextmanager
def half_told():
    """A session in the middle of its last `tell`, in a different thread."""
    Waiting.inside.clear(), Waiting.go_on.clear()
    session = lab.Session(Waiting(), 2, 2, 1.0)
    session.tell_all({"arm": [0, 1, 0], 0: [0.0, 1.0, 2.0], 1: [1.0, 3.0, 1.0]})
    session.ask()
    teller, _ = in_thread(lambda: session.tell(1, [1.0, 5.0]))
    assert Waiting.inside.wait(SECONDS)
    try:
        yield session
    finally:
        Waiting.go_on.set()
        teller.join(SECONDS)


READINGS = {
    "means": (lambda session: session.means.tolist(), [[1.0, 1.0], [1.0, 4.0]]),
    "status": (lambda session: session.status().samples.tolist(), [2, 2]),
    "ended_by": (lambda session: session.finished and session.ended_by, "answer"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", READINGS)
def test_a_reader_waits_for_a_thread_that_tells(name):
    read, expected = READINGS[name]
    with half_told() as session:
        reader, found = in_thread(lambda: read(session))
        reader.join(0.3)
        assert found == []
    reader.join(SECONDS)
    assert found == [expected]


def hammer(session, number, path, told):
    """Call all methods that change a session, and record the rewards that count."""
    rng = np.random.default_rng(number)
    for k in range(60):
        reward = [float(number), float(k)]
        with contextlib.suppress(RuntimeError):  # a session that has ended
            match rng.integers(6):
                case 0:
                    tell(session, [session.ask()], reward, told)
                case 1 | 2:
                    tell(session, session.ask_many(2), reward, told)
                case 3:
                    rows = {"arm": [k % 4], 0: reward[:1], 1: reward[1:], "tube": [f"{number} {k}"]}
                    session.tell_all(rows, id="tube")
                    told.append((k % 4, reward))
                case 4:
                    if told:
                        session.withdraw(*told.pop(rng.integers(len(told))))
                case _:
                    session.save(path)
        session.status()


def tell(session, arms, reward, told):
    """Tell a reward of each arm, unless a different thread has told it."""
    for arm in arms:
        try:
            session.tell(arm, reward)
        except ValueError as error:
            assert "asked for" in str(error)
        else:
            told.append((arm, reward))


@pytest.mark.compiled
@pytest.mark.slow
def test_a_session_that_threads_share_can_be_loaded(tmp_path):
    algorithm, path = pc.UniformSampling(budget=150), tmp_path / "shared.json"
    session = lab.Session(algorithm, 4, 2, 1.0)
    notes, errors = [[] for _ in range(4)], []

    def work(number):
        try:
            hammer(session, number, path, notes[number])
        except BaseException as error:  # the test names it
            errors.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # seconds
    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    finally:
        sys.setswitchinterval(before)
    assert errors == []
    assert session.samples + session.waiting.sum() == sum(map(len, notes)) > 30
    session.save(path)
    restored = lab.load_session(path)
    assert everything_of(restored)[:-1] == everything_of(session)[:-1]
    restored.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda session: pickle.loads(pickle.dumps(session))]
)
def test_a_copy_is_independent(copied):
    session = lab.Session(CHEAP, 4, 2, 1.0)
    session.tell(session.ask(), [1.0, 2.0])
    twin = copied(session)
    twin.tell(twin.ask(), [3.0, 4.0])
    assert (session.samples, twin.samples) == (1, 2)


def test_no_property_reads_the_state_while_another_thread_changes_it():
    """Each waits for the lock, but for those that read a constant or go through another."""
    known = vars(lab.Session).items()
    properties = {name: each.fget for name, each in known if isinstance(each, property)}
    waiting = {name for name, each in properties.items() if hasattr(each, "__wrapped__")}
    assert {*properties} - waiting == {"_state", "seed", "n_arms", "n_objectives"}
