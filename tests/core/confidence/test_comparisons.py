"""Intervals and comparisons of arms with unknown, unequal variances: formulas, twins, promises."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

import pareto_core as pc
from pareto_core.confidence import comparisons as cmp
from pareto_core.instances.noise import make_source
from pareto_core.simulation.statistics import rate_interval


def evidence(n, mean, scatter, x, deviation=np.nan):
    """``ln M_n(x)`` by its definition."""
    spread = 1 + n * cmp.EFFECT
    if not np.isnan(deviation):
        return (
            -math.log(spread) / 2 + n**2 * cmp.EFFECT / spread * (mean - x) ** 2 / deviation**2 / 2
        )
    u = n * (mean - x) ** 2 / scatter
    return -math.log(spread) / 2 + n / 2 * (math.log1p(u) - math.log1p(u / spread))


def least_together(data, low, high, margin, deviation):
    """The least evidence of two arms for a common mean, where the average of ``low`` is smaller."""
    (n, m, s), (o, p, t) = ([each[k, 0] for each in data] for k in (low, high))
    grid = np.linspace(m, p + margin, 2001)
    both = [
        evidence(n, m, s, x, deviation) + evidence(o, p, t, x - margin, deviation) for x in grid
    ]
    best, width = grid[np.argmin(both)], grid[1] - grid[0]
    found = minimize_scalar(
        lambda x: evidence(n, m, s, x, deviation) + evidence(o, p, t, x - margin, deviation),
        bounds=(best - width, best + width),
        method="bounded",
    )
    return min(found.fun, min(both))


def comparisons(level=5.0, deviation=np.nan, n_arms=2):
    made = cmp.make_comparisons(math.log(10), 0.1, np.array([deviation]), n_arms)
    return made._replace(pair=level)


def data_of(counts, means, scatter):
    columns = ([float(each) for each in values] for values in (means, scatter))
    arrays = (np.array(each)[:, None] for each in columns)
    return cmp.Data(np.array(counts)[:, None], *arrays)


NUMBERS = st.floats(-50, 50)
SCATTER = st.one_of(st.floats(1e-6, 1e4), st.sampled_from([0.0, 1e-12, 1e12]))
COUNTS = st.one_of(st.integers(0, 60), st.sampled_from([1000, 10**6]))
ARM = st.tuples(COUNTS, NUMBERS, SCATTER)


@given(ARM, ARM, st.floats(0, 3), st.floats(0.1, 30), st.sampled_from([np.nan, 0.7, 3.0]))
def test_an_arm_is_less_exactly_if_all_common_means_are_refuted(
    first, second, margin, level, known
):
    data = data_of(*zip(first, second, strict=True))
    found = cmp.is_less(comparisons(level, known), data, 0, 1, 0, margin, level)
    counts, means, scatter = (each[:, 0] for each in data)
    has_data = counts.min() > 0 and means[0] < means[1] + margin
    if np.isnan(known):
        has_data &= bool((scatter > counts * (1e-12 * means) ** 2).all()) and counts.min() > 1
        if counts.max() > 1 and counts.min() == 1:  # one reward is no evidence, in either direction
            return
    if not has_data:
        assert not found or not np.isnan(known)
        return
    least = least_together(data, 0, 1, margin, known)
    if abs(least - level) > 1e-3 * max(1, abs(level)):
        assert found == (least > level)


@given(ARM, st.floats(0.1, 40), st.sampled_from([np.nan, 0.7]))
def test_an_interval_ends_where_there_is_enough_evidence(arm, level, known):
    data, widths = data_of(*([each] for each in arm)), np.empty((1, 1))
    cmp.write_intervals(comparisons(5.0, known)._replace(interval=level), data, widths)
    width, (count, mean, scatter) = widths[0, 0], arm
    if np.isinf(width):
        most = (count - 1) / 2 * math.log1p(cmp.EFFECT * count)
        assert count == 0 or (np.isnan(known) and (scatter < 1e-9 or count == 1 or level >= most))
    elif width > 1e-6 * abs(mean):
        assert evidence(count, mean, scatter, mean + width, known) == pytest.approx(level, rel=1e-6)


def test_levels_are_those_of_the_theorem():
    made = cmp.make_comparisons(math.log(20), 0.1, np.full(3, np.nan), 8)
    for o in range(2, 9):
        for level, share, number in (
            (made.by_known[o], cmp.BY_KNOWN, o * (o - 1)),
            (made.by_any[o], cmp.BY_ANY, o * 7),
            (made.unbeaten[o], 1 - cmp.BY_KNOWN - cmp.BY_ANY, 3 * o),
        ):
            risk = share * 0.9 * 0.05 / number
            assert (1 + level) * math.exp(-level) == pytest.approx(risk)
    assert (1 + made.pair) * math.exp(-made.pair) == pytest.approx(0.9 * 0.05 / (28 * 3))
    assert made.interval == pytest.approx(math.log(24 / 0.1 * 20))


def calls_of(data, made):
    """The arms called dominated, optimal and unbeaten, step by step as in the theorem."""
    arms, objectives = (range(size) for size in data.means.shape)

    def is_less(low, high, c, margin, level):
        return cmp.is_less(made, data, low, high, c, margin, level)

    def is_unbeaten(k, margin, level):
        rivals = set(arms) - dominated - {k}
        return all(any(is_less(j, k, c, margin[c], level) for c in objectives) for j in rivals)

    dominated, optimal, unbeaten, before = set(), set(), set(), None
    while before != (dominated, optimal, unbeaten):
        before = dominated, optimal, unbeaten
        o, p = len(arms) - len(dominated), len(arms) - len(optimal)
        levels = [made.by_known[o] if j in optimal else made.by_any[o] for j in arms]
        dominated = dominated | {
            k
            for k in arms
            for j in set(arms) - {k}
            if all(is_less(k, j, c, 0.0, levels[j]) for c in objectives)
        }
        level = made.unbeaten[p]
        nothing = np.zeros(len(objectives))
        optimal = optimal | {k for k in arms if is_unbeaten(k, nothing, level)}
        unbeaten = unbeaten | {k for k in arms if is_unbeaten(k, made.epsilon, level)}
    return dominated, optimal, unbeaten


def test_calls_are_those_of_the_theorem():
    rng, seen = np.random.default_rng(2), set()
    for _ in range(150):
        n_arms, d = rng.integers(2, 7), rng.integers(1, 4)
        means = rng.normal(size=(n_arms, d)) * rng.choice([0.3, 1.0, 3.0])
        counts = rng.integers(2, 90, size=(n_arms, d))
        scatter = counts * rng.uniform(0.2, 3.0, size=(n_arms, d))
        epsilon = rng.uniform(0.1, 0.6, size=d)
        certificate = pc.Certificate(n_arms, d, 0.1, standard_deviation="unknown", epsilon=epsilon)
        certificate.update(counts, means, scatter)
        made = cmp.make_comparisons(math.log(10), 0.1, np.full(d, np.nan), n_arms)
        found = calls_of(cmp.Data(counts, means, scatter), made._replace(epsilon=epsilon))
        dominated, optimal, unbeaten = map(sorted, found)
        assert certificate.dominated.tolist() == dominated
        assert certificate.optimal.tolist() == optimal
        near = sorted(set(unbeaten) - set(optimal) - set(dominated))
        assert certificate.near_optimal.tolist() == near
        seen.add((bool(dominated), bool(optimal), bool(near)))
    assert len(seen) > 4


def scripted(means, deviations, n, seed):
    rewards = np.random.default_rng(seed).normal(means, deviations, (n, *np.shape(means)))
    return rewards.mean(axis=0), ((rewards - rewards.mean(axis=0)) ** 2).sum(axis=0)


DEVIATIONS = np.array([[0.1, 1.0], [1.0, 0.05], [0.2, 0.2], [0.5, 3.0]])
MEANS = np.array([[2.0, 5.0], [5.0, 2.0], [1.0, 1.0], [0.0, 4.0]])


def test_all_questions_are_settled_and_an_accuracy_makes_ties_near_optimal():
    means, scatter = scripted(MEANS, DEVIATIONS, 200, 1)
    counts, settings = [200] * 4, {"standard_deviation": "unknown"}
    best = pc.BestArmCertificate(4, 2, **settings)
    feasible = pc.ConstrainedCertificate(4, 2, pc.orthant([1.5, -9.0]), **settings)
    subset = pc.Certificate(4, 2, rule="joint_subsets", **settings)
    for each in (best, feasible, subset):
        each.update(counts, means, scatter)
        assert not each.is_contradicted
    assert [each.tolist() for each in best.candidates] == [[1], [0]]
    assert feasible.infeasible.tolist() == [2, 3]
    assert feasible.optimal.tolist() == [0, 1]
    assert subset.dominated.tolist() == [2, 3]
    subset.retire(0)
    subset.update(counts, means, scatter)
    assert subset.optimal.tolist() == [1, 3]  # the arm that dominated arm 3 has left
    tied = pc.Certificate(3, 1, epsilon=0.5, **settings)
    tied.update([400] * 3, [[1.0], [1.01], [-9.0]], [[400.0]] * 3)
    assert tied.near_optimal.tolist() == [0, 1]
    assert tied.dominated.tolist() == [2]
    assert tied.is_decided


def test_objectives_may_be_known_unknown_or_without_noise():
    certificate = pc.Certificate(3, 3, standard_deviation=[0.5, "unknown", 0])
    means = [[1.0, 5.0, 2.0], [0.0, 1.0, 2.0], [9.0, 0.0, 1.0]]
    certificate.update([40] * 3, means, np.full((3, 3), 40.0))
    assert certificate.dominated.tolist() == [1]  # equal where there is no noise
    assert certificate.optimal.tolist() == [0, 2]
    assert (certificate.boxes[:, 2, 0] == certificate.boxes[:, 2, 1]).all()
    with pytest.raises(ValueError, match="not both"):
        pc.Certificate(3, 2, standard_deviation=["unknown", "unknown, equal"])


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("factor", [1.0, 100.0])
def test_intervals_and_statements_are_right_with_the_promised_probability(factor):
    """Arms nearly tie, looks are many, and the next arm is the one that looks best or worst."""
    means = np.array([[0.0, 0.01], [0.01, 0.0], [0.0, 0.0], [0.02, -0.02]])
    deviations = np.geomspace(0.1, 0.1 * factor, 4)[:, None]
    optimal, wrong, runs = pc.pareto_set(means), 0, 200
    for rng in np.random.default_rng(3).spawn(runs):
        rewards = rng.normal(means, deviations, (150, 4, 2))
        counts, certificate = np.full(4, 2), pc.Certificate(4, 2, 0.1, standard_deviation="unknown")
        while counts.max() < 150:
            told = [rewards[:n, k] for k, n in enumerate(counts)]
            averages = np.array([each.mean(axis=0) for each in told])
            scatter = np.array([((each - each.mean(axis=0)) ** 2).sum(axis=0) for each in told])
            certificate.update(counts, averages, scatter)
            scores = averages.sum(axis=1) if rng.random() < 0.5 else -scatter[:, 0] / counts
            counts[scores.argmax()] += rng.integers(1, 12)
        low, high = np.moveaxis(certificate.boxes, 2, 0)
        is_wrong = (low > means).any() or (high < means).any() or certificate.is_contradicted
        is_wrong |= not np.isin(certificate.optimal, optimal).all()
        wrong += bool(is_wrong or np.isin(certificate.dominated, optimal).any())
    assert rate_interval(wrong, runs, 0.99)[1] < 0.1


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("epsilon", [None, 0.3])
def test_runs_stop_with_a_right_answer(epsilon):
    instance = pc.Instance(MEANS, DEVIATIONS**2)
    algorithm = pc.Certified(pc.UniformSampling(), variance="unknown", epsilon=epsilon)
    runs = pc.simulate(algorithm, instance, 100, progress=False, max_samples=10_000)
    assert runs.stopped.all()
    assert runs.correct.mean() > 0.9
    assert runs.samples.mean() > 4 * 8  # no statement is possible earlier


def test_arms_that_only_retired_arms_dominated_are_compared_anew():
    instance = pc.Instance([[9.0, 9.0], [9.0, 9.0], [1.0, 0.0], [0.0, 0.0]])
    algorithm = pc.Certified(pc.UniformSampling(), rule="joint_subsets", variance="unknown")
    rng, source = np.random.default_rng(1), make_source(instance)
    run = algorithm.begin(instance.problem, np.random.default_rng(0))

    def dominated_after(samples):
        run.advance(source, rng, samples - 1)
        run.state.evidence.work.weakest[:] = -1  # so that all is compared, not only the tie
        run.advance(source, rng, samples)
        return run.state.evidence.ledger.dominated.tolist()

    assert dominated_after(120) == [False, False, True, True]
    for arm in (0, 1):
        algorithm.retire(run.state, arm, still_counts=False)
    assert dominated_after(130) == [False] * 4
