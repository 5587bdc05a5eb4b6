"""What an algorithm states of itself makes it again."""

import dataclasses
import json

import pytest
from references.algorithms import example_of

import pareto_core as pc
from pareto_book import rivals
from pareto_book.rivals.gaussian_process import Hyperparameters
from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.loop.algorithm import describe

PRIOR = Hyperparameters(0.0, 0.5, 1.0, (1.0, 2.0), 0.1)
OTHER = {  # parameters that are not the defaults
    "APE": {"k": 2, "variance_bound": 4.0},
    "Certified": {"algorithm": pc.APE(k=1), "rule": "pairs", "epsilon": {"x": 0.1, "y": 0.2}},
    "ConstrainedUniformSampling": {"norm_variance_bound": 2.0},
    "DTracking": {"iterations": 3, "tracking": "C"},
    "ECAPE": {"bonus": "union_bound"},
    "EGE": {"schedule": "reject"},
    "FrankWolfe": {"threshold": "proven"},
    "GEGE": {"budget": 90, "lengths": "theory"},
    "GameCPSI": {"explained": True},
    "LinearPAL": {"bonus_scale": 0.5},
    "MOBAI": {"threshold": "proven"},
    "MOSE": {"count": "total"},
    "OraclePosterior": {"weights": (1.0, 2.0)},
    "PAL": {"hyperparameters": (PRIOR, PRIOR), "initial_samples": 9},
    "PSIPS": {"prior": "ridge"},
    "PaVeBa": {"contraction": 16.0},
    "Racing": {"pairs": "sum"},
    "RacingCP": {"radius_constant": 2.0},
    "RacingCover": {"tolerance": 0.02},
    "SeparateTopTwo": {"costs": [1.0, 2.0]},
    "TTPFTS": {"variance": "unrooted"},
    "TopTwoIDS": {"budget": 12},
    "TrackAndStop": {"costs": [1.0, 2.0]},
    "TwoStage": {"delta": 0.2},
    "UniformSampling": {"budget": 30},
    "WidestBox": {"bounds": [(0, 1), (0, 2)]},
}
KINDS = {**algorithms_by_name(), **{name: getattr(rivals, name) for name in rivals.__all__}}


@dataclasses.dataclass(frozen=True)
class Step:
    """A parameter of a reader's own."""

    length: float


@dataclasses.dataclass(frozen=True)
class Mine(pc.Algorithm):
    """An algorithm with a parameter that is a dataclass, and a field that is no parameter."""

    step: Step
    twice: float = dataclasses.field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "twice", 2 * self.step.length)


ALGORITHMS = [example_of(kind, **OTHER[name]) for name, kind in KINDS.items()]
ALGORITHMS += [example_of(kind) for kind in KINDS.values()]


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, Mine(Step(0.5))], ids=repr)
def test_hyper_parameters_are_arguments_of_the_constructor(algorithm):
    again = type(algorithm)(**algorithm.hyper_parameters())
    assert again == algorithm
    assert repr(again) == repr(algorithm)


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=repr)
def test_hyper_parameters_survive_a_file(algorithm):
    if not isinstance(algorithm, pc.Certified):  # which holds an algorithm, see sessions
        read = json.loads(json.dumps(algorithm.hyper_parameters(), default=describe))
        assert type(algorithm)(**read) == algorithm
