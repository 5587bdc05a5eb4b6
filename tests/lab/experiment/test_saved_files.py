"""After any sequence of calls a session can be saved, and restored in the same state."""

import contextlib
import copy
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from references.sessions import FEATURES, REGION

import pareto_core as pc
import pareto_lab as lab
from pareto_book.rivals import PSIPS


class AtRandom(pc.PythonAlgorithm):
    """An algorithm of your own: random arms, several samples at a time, up to a number."""

    def __init__(self, most=9, weights=(1, 2), note=None):
        self.most = most
        self.weights = weights
        self.note = note

    def start(self, problem, rng):
        return rng

    def select(self, record, memory):
        arm = int(memory.integers(record.counts.size))
        return arm, self.weights[arm % 2]

    def stop(self, record, memory):
        return record.time >= self.most

    def recommend(self, record, memory):
        return pc.pareto_set(record.means)


NUMBERED = {"n_arms": 4, "n_objectives": 2}
NOISE = {"standard_deviation": 1.0}
NAMED = {
    "arms": ["A", "B", "é C", "D"],
    "objectives": {"gain": "max", "loss": "min"},
    "units": {"loss": "°C"},
}
UNKNOWN = {"standard_deviation": "unknown"}
COSTS = (0.1, 1.0, 2.5, 0.7)
BUDGETED = pc.UniformSampling(budget=12)
KINDS = {
    "numbers": lambda: lab.Session(BUDGETED, **NUMBERED, standard_deviation=[0.1, 30.0]),
    "names": lambda: lab.Session(pc.APE(), **NAMED, standard_deviation={"gain": 1.0, "loss": 2.0}),
    "features": lambda: lab.Session(pc.GEGE(budget=20), **NAMED, **NOISE, features=FEATURES),
    "polyhedron": lambda: lab.Session(pc.ECAPE(), **NUMBERED, **NOISE, polyhedron=REGION),
    "costs": lambda: lab.Session(
        pc.TrackAndStop(check_every=2), **NAMED, **NOISE, costs=COSTS, budget=30
    ),
    "bounds": lambda: lab.Session(pc.APE(), **NAMED, bounds=(-500, 500)),
    "unknown": lambda: lab.Session(pc.APE(), **NAMED, standard_deviation="unknown"),
    "certified": lambda: lab.Session(
        pc.Certified(pc.EGE(budget=24), rule="pairs"), **NUMBERED, **NOISE
    ),
    "subsets": lambda: lab.Session(
        pc.Certified(pc.APE(), rule="joint_subsets"), **NAMED, **NOISE, costs=COSTS
    ),
    "chance": lambda: lab.Session(PSIPS(), **NUMBERED, **NOISE, seed=3),
    "your own": lambda: lab.Session(
        AtRandom(), **NUMBERED, **NOISE, budget=40, costs=COSTS, seed=2**40
    ),
}
REWARD = strategies.lists(
    strategies.floats(-400, 400) | strategies.sampled_from([0.0, -0.0, 1e-308]),
    min_size=2,
    max_size=2,
)
TUBE = strategies.none() | strategies.integers(0, 9)  # an identifier


def load(path):
    return lab.load_session(path, algorithms=[AtRandom, PSIPS])


