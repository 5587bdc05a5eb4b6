"""Algorithms in plain Python: reproducible, with the same runs as compiled algorithms."""

import dataclasses
import random

import numpy as np
import pandas as pd
import pytest
from references.python_algorithms import AtRandom, PythonAPE
from references.runs import assert_same_runs

import pareto_core as pc
from pareto_core.algorithms.registry import class_named
from pareto_core.instances.noise import make_source
from pareto_core.simulation import process_backend

INSTANCE = pc.Instance([[0.5, 0.0], [0.0, 0.6], [-0.4, -0.3]], variance=[1.0, 2.0])


def random_instance(seed, n_arms, n_objectives):
    rng = np.random.default_rng(seed)
    return pc.Instance(1.5 * rng.standard_normal((n_arms, n_objectives)))


@pytest.mark.slow
@pytest.mark.compiled  # otherwise exp is NumPy's, and may differ in the last bit
@pytest.mark.parametrize("n_arms, n_objectives", [(2, 1), (5, 2), (7, 3)])
def test_the_runs_are_those_of_the_compiled_algorithm(n_arms, n_objectives):
    settings = {"delta": 1e-3, "epsilon": 0.2}
    for seed in range(3):
        instance = random_instance(seed, n_arms, n_objectives)
        request = {"runs": 2, "seed": seed, "max_samples": 1500, "n_jobs": 1, "progress": False}
        assert_same_runs(
            pc.simulate(PythonAPE(**settings), instance, **request),
            pc.simulate(pc.APE(**settings), instance, **request),
        )


def random_runs(**request):
    return pc.simulate(AtRandom(), INSTANCE, 30, seed=5, progress=False, **request)


@pytest.mark.slow
def test_chance_is_the_same_for_any_number_of_jobs(monkeypatch):
    monkeypatch.setattr(process_backend, "START_UP", -1.0)  # nothing is run in this process
    alone = random_runs(n_jobs=1)
    assert len(set(alone.samples)) > 1
    for request in ({"n_jobs": 2}, {"n_jobs": 3, "backend": "threads"}):
        assert_same_runs(random_runs(**request), alone)


class Drawing(AtRandom):
    """Draws some numbers at first, and samples one arm."""

    def __init__(self, number):
        self.number = number

    def start(self, problem, rng):
        return rng.standard_normal(self.number)

    def select(self, record, memory):
        return 0

    def stop(self, record, memory):
        assert abs(record.means[0, 0] - 0.5 - memory[0]) > 1e-9
        return record.time >= 5

    def recommend(self, record, memory):
        return [0]


def test_rewards_and_the_algorithm_s_randomness_have_nothing_in_common():
    few, many = (
        pc.simulate(Drawing(number), INSTANCE, 3, n_jobs=1, progress=False) for number in (1, 100)
    )
    np.testing.assert_array_equal(few.means, many.means)


def always(name, values, message, **methods):
    """A row for each value that a method returns: the methods, and the words of the refusal."""
    return [({name: lambda *_, each=each: each} | methods, message) for each in values]


SHARED = "Mine draws from np.random or random, .* expected it to draw from the rng that start"
REFUSED = [
    *always("select", [3], "select returned arm 3; expected one of 0 to 2"),
    *always("select", [-1], "select returned arm -1; expected one of 0 to 2"),
    *always("select", [10**30], "select returned arm 10{30}; expected one of"),
    *always("select", [None], "select returned None; expected an arm, or a tuple"),
    *always("select", [1.0, True, np.True_], "select returned .*(1.0|True).*; expected an arm"),
    *always("select", [(1, 0)], "select returned 0 samples of arm 1; expected at least 1"),
    *always("select", [(1, 2, 3), [1, 2]], "select returned .1, 2.*; expected an arm"),
    ({"select": lambda *_: np.random.randint(3)}, SHARED),  # noqa: NPY002
    ({"select": lambda *_: random.randrange(3)}, SHARED),
    *always("stop", [None, 0, 1.0, "no", np.array([True])], "stop returned .* whether to stop"),
    *always(
        "recommend",
        [
            *(None, [3], [0, 0], [[0]], ["a"], [0.0], 1, [True, False], [True] * 4, [-1]),
            np.ma.array([0, 1], mask=[False, True]),
            np.ma.array([True] * 3, mask=[False, True, False]),
        ],
        r"recommend returned (.|\n)*; expected distinct arms",
    ),
    *always(
        "recommend",
        [pd.Series([True, False, False], index=[2, 1, 0])],  # not in the order of the arms
        r"what recommend returned = (.|\n)*; expected the index 0",
    ),
    *always(
        "recommend",
        [None, [0], [0, 3], [0, 1, 1], [0.5, 1], [0.0, 1.0]],
        "recommend returned .*; expected 2 arms, one per objective",
        question=pc.MOBAI.question,
    ),
]


@pytest.mark.parametrize(("methods", "message"), REFUSED)
def test_what_a_method_returns_is_refused_and_the_run_named(methods, message):
    kind = type("Mine", (AtRandom,), methods)
    with pytest.raises(ValueError, match=message) as caught:
        pc.simulate(kind(), INSTANCE, 3, n_jobs=1, progress=False)
    assert any("Mine" in note for note in caught.value.__notes__)


