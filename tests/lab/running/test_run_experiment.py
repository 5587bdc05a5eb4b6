"""Experiments whose samples come from a function."""

import signal
import subprocess
import sys

import pytest
from references.arms import InTurn
from references.sessions import told_of, used
from references.simulators import simulated, slow_if_good

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.running.samples import Request, told_replications

ARMS = ("A", "B", "C")


def run(function, session, workers=1, path=None, **settings):
    return lab.run_experiment(function, session, workers, path, progress=False, **settings)


def expected(number, seed=3):
    """The first rewards of each arm."""
    return [
        [simulated(arm, Request(k, n).seed(seed)).tolist() for n in range(number)]
        for k, arm in enumerate(ARMS)
    ]


def every(number, algorithm=None):
    """A session that takes this number of samples of each arm in turn."""
    return lab.Session(
        algorithm or pc.UniformSampling(),
        arms=ARMS,
        objectives=["x", "y"],
        standard_deviation=3.0,
        budget=3 * number,
        seed=3,
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"workers": 1},
        {"workers": 1, "batch": 100},
        {"workers": 3, "backend": "threads", "batch": 7},
        pytest.param({"workers": 2}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_each_sample_has_its_own_seed_whichever_worker_takes_it(settings):
    assert told_of(run(simulated, every(5), **settings)) == expected(5)


@pytest.mark.slow
def test_a_cluster_takes_the_same_samples():
    distributed = pytest.importorskip("distributed")
    one = {"n_workers": 1, "threads_per_worker": 2, "dashboard_address": ":0"}
    with distributed.Client(processes=False, **one) as client:
        session = run(simulated, every(5), workers=None, client=client)
    assert told_of(session) == expected(5)


def test_seeds_are_distinct_and_depend_on_the_seed_of_the_session():
    requests = [Request(arm, number) for arm in range(20) for number in range(50)]
    seeds = {each.seed(seed) for each in requests for seed in (0, 1)}
    assert len(seeds) == 2000
    assert all(0 <= each < 2**64 for each in seeds)


def test_the_run_of_the_algorithm_does_not_depend_on_times_and_batches():
    def session():
        return lab.Session(
            pc.TrackAndStop(), arms=ARMS, objectives=["x", "y"], standard_deviation=1.0, seed=3
        )

    first = run(simulated, session(), batch=1)
    assert first.ended_by == "answer"
    second = run(slow_if_good, session(), workers=4, backend="threads", batch=9)
    assert used(second) == used(first)
    assert not second.outstanding.any()


KILLED = """
import os, sys
sys.path[:0] = {paths}
import pareto_core as pc, pareto_lab as lab
from pareto_lab.running import rounds
from references.simulators import simulated
rounds.LEAST, rounds.SHARE = 0.0, 1e9  # the file is saved after each batch
calls = 0
def function(arm, seed):
    global calls
    calls += 1
    if calls == {die}:
        os.kill(os.getpid(), 9)
    return simulated(arm, seed)
session = lab.Session(
    pc.UniformSampling(), arms=["A", "B", "C"], objectives=["x", "y"], standard_deviation=3.0,
    budget=30, seed=3,
)
lab.run_experiment(function, session, 1, {path!r}, batch=4, progress=False)
"""


@pytest.mark.slow
def test_a_killed_program_goes_on_and_no_sample_counts_twice(tmp_path):
    path = str(tmp_path / "mine.json")
    program = KILLED.format(paths=sys.path, path=path, die=11)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert lab.load_session(path).samples == 8
    calls = []

    def function(arm, seed):
        calls.append(seed)
        return simulated(arm, seed)

    session = run(function, every(10), path=path, batch=4)
    assert (len(calls), len(set(calls))) == (22, 22)
    assert told_of(session) == expected(10)
    assert told_of(lab.load_session(path)) == expected(10)


def test_a_file_of_a_different_session_is_refused_before_any_sample(tmp_path):
    path, calls = tmp_path / "mine.json", []
    run(simulated, every(2), path=path)
    other = lab.Session(
        pc.UniformSampling(), arms=ARMS, objectives=["x", "z"], standard_deviation=3.0, seed=4
    )
    with pytest.raises(ValueError, match="holds a session with other objectives, seed, budget"):
        run(lambda arm, seed: calls.append(arm), other, path=path)
    assert calls == []


def test_a_higher_budget_continues_the_file(tmp_path):
    path = tmp_path / "mine.json"
    run(simulated, every(2), path=path)
    for number in (3, 2):
        session = run(simulated, every(number), path=path)
        assert (session.budget, told_of(session)) == (9, expected(3))


def test_an_algorithm_of_ones_own_is_found_in_the_file(tmp_path):
    path, own = tmp_path / "mine.json", pc.Certified(InTurn())
    run(simulated, every(2, own), path=path)
    assert told_of(run(simulated, every(3, own), path=path)) == expected(3)


def test_rewards_told_by_hand_do_not_shift_the_seeds():
    session = every(2)
    session.tell_all({"arm": ["B"], "x": [1.0], "y": [2.0], "tube": ["sample 9-0"]}, id="tube")
    run(simulated, session)
    assert told_replications(session) == [3, 1, 2]  # the budget does not pay for the first of B
    assert told_of(session)[1] == [[1.0, 2.0], *expected(1)[1]]


@pytest.mark.parametrize(
    "settings", [{"workers": 1}, {"workers": 3, "backend": "threads"}], ids=str
)
def test_an_exception_names_the_sample_which_is_taken_again(settings, tmp_path):
    bad, calls = Request(1, 1).seed(3), []

    def function(arm, seed):
        calls.append(seed)
        if seed == bad and calls.count(bad) == 1:
            raise ZeroDivisionError("no mesh")
        return simulated(arm, seed)

    session, path = every(4), tmp_path / "mine.json"
    with pytest.raises(ZeroDivisionError, match="no mesh") as caught:
        run(function, session, path=path, batch=12, **settings)
    assert caught.value.__notes__ == [f"in sample 1 of arm B, seed {bad}"]
    saved = lab.load_session(path)
    assert told_of(saved) == told_of(session)
    assert told_replications(saved)[1] == 1
    assert saved.outstanding[1] >= 1
    run(function, session, path=path, batch=12, **settings)
    assert told_of(session) == expected(4)


@pytest.mark.slow
def test_an_exception_in_a_process_and_a_process_that_dies():
    def fails(arm, seed):
        if arm == "B":
            raise ZeroDivisionError("no mesh")
        return simulated(arm, seed)

    with pytest.raises(ZeroDivisionError, match="no mesh") as caught:
        run(fails, every(2), workers=2)
    assert caught.value.__notes__[-1].startswith("in sample ")

    def dies(arm, seed):
        import os

        os._exit(1)

    session = every(2)
    with pytest.raises(Exception, match="terminated"):
        run(dies, session, workers=2)
    assert told_of(run(simulated, session, workers=2)) == expected(2)


def test_an_invalid_reward_names_the_sample():
    session, bad = every(3), Request(2, 0).seed(3)
    with pytest.raises(ValueError, match="reward") as caught:
        run(lambda arm, seed: None if seed == bad else simulated(arm, seed), session, batch=9)
    assert caught.value.__notes__ == [f"in sample 0 of arm C, seed {bad}"]
    assert told_of(session)[2] == []
    assert told_of(run(simulated, session)) == expected(3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"function": None}, "function = None; expected a function"),
        ({"session": "mine.json"}, "session = 'mine.json'; expected a Session"),
        ({"workers": 0}, "workers = 0; expected an integer, at least 1"),
        ({"batch": 0}, "batch = 0; expected"),
        ({"backend": "process"}, "backend = 'process'; expected .*did you mean 'processes'"),
        ({"progress": 1}, "progress = 1; expected True or False"),
        ({"path": 3}, "path = 3; expected a str or a path"),
    ],
)
def test_refusals(settings, message):
    given = {"function": simulated, "session": every(1), "progress": False} | settings
    with pytest.raises(ValueError, match=message):
        lab.run_experiment(**given)
