"""Sessions of every algorithm on one small experiment, and their visible state."""

import numpy as np

import pareto_core as pc
import pareto_lab as lab
from pareto_core.algorithms.constrained.partition_evidence import PartitionAlgorithm
from pareto_core.regression.gaussian_process import Hyperparameters

FEATURES = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.6], [0.2, 0.2]])
MEANS = FEATURES @ [[30.0, 6.0], [0.0, 60.0]]
DEVIATION = [1.0, 2.0]
REGION = pc.Polyhedron([[-1.0, 0.0]], [-10.0])  # arms 0 and 2 are inside
PRIORS = (Hyperparameters(0.0, 100.0, 100.0, [1.0, 1.0], 1.0),) * 2
MOST = 400  # rewards of each arm

ALGORITHMS = [
    pc.APE(),
    pc.APE(k=1),
    pc.Certified(pc.APE()),
    pc.Certified(pc.EGE(budget=24), rule="pairs"),
    pc.ConstrainedUniformSampling(),
    pc.DTracking(),
    pc.ECAPE(),
    pc.EGE(budget=24),
    pc.EGE(budget=24, schedule="reject"),
    pc.FrankWolfe(),
    pc.GameCPSI(check_every=3),
    pc.GEGE(),
    pc.GEGE(budget=20),
    pc.LinearPAL(),
    pc.MOBAI(),
    pc.MOSE(),
    pc.OraclePosterior(weights=(1.0, 2.0, 3.0, 1.0)),
    pc.PAL(hyperparameters=PRIORS, initial_samples=9),
    pc.PaVeBa(contraction=16.0),
    pc.PSIPS(),
    pc.PSIPS(prior="ridge", eta=0.5, sampling="random"),
    pc.Racing(),
    pc.RacingCover(),
    pc.RacingCP(),
    pc.TopTwoIDS(check_every=2),
    pc.TTPFTS(budget=30),
    pc.TTPFTS(budget=30, variance="unknown"),
    pc.TTPFTS(budget=30, variance="unrooted"),
    pc.TrackAndStop(check_every=2),
    pc.TwoStage(),
    pc.UniformSampling(),
    pc.UniformSampling(budget=10),
    pc.WidestBox(epsilon=500.0, bounds=((-600.0, 600.0), (-700.0, 800.0)), batch=3),
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
        None if algorithm.knows_noise else DEVIATION,
        FEATURES if algorithm.uses_features else None,
        REGION if algorithm.uses_polyhedron else None,
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
    return [(arm, reward.tolist()) for arm, reward in session._ledger.queued_run.used]


def state_of(session):
    """The visible state of a session, as lists."""
    table = None
    if isinstance(session.algorithm, PartitionAlgorithm) and session.pulls.min() > 0:
        table = lab.explain(session).to_dict()
    counts = session.pulls, session.means, session.outstanding, session.waiting
    return [session.finished, answer_of(session), table, *(each.tolist() for each in counts)]
