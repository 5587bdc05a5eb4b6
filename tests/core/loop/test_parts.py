"""What follows from the parts of an algorithm: the noise, and the stopping rule."""

import pytest
from references.algorithms import example_of
from references.readers_algorithms import InTurn

import pareto_core as pc
from pareto_book.rivals import PAL, TTPFTS, FrankWolfe, LinearPAL, PaVeBa
from pareto_core.algorithms.registry import algorithms_by_name, defaults_of
from pareto_core.loop.algorithm import is_python, needs_independence, weighs_costs
from pareto_core.loop.parts import ANY, COVARIANCE, UNIT, Budget, Noise, bounded_variance

KINDS = [*algorithms_by_name().values(), PaVeBa]
PROVEN = "proven"


@pytest.mark.parametrize("kind", [each for each in KINDS if "variance_bound" in defaults_of(each)])
def test_a_bound_on_the_variance_states_the_noise(kind):
    assert kind().noise == UNIT
    assert kind(variance_bound=4.0).noise == bounded_variance(4.0)
    assert kind(variance_bound=4.0).noise.is_stated
    assert not kind(variance_bound=4.0).noise.is_unit


@pytest.mark.parametrize("kind", [each for each in KINDS if "budget" in defaults_of(each)])
def test_a_budget_is_a_way_to_stop(kind):
    algorithm = kind(budget=90)
    assert algorithm.stopping == Budget(90)
    rule = algorithm.stopping
    assert not (rule.sampling_ignores_delta or rule.can_go_on or rule.allows_missing_values)
    assert not weighs_costs(algorithm)


@pytest.mark.parametrize(
    ("algorithm", "noise"),
    [
        (pc.TrackAndStop(), COVARIANCE),
        (pc.Certified(pc.APE()), COVARIANCE),
        (pc.Certified(pc.APE(), variance="unknown, equal"), UNIT),
        (pc.TopTwoIDS(budget=9), COVARIANCE),
        (pc.TopTwoIDS(linear=True), UNIT),
        (pc.SeparateTopTwo(), COVARIANCE),
        (pc.UniformSampling(), COVARIANCE),
        (pc.UniformSampling(budget=9), ANY),
        (pc.EGE(budget=9), ANY),
        (LinearPAL(), ANY),
        (FrankWolfe(), UNIT),
        (TTPFTS(budget=9), UNIT),
        (TTPFTS(budget=9, variance="unknown"), ANY),
        (PAL(), Noise(is_unit=False, is_stated=True)),
        (InTurn(), UNIT),
    ],
    ids=lambda each: type(each).__name__,
)
def test_noise(algorithm, noise):
    assert algorithm.noise == noise


@pytest.mark.parametrize(
    ("algorithm", "ignores_delta", "can_go_on", "allows_missing", "independent"),
    [
        (pc.TrackAndStop(), True, True, False, False),
        (pc.TrackAndStop(threshold=PROVEN), True, True, True, False),
        (FrankWolfe(threshold=PROVEN), True, True, True, True),
        (FrankWolfe(threshold="proven_correlated"), True, True, True, False),
        (pc.TopTwoIDS(), True, True, False, False),
        (pc.TopTwoIDS(threshold=PROVEN), False, True, True, False),
        (pc.TopTwoIDS(threshold=PROVEN, problem="best_arm_per_objective"), True, True, True, False),
        (pc.MOBAI(threshold=PROVEN), True, True, True, False),
        (pc.DTracking(), True, True, False, False),
        (pc.GameCPSI(), False, True, False, False),
        (pc.GameCPSI(optimism="time"), True, True, False, False),
        (pc.Certified(pc.TrackAndStop()), True, True, True, False),
        (pc.Certified(pc.APE()), False, True, True, False),
        (pc.Certified(pc.TrackAndStop(), epsilon=0.1), False, True, True, False),
        (pc.Certified(pc.TrackAndStop(), variance="unknown, equal"), True, True, True, True),
        (pc.Certified(pc.APE(), variance="unknown, equal", rule="pairs"), False, True, True, False),
        (pc.APE(), False, False, False, False),
        (InTurn(), False, False, False, False),
    ],
    ids=repr,
)
def test_stopping(algorithm, ignores_delta, can_go_on, allows_missing, independent):
    rule = algorithm.stopping
    assert rule.sampling_ignores_delta == ignores_delta
    assert rule.can_go_on == can_go_on
    assert rule.allows_missing_values == allows_missing
    assert needs_independence(algorithm) == independent


def test_which_algorithms_weigh_costs():
    found = {kind.__name__ for kind in KINDS if weighs_costs(example_of(kind))}
    assert found == {"SeparateTopTwo", "TopTwoIDS", "TrackAndStop", "UniformSampling", "WidestBox"}
    assert not weighs_costs(pc.TrackAndStop(tracking="C"))
    assert not weighs_costs(InTurn())


def test_an_algorithm_around_one_in_plain_python_is_in_plain_python():
    assert is_python(InTurn()) and is_python(pc.Certified(InTurn()))
    assert not is_python(pc.APE()) and not is_python(pc.Certified(pc.APE()))