@pytest.mark.parametrize("returned", [None, [[0], [1], []], [[0], [1], [2], []], [[0.0], [1], [2]]])
def test_an_invalid_partition_is_refused(returned):
    kind = type("Mine", (AtRandom,), {"question": pc.ECAPE().question, "reads": {"polyhedron"}})
    kind.recommend = lambda *_: returned
    instance = dataclasses.replace(INSTANCE, polyhedron=pc.Polyhedron([[1.0, 0.0]], [3.0]))
    with pytest.raises(ValueError, match=r"partition = .*; expected three lists of arms"):
        pc.simulate(kind(), instance, 1, n_jobs=1, progress=False)


def answer_of(question, recommended, instance=INSTANCE):
    methods = {"question": question, "recommend": lambda *_: recommended}
    kind = type("Mine", (AtRandom,), methods)
    return pc.simulate(kind(), instance, 1, n_jobs=1, progress=False)


@pytest.mark.parametrize(
    "question, recommended, right",
    [
        (pc.APE.question, [1, 0], True),
        (pc.APE.question, [True, True, False], True),
        (pc.APE.question, np.array([True, True, False]), True),
        (pc.APE.question, np.array([True, False, False]), False),
        (pc.APE.question, [], False),
        (pc.MOBAI.question, [0, 1], True),
        (pc.MOBAI.question, np.array([1, 1]), False),
        (pc.MOBAI.question, (0, 1), True),
    ],
)
def test_answers_are_judged(question, recommended, right):
    assert answer_of(question, recommended).correct == [right]


class Forgets(AtRandom):
    def __init__(self, budget=3):
        self.most = budget


class Hidden(AtRandom):
    def __init__(self, stop=10):  # the name of a method
        self.limit = stop


@pytest.mark.parametrize(("kind", "name"), [(Forgets, "budget"), (Hidden, "stop")])
def test_a_constructor_must_store_its_arguments(kind, name):
    with pytest.raises(ValueError, match=f"has no attribute '{name}'; expected its constructor"):
        kind().hyper_parameters()


@pytest.mark.parametrize("missing", ["select", "stop", "recommend"])
def test_a_missing_method_is_named(missing):
    methods = {name: getattr(AtRandom, name) for name in ("select", "stop", "recommend")}
    del methods[missing]
    kind = type("Mine", (pc.PythonAlgorithm,), {"budget": 1, "start": AtRandom.start, **methods})
    with pytest.raises(NotImplementedError, match=f"Mine does not define {missing}"):
        pc.simulate(kind(), INSTANCE, 1, n_jobs=1, progress=False)


def test_a_parameter_that_no_file_can_hold_is_refused(tmp_path):
    algorithm = AtRandom(budget=object())
    with pytest.raises(ValueError, match="can't be kept in a file"):
        pc.simulate(algorithm, INSTANCE, 1, store=tmp_path, progress=False, store_key="first")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("references.readers_algorithms:Absent", "can't be imported"),
        ("references.absent:InTurn", "can't be imported"),
        ("references.readers_algorithms:INSTANCE", "expected a subclass of Algorithm"),
    ],
)
def test_an_algorithm_of_the_reader_is_found_by_module_and_name(name, message):
    assert class_named("references.readers_algorithms:InTurn").__name__ == "InTurn"
    with pytest.raises(ValueError, match=message):
        class_named(name)


class TwoInTurn(pc.PythonAlgorithm):
    """Two samples of each arm in turn, up to a number."""

    def __init__(self, most=9):
        self.most = most

    def select(self, record, memory):
        return record.counts.argmin(), 2

    def stop(self, record, memory):
        return record.time >= self.most

    def recommend(self, record, memory):
        return [0]


def test_a_run_advances_to_a_number_of_samples_by_whole_batches():
    source = make_source(INSTANCE)
    rng, run = np.random.default_rng(0), TwoInTurn().begin(INSTANCE.problem, None)
    found = [(run.advance(source, rng, samples), run.record.time[0]) for samples in (3, 4, 5)]
    assert found == [(False, 4), (False, 4), (False, 6)]
    assert (run.advance(source, rng, 100), run.record.time[0]) == (True, 10)


def test_a_run_that_advances_ends_when_the_observations_are_used_up():
    instance = pc.Instance.from_observations([[[0.0], [1.0]], [[2.0], [3.0]]])
    source = make_source(instance)
    run = TwoInTurn().begin(instance.problem, None)
    assert run.advance(source, np.random.default_rng(0), 100)
    assert run.record.time[0] == 4


class AtRisk(AtRandom):
    def __init__(self, delta):
        super().__init__()
        self.delta = delta


@pytest.mark.parametrize("delta", [0.0, 3.0, "0.1"])
def test_a_risk_that_the_reader_did_not_check_is_refused(delta):
    with pytest.raises(ValueError, match=r"delta = .*; expected a"):
        pc.simulate(AtRisk(delta), INSTANCE, 1, n_jobs=1, progress=False)