class AnyCalls(RuleBasedStateMachine):
    """Random calls of the methods of a session, which is saved and restored in between."""

    kinds = strategies.sampled_from(sorted(KINDS))

    @initialize(kind=kinds)
    def begin(self, kind):
        self.folder = tempfile.TemporaryDirectory()
        self.session = KINDS[kind]()

    def teardown(self):
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def call(self, method, *arguments):
        """Call a method, which may be refused after the end."""
        try:
            return getattr(self.session, method)(*arguments)
        except RuntimeError as error:
            assert self.session.finished, error
            return None

    @rule()
    def ask(self):
        self.call("ask")

    @rule(n=strategies.integers(1, 20), seed=strategies.integers(0, 9))
    def go_on(self, n, seed):
        for reward in np.random.default_rng(seed).integers(-300, 300, (n, 2)).tolist():
            if (arm := self.call("ask")) is not None:
                self.session.tell(arm, reward)

    @rule(n=strategies.integers(1, 12))
    def ask_many(self, n):
        self.call("ask_many", n)

    @precondition(lambda self: self.session.outstanding.any())
    @rule(data=strategies.data(), reward=REWARD, tube=TUBE)
    def tell(self, data, reward, tube):
        arm = data.draw(strategies.sampled_from(np.flatnonzero(self.session.outstanding).tolist()))
        with contextlib.suppress(ValueError):  # an identifier with other values
            self.session.tell(self.session.design.arms[arm], reward, id=tube)

    @precondition(lambda self: not self.session.finished)
    @rule(
        rows=strategies.lists(strategies.tuples(strategies.integers(0, 3), REWARD), min_size=1),
        first=strategies.none() | strategies.integers(0, 9),
    )
    def tell_all(self, rows, first):
        """Tell rows without identifiers, or with consecutive numbers as identifiers."""
        design = self.session.design
        columns = {"arm": [design.arms[arm] for arm, _ in rows]}
        for c, name in enumerate(design.objectives):
            columns[name] = [reward[c] for _, reward in rows]
        if first is None:
            self.session.tell_all(columns, repeat=True)
            return
        columns["tube"] = [*range(first, first + len(rows))]
        with contextlib.suppress(ValueError):  # an identifier with other values
            self.session.tell_all(columns, id="tube", repeat=True)

    def told(self):
        """Arm and reward of all samples that count."""
        arms = zip(self.session.design.arms, self.session._state.rewards, strict=True)
        return [(arm, reward.tolist()) for arm, rewards in arms for reward in rewards]

    @precondition(lambda self: self.told())
    @rule(
        data=strategies.data(),
        instead=strategies.none() | REWARD,
        reason=strategies.text(max_size=5) | strategies.just("\ud800\x00"),
    )
    def withdraw(self, data, instead, reason):
        told = self.told()
        arm, reward = told[data.draw(strategies.integers(0, len(told) - 1))]
        self.session.withdraw(arm, reward, instead, reason)

    @rule(data=strategies.data(), still_counts=strategies.booleans())
    def retire(self, data, still_counts):
        arm = data.draw(strategies.sampled_from(list(self.session.design.arms)))
        with contextlib.suppress(ValueError, RuntimeError):  # with most algorithms, or at the end
            self.session.retire(arm, "withdrawn", still_counts=still_counts)

    @precondition(lambda self: self.session.n_arms < 6)
    @rule()
    def add_arm(self):
        design = self.session.design
        name = f"arm {design.n_arms}" if isinstance(design.arms[0], str) else None
        features = None if design.features is None else design.features[0] / 2
        cost = None if design.costs is None else 1.5
        with contextlib.suppress(ValueError):  # a parameter with a value for each arm
            self.session.add_arm(name, made_from_data=False, features=features, cost=cost)

    @precondition(lambda self: self.session.budget is not None)
    @rule(more=strategies.integers(1, 9))
    def raise_budget(self, more):
        self.session.raise_budget(self.session.budget + more)

    @rule(question=strategies.sampled_from(["status", "recommendation", "means"]))
    def look(self, question):
        found = getattr(self.session, question)
        if question == "status":
            found(**UNKNOWN)

    @rule(go_on_with_the_restored=strategies.booleans())
    def save(self, go_on_with_the_restored):
        path, again = (Path(self.folder.name) / name for name in ("session.json", "again.json"))
        self.session.save(path)
        restored = load(path)
        again.unlink(missing_ok=True)
        restored.save(again)
        assert again.read_bytes() == path.read_bytes()
        assert_same(restored, self.session)
        if go_on_with_the_restored:
            self.session = restored


def assert_same(restored, session):
    for name in ("finished", "ended_by", "samples", "budget", "spent", "withdrawn"):
        assert getattr(restored, name) == getattr(session, name), name
    for name in ("pulls", "means", "outstanding", "waiting"):
        assert getattr(restored, name).tolist() == getattr(session, name).tolist(), name
    assert str(restored.recommendation) == str(session.recommendation)
    twin, again = copy.deepcopy(session), copy.deepcopy(restored)
    twin._monitors.clear()  # certain statements remain in memory only
    assert str(again.status(**UNKNOWN)) == str(twin.status(**UNKNOWN))
    if not session.finished:
        assert again.ask() == twin.ask()


class Unrepeatable(AtRandom):
    """Its arms depend on something outside the session."""

    starts = 0

    def start(self, problem, rng):
        Unrepeatable.starts += 1
        return Unrepeatable.starts

    def select(self, record, memory):
        return memory % record.counts.size


class SelfChanging(AtRandom):
    """Changes its own parameter."""

    def select(self, record, memory):
        self.most += 1
        return super().select(record, memory)


@pytest.mark.parametrize(
    "algorithm, message",
    [
        (AtRandom(weights={0: 1, 1: 2}), "can't be restored from a file: [01]$"),
        (AtRandom(note={(0, "A"): 1}), "can't be written to a file: keys must be str"),
        (AtRandom(note={"algorithm": "Mine", "parameters": {}}), "can't be restored .* 'Mine'"),
        (Unrepeatable(), "can't be restored from a file: observation 1 is of arm"),
        (SelfChanging(), "can't be restored from a file: its parameters become"),
        (pc.Certified(type("APE", (AtRandom,), {})()), "expected a different name for its class"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_session_that_could_not_be_loaded_is_not_written(algorithm, message, tmp_path):
    session = lab.Session(algorithm, **NUMBERED, **NOISE)
    session.tell_all({"arm": [0, 1, 2, 3], 0: [1.0] * 4, 1: [0.0] * 4})
    with pytest.raises(ValueError, match=message):
        session.save(tmp_path / "session.json")
    assert {each.name for each in tmp_path.iterdir()} == {".session.json.lock"}


@pytest.mark.slow
@pytest.mark.compiled
class TestAnyCalls(AnyCalls.TestCase):
    settings = settings(max_examples=50, stateful_step_count=25)


@pytest.mark.thorough
@pytest.mark.compiled
class TestManyCalls(AnyCalls.TestCase):
    settings = settings(max_examples=150, stateful_step_count=25)
