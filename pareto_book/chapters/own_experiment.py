"""A real experiment with sorting routines, one that changes, and simulated users who cheat."""

import heapq
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

import pareto_core as pc
import pareto_lab as lab
from pareto_book.kept_runs.competitions import find_instance
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.statements.status import Status

# Sorting routines

Routine = Callable[[list[float]], list[float]]


def merge(numbers):
    """Merge sort, top down."""
    if len(numbers) < 2:
        return numbers
    middle = len(numbers) // 2
    return list(_merged(merge(numbers[:middle]), merge(numbers[middle:])))


def _merged(left, right):
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            yield left[i]
            i += 1
        else:
            yield right[j]
            j += 1
    yield from left[i:]
    yield from right[j:]


def quick(numbers):
    """Quicksort with new lists."""
    if len(numbers) < 2:
        return numbers
    pivot = numbers[len(numbers) // 2]
    smaller = [x for x in numbers if x < pivot]
    larger = [x for x in numbers if x > pivot]
    equal = len(numbers) - len(smaller) - len(larger)
    return quick(smaller) + equal * [pivot] + quick(larger)


def shell(numbers):
    """Shell's sort, within the list."""
    gap = len(numbers) // 2
    while gap:
        for i in range(gap, len(numbers)):
            x, j = numbers[i], i
            while j >= gap and numbers[j - gap] > x:
                numbers[j] = numbers[j - gap]
                j -= gap
            numbers[j] = x
        gap = gap * 5 // 11 if gap > 2 else gap // 2
    return numbers


def heap(numbers):
    """Heapsort with the standard library's heap."""
    heapq.heapify(numbers)
    return [heapq.heappop(numbers) for _ in range(len(numbers))]


def in_place(numbers):
    """The list's own method."""
    numbers.sort()
    return numbers


def with_numpy(numbers):
    """NumPy's sort, there and back."""
    return np.sort(np.array(numbers)).tolist()


ROUTINES: dict[str, Routine] = {
    "list.sort": in_place,
    "numpy": with_numpy,
    "heapq": heap,
    "merge": merge,
    "quick": quick,
    "shell": shell,
}


def measure_routine(routine: Routine, rng: np.random.Generator, length: float) -> dict[str, float]:
    """Log10 of milliseconds, and of kilobytes besides the list, on a list of random length."""
    numbers = rng.random(int(length * 10 ** rng.normal(0.0, 0.1))).tolist()
    seconds = min(_seconds_to_sort(routine, numbers) for _ in range(3))
    copy = numbers.copy()
    tracemalloc.start()
    routine(copy)
    kilobytes = tracemalloc.get_traced_memory()[1] / 1000
    tracemalloc.stop()
    return {"time": np.log10(1000 * seconds), "memory": np.log10(max(kilobytes, 1.0))}


def _seconds_to_sort(routine, numbers):
    """Seconds that a routine takes on a copy of a list; its result is checked."""
    copy = numbers.copy()
    begin = time.thread_time()
    result = routine(copy)
    seconds = time.thread_time() - begin
    if result != sorted(numbers):
        raise ValueError(f"{routine!r} does not sort; expected a sorted list")
    return seconds


# Stopping early

EARLY_RULES = {
    "UniformSampling": pc.UniformSampling(),
    "Racing": pc.Racing(),
    "TopTwoIDS": pc.TopTwoIDS(),
    "APE": pc.APE(),
}
EARLY_INSTANCES = (  # of the arena, those on which certified APE needs 1,000 to 5,000 samples
    "staircase",
    "random",
    "five arms",
    "line",
    "random, five",
    "EgeExp 2",
    "held out 1",
    "held out 2",
    "held out 4",
    "held out 9",
)


def samples_until_certain(
    sampling: Algorithm, runs: int, seed: int = 0, variance: str = "known"
) -> np.ndarray:
    """Samples of all runs until the first arm, half of the arms and all are certain, shape (n, 3).

    All are certain at the latest when the answer is proven. The runs of an instance are neighbours.
    """
    found = []
    for name in EARLY_INSTANCES:
        instance = find_instance(name)[2]
        n_arms, deviation = instance.n_arms, np.sqrt(instance.variance)
        algorithm = pc.Certified(sampling, delta=0.1, variance=variance)
        stated = deviation if variance == "known" else variance
        session = lab.Session(algorithm, n_arms, instance.n_objectives, stated)
        plan = session.plan(
            instance.means, runs, seed, standard_deviation=deviation, n_jobs=1, progress=False
        )
        samples = plan.samples
        known = np.minimum(samples, samples[:, -1:])
        found.append(known[:, [0, (n_arms + 1) // 2 - 1, n_arms - 1]])
    return np.concatenate(found)


# Adhesives

OBJECTIVES = {"strength": "max", "curing": "min", "price": "min"}
UNITS = {"strength": "N/mm²", "curing": "min", "price": "€/kg"}
DEVIATIONS = {"strength": 1.5, "curing": 4.0, "price": 0.0}  # the price is known
ADHESIVES = {  # strength, curing time, price
    "acrylic": (22.0, 36.0, 9.0),
    "acrylic E": (18.5, 46.0, 9.5),
    "cyano": (15.5, 8.0, 15.0),
    "epoxy A": (30.0, 92.0, 14.0),
    "epoxy B": (26.0, 105.0, 14.0),
    "epoxy C": (29.4, 90.0, 14.0),
    "hotmelt": (9.0, 14.0, 4.0),
    "polyurethane": (16.0, 62.0, 7.0),
    "silicone": (6.0, 72.0, 8.0),
    "solvent": (11.0, 34.0, 5.0),
    "hybrid": (20.0, 30.0, 8.0),  # arrives later
}


def measure_specimen(name: str, rng: np.random.Generator) -> dict[str, float]:
    """Make one specimen of a formulation: its strength, curing time and price."""
    values = zip(OBJECTIVES, ADHESIVES[name], strict=True)
    return {each: rng.normal(mean, DEVIATIONS[each]) for each, mean in values}


def run(session: lab.Session, samples: int, rng: np.random.Generator) -> None:
    """Take samples of a session until it has a number of them, or is finished."""
    names = session.design.objectives
    while session.samples < samples and not session.finished:
        arm = session.ask()
        reward = measure_specimen(arm, rng)
        session.tell(arm, {name: reward[name] for name in names})


def optimal_adhesives(names: list[str]) -> list[str]:
    """The formulations that are truly Pareto optimal among some."""
    means = np.array([ADHESIVES[name] for name in names]) * [1.0, -1.0, -1.0]
    return pd.Index(names)[pc.pareto_set(means)].tolist()


# Simulated users

CHANGES = (
    "no change",
    "retire, still counts",
    "retire, leaves the question",
    "newcomer",
    "missing values",
    "second experiment",
    "several changes",
    "unequal noise, stated",
    "unequal noise, unknown",
    "equal noise, unknown",
)
CHEATS = (
    "states a tenth of the noise",
    "withdraws bad rewards",
    "tells good news only",
    "loses bad values",
)
MOMENTS = {*CHANGES[1:4], "second experiment", "several changes"}  # kinds with a moment of change
ARMS = ("A", "B", "C", "D")  # A is the favourite of those who cheat
DELTA = 0.1  # risk of all statements at all times, of both experiments if there are two
SHARES = {"newcomer": 0.75, "several changes": 0.75, "second experiment": 0.5}  # of the first one
N_LOOKS, BATCH = 16, 24  # rewards between two looks


def is_wrong(status: Status, means: ArrayLike, in_question: ArrayLike) -> bool:
    """Whether any statement or interval of a status is wrong."""
    means, in_question = np.asarray(means, float), np.asarray(in_question, bool)
    lead = (means[:, None] - means)[in_question]  # of the arms in question over each arm
    dominated = ((lead >= 0).all(axis=2) & (lead > 0).any(axis=2)).any(axis=0)
    return bool(
        dominated[status.statements == "certainly optimal"].any()
        or not dominated[status.statements == "certainly dominated"].all()
        or np.any(means < status.boxes[..., 0])
        or np.any(means > status.boxes[..., 1])
    )


def _begin(rng, arms=ARMS, rule="joint", deviation=1.0):
    """True means, some nearly equal, and a session that does not end before the user does."""
    model = {"variance": deviation} if isinstance(deviation, str) else {"rule": rule}
    algorithm = pc.Certified(pc.UniformSampling(), 1e-9, check_every=1000, **model)
    session = lab.Session(algorithm, arms=arms, objectives=[*"xy"], standard_deviation=deviation)
    means = rng.normal(size=(5, 2)) * rng.choice([0.05, 0.3, 1.0])
    return session, dict(zip([*ARMS, "E"], means, strict=True))


def misled_by_change(kind: str, number: int, seed: int = 0) -> bool:
    """Simulate an experiment that changes at one look, and whether any look was wrong.

    The user samples in turn or mostly what looks best. The change comes at a time drawn before, or
    as soon as the favourite leads.
    """
    rng = np.random.default_rng([seed, CHANGES.index(kind), number])
    leaves = kind in ("several changes", "retire, leaves the question")
    noise = np.ones((5, 2))  # its standard deviation, of each arm in each objective
    if kind.startswith("unequal noise"):
        noise = 10.0 ** rng.uniform(-1.0, 1.0, noise.shape)
    stated = {"unequal noise, stated": noise[:4], "unequal noise, unknown": "unknown"}
    deviation = stated.get(kind, "unknown, equal" if kind == "equal noise, unknown" else 1.0)
    session, means = _begin(rng, rule="joint_subsets" if leaves else "joint", deviation=deviation)
    by_hand, waits, retires_best = rng.random(3) < 0.5
    change_at, retired = int(rng.integers(3, N_LOOKS - 3)), None
    changed, delta = kind not in MOMENTS, DELTA * SHARES.get(kind, 1.0)
    for look in range(N_LOOKS):
        if session.finished:  # a retired arm can leave an arm open for good
            break
        names = [arm for arm in session.design.arms if arm != retired]
        scores = dict(zip(session.design.arms, _averages(session), strict=True))
        arms = [names[k % len(names)] for k in range(BATCH)]
        if by_hand and look > 0:
            best = max(names, key=scores.__getitem__)
            arms = [best if rng.random() < 0.8 else arm for arm in arms]
        scales = noise[["ABCDE".index(arm) for arm in arms]]
        rewards = rng.normal([means[arm] for arm in arms], scales)
        if kind in ("missing values", "several changes"):
            lost = rng.random(BATCH) < 0.3  # by accident: one of the two values
            rewards[lost, rng.integers(2, size=lost.sum())] = np.nan
        session.tell_all({"arm": arms, "x": rewards[:, 0], "y": rewards[:, 1]})
        if _is_wrong_now(session, means, retired if leaves else None, delta):
            return True
        leading = waits and look >= 2 and _averages(session).argmax() == 0
        if changed or not (leading or look >= change_at):
            continue
        changed, order = True, _averages(session).argsort()
        if kind == "second experiment":  # with the arms that look best, and rewards of its own
            session = _begin(rng, [session.design.arms[k] for k in order[-3:]])[0]
        if "retire" in kind or kind == "several changes":
            retired = session.design.arms[order[-1 if retires_best else 0]]
            session.retire(retired, "a reason", still_counts=not leaves)
        if kind in ("newcomer", "several changes"):
            session.add_arm("E", made_from_data=False)
        delta = DELTA * (1 - SHARES[kind]) if kind in SHARES else delta
    return False


def _averages(session):
    return np.nan_to_num(session.means).sum(axis=1)


def _is_wrong_now(session, means, left, delta):
    names = session.design.arms
    truth = [means[name] for name in names]
    return is_wrong(session.status(delta=delta), truth, [name != left for name in names])


def misled_by_cheating(kind: str, number: int, seed: int = 0) -> bool:
    """Whether a statement is ever wrong if a user cheats in favour of arm A."""
    rng = np.random.default_rng([seed, 100 + CHEATS.index(kind), number])
    session, means = _begin(rng, deviation=0.1 if kind == CHEATS[0] else 1.0)
    arms = np.array([*"ABACAD"] * 4)
    for _ in range(N_LOOKS // 2):
        noise = rng.normal(size=(arms.size, 2))
        rewards = noise + [means[arm] for arm in arms]
        disliked, told = (arms == "A") & (noise.sum(axis=1) < 0), np.full(arms.size, True)
        if kind == "loses bad values":
            rewards[(arms == "A")[:, None] & (noise < 0)] = np.nan
            told = ~np.isnan(rewards).all(axis=1)
        elif kind == "tells good news only":
            told = ~disliked
        session.tell_all({"arm": arms[told], "x": rewards[told, 0], "y": rewards[told, 1]})
        if kind == "withdraws bad rewards":
            for reward in rewards[disliked]:
                session.withdraw("A", reward, reason="a bad specimen")
        if _is_wrong_now(session, means, None, DELTA):
            return True
    return False
