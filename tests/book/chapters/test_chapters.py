"""What chapters compute beside their simulations, on small cases."""

import numpy as np
import pytest
from references.kept_runs import case_of

import pareto_core as pc
from pareto_book.chapters import chen2024, crepon2024, guarantee, one_rule
from pareto_book.chapters.arena import Arena
from pareto_book.chapters.kone2025constrained import reasons_of
from pareto_book.chapters.problem import longest_wait
from pareto_book.studies.race import RuleRun, box_radii, record_race

RACING = {"Racing": pc.Racing(radius="iterated_logarithm")}


def test_cells_of_the_plane_are_those_that_are_counted():
    arms = np.array([[-0.7, 1.1, 1.0], [0.1, -1.1, 0.4], [-0.2, 0.3, -1.0]])
    across = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])
    labels = crepon2024.cell_labels(arms, across, 2.6)
    cells = {"".join(str(c + 1) for c in cell) for cell in pc.iterate_cells(arms)}
    assert set(labels) == cells


def test_the_profile_has_the_cost_of_the_cheapest_addition():
    means = np.array([[0.4, 6.0], [3.4, 3.4], [6.3, 0.5], [1.2, 1.1]])
    weights = np.array([0.3, 0.3, 0.3, 0.1])
    tents, height, cost = crepon2024.diagonal_profile(means, weights, np.linspace(-5, 5, 4001))
    assert tents.shape == (3, 4001) and height.shape == (4001,)
    assert cost.min() == pytest.approx(pc.transport_cost(means, weights).value, rel=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_evidence_for_the_best_arms_is_the_smallest_of_its_pairs(seed):
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((int(rng.integers(2, 7)), int(rng.integers(1, 4))))
    weights = rng.dirichlet(np.ones(len(means)))
    found = chen2024.pair_evidence(means, weights).min()
    assert found == pytest.approx(chen2024.evidence(means, weights))


def test_what_an_arm_is_under_a_limit():
    six = pc.load_instance("six_arms")
    limit = pc.Polyhedron([[0.0, -1.0]], [-1.6])
    optimal, feasible, dominated = reasons_of(six.means, limit)
    assert optimal.tolist() == feasible.tolist() == [True, True, False, False, False, False]
    assert dominated.tolist() == [False, False, False, True, False, True]


def test_the_first_stopping_rule_has_the_price_one():
    rules = {"loose": pc.UniformSampling(delta=0.3), "strict": pc.UniformSampling(delta=0.01)}
    found = guarantee.simulated_prices(rules, guarantee.layers(1), [0.1, 0.01], runs=5)
    assert [each.value for each in found.ratios["loose"]] == [1.0, 1.0]
    samples = guarantee.samples_at(rules["strict"], guarantee.layers(1), [0.1, 0.01], runs=5)
    assert np.array_equal(found.baseline, samples.mean(axis=1))


def test_the_arena_divides_by_the_bound_and_by_the_best_of_the_case():
    cases = [case_of("A", [10, 10]), case_of("B", [30, 30]), case_of("A", [8, 12], "there")]
    frame = Arena({}, {}, {"here": 10.0, "there": 1.0}, {}).frame(cases)
    bound = 0.8 * np.log(9.0)
    assert frame["over_the_bound"].tolist() == pytest.approx([1 / bound, 3 / bound, 10 / bound])
    assert frame["over_the_best"].tolist() == [1.0, 3.0, 1.0]
    assert frame["low"][2] < frame["over_the_bound"][2] < frame["high"][2]


def test_the_shares_of_the_evidence_sum_to_one():
    path = one_rule.fluid_path(one_rule.Case(pc.load_instance("six_arms")), 1000)
    assert np.allclose(path.shares.sum(axis=1), 1)
    assert np.allclose(path.targets.sum(axis=1), path.times)


@pytest.mark.parametrize("n_pairs", [1, 3])
def test_the_closest_wrong_answers_of_pairs_have_the_same_cost(n_pairs):
    instance = one_rule.pairs_instance(n_pairs, 0.5)
    found = pc.characteristic_time(instance.means)
    assert found.time == pytest.approx(8 * n_pairs / 0.25, rel=1e-4)
    np.testing.assert_allclose(found.weights, 1 / instance.n_arms, rtol=1e-2)
    assert instance.pareto_set.tolist() == list(range(0, 2 * n_pairs, 2))


def test_the_least_evidence_of_a_pair_is_the_transportation_cost():
    algorithm = pc.TopTwoIDS(delta=1e-200)
    times, evidence = one_rule.pair_evidences(algorithm, 3, 1.0, 120, seed=1)
    run = pc.trajectory(algorithm, one_rule.pairs_instance(3, 1.0), times, seed=1)
    for k in range(60, times.size, 20):
        cost = pc.transport_cost(run.means[k], run.counts[k]).value
        assert abs(evidence[k].min()) == pytest.approx(cost)


def race_of(arms, statuses, means=((1.0, 1.0), (0.0, 0.0), (2.0, -2.0))):
    """A race on three arms with this run of Racing."""
    race = record_race(pc.Instance(means, labels=list("ABC")), RACING)
    return race._replace(runs={"Racing": RuleRun(arms, statuses)})


def test_the_longest_wait_counts():
    statuses = [(1, "..."), (4, "w.."), (6, "..."), (7, "w.w"), (9, "w.+"), (12, "+-+")]
    wait = longest_wait(race_of([0, 1, 2] * 4, statuses), "Racing")
    assert (wait.arm, wait.since, wait.time) == (0, 7, 11)


def test_a_waiting_arm_is_needed_for_an_open_one():
    race = record_race(pc.load_instance("six_arms"), RACING)
    wait = longest_wait(race, "Racing")
    counts, means = race.seen("Racing", wait.time)
    radii = box_radii(counts, race.delta)
    assert wait.needed_for
    for k in wait.needed_for:
        lead = (means[k] - means[wait.arm]).max()
        assert lead <= np.hypot(radii[k], radii[wait.arm])
