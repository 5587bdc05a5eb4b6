"""Sessions of every algorithm on one small experiment, and their visible state."""

import json

import numpy as np
from references.algorithms import example_of

import pareto_core as pc
import pareto_lab as lab
from pareto_book.rivals.gaussian_process import Hyperparameters
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_lab.experiment.session_file import digest

FEATURES = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.6], [0.2, 0.2]])
MEANS = FEATURES @ [[30.0, 6.0], [0.0, 60.0]]
DEVIATION = [1.0, 2.0]
REGION = pc.Polyhedron([[-1.0, 0.0]], [-10.0])  # arms 0 and 2 are inside
PRIORS = (Hyperparameters(0.0, 100.0, 100.0, [1.0, 1.0], 1.0),) * 2
MOST = 400  # rewards of each arm

SETTINGS = {  # for which a session on this experiment is short, or possible at all
    "Certified": {"algorithm": pc.APE()},
    "EGE": {"budget": 24},
    "GameCPSI": {"check_every": 3},
    "TopTwoIDS": {"check_every": 2},
    "TrackAndStop": {"check_every": 2},
    "WidestBox": {"epsilon": 500.0, "bounds": ((-600.0, 600.0), (-700.0, 800.0)), "batch": 3},
}
ALGORITHMS = [  # whose samples are of all objectives
    *(
        example_of(kind, n_arms=4, **SETTINGS.get(name, {}))
        for name, kind in algorithms_by_name().items()
        if kind.samples == "arms"
    ),
    pc.APE(k=1),
    pc.Certified(pc.EGE(budget=24), rule="pairs"),
    pc.EGE(budget=24, schedule="reject"),
    pc.GEGE(budget=20),
    pc.TopTwoIDS(linear=True),
    pc.TopTwoIDS(budget=30),
    pc.UniformSampling(budget=10),
]
CHEAP = pc.UniformSampling(budget=12)  # quick to compile, and uses all rewards in turn


def name_of(algorithm):
    return f"{type(algorithm).__name__}-{ALGORITHMS.index(algorithm)}"


def new_session(algorithm):
    """A session with the arguments that its algorithm uses."""
    return lab.Session(
        algorithm,
        4,
        2,
        None if algorithm.noise.is_stated else DEVIATION,
        FEATURES if "features" in algorithm.reads else None,
        REGION if "polyhedron" in algorithm.reads else None,
    )


def queues_of_rewards(seed):
    noise = np.random.default_rng(seed).standard_normal((4, MOST, 2))
    return MEANS[:, None] + noise * DEVIATION


def one_at_a_time(session, rewards):
    while not session.finished:
        arm = session.ask()
        session.tell(arm, rewards[arm, session.pulls[arm]])
    return session


def answer_of(session):
    answer = session.recommendation
    return None if answer is None else [np.asarray(part).tolist() for part in answer]


def used(session):
    queues = [iter(rewards) for rewards in session._state.rewards]
    return [(arm, next(queues[arm]).tolist()) for arm in session._state.run.order]


def told_of(session):
    """Rewards of each arm that count, as lists."""
    return [[each.tolist() for each in rewards] for rewards in session._state.rewards]


def state_of(session):
    """The visible state of a session, as lists."""
    counts = session.pulls, session.means, session.outstanding, session.waiting
    return [session.finished, answer_of(session), *(each.tolist() for each in counts)]


def everything_of(session):
    """What a user can see of a session with arms that come and leave."""
    return (
        used(session),
        session.retired,
        (session.algorithm, session.ended_by, session.spent),
        state_of(session),
        session.withdrawn,
        session.predecessors,
        str(session.status()),
    )


def rewrite(path, **changed):
    """Change parts of the content of a session file, whose checksum remains right."""
    document = json.loads(path.read_text())
    content = {**document["content"], **changed}
    path.write_text(json.dumps({**document, "sha256": digest(content), "content": content}))
