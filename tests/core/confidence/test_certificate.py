"""Anytime-valid statements: against martingales by definition, by simulation, and in use."""

import functools

import numpy as np
import pytest
from references import alternatives as wrong
from references import martingales as reference
from references import misleading
from references.limits import at_its_limit, contradicted
from references.seeds import MORE
from scipy.optimize import brentq

from pareto_core import Certificate
from pareto_core.confidence.boxes import BOX_MASS
from pareto_core.confidence.ledger import BOX_SHARE
from pareto_core.confidence.proven_rules import RULES, SCALES
from pareto_core.simulation.statistics import rate_interval

THREE = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])


def updated(counts, means, **settings):
    """A certificate after one update."""
    certificate = Certificate(*np.shape(means), **settings)
    certificate.update(counts, means)
    return certificate


# By definition


def least_surplus(rng, rule, number):
    """Least ln(delta M) over the worlds that a certificate rules out, and their number."""
    information, means = wrong.random_data(rng)
    found = at_its_limit(
        lambda delta: updated(information[:, 0], means, delta=delta, rule=rule),
        rng.integers(1, len(means) + 1),
    )
    if found is None:
        return np.inf, 0
    certificate, log_delta = found
    worlds = wrong.alternatives(rng, information, means, number)
    worlds = worlds.at(contradicted(certificate, worlds))
    martingale = reference.log_certificate(rule == "joint", information, means, worlds)
    return (martingale + log_delta).min(initial=np.inf), len(martingale)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("least_tried", [3000, pytest.param(10_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("rule", RULES)
def test_the_martingale_of_every_excluded_world_is_large(rule, least_tried):
    rng, tried, least = np.random.default_rng(3), 0, np.inf
    while tried < least_tried:
        surplus, number = least_surplus(rng, rule, 200)
        tried += number
        least = min(least, surplus)
    assert -1e-9 < least < 0.2


@pytest.mark.parametrize("rule", RULES)
def test_the_martingales_of_a_few_excluded_worlds_are_large(rule):
    rng = np.random.default_rng(4)
    assert min(least_surplus(rng, rule, 20)[0] for _ in range(15)) > -1e-9


@pytest.mark.parametrize("delta", [0.3, 1e-6])
@pytest.mark.parametrize("counts", [[1, 7, 300], [10**6, 0, 50]])
def test_boxes_end_where_the_evidence_is_enough(counts, delta):
    certificate = updated(counts, THREE, delta=delta)
    needed = np.log(2 * THREE.size / (BOX_SHARE * delta))

    def evidence(width, count):
        each = [reference.log_mixture(count, width, scale, BOX_MASS) for scale in SCALES]
        return np.logaddexp.reduce(each) - np.log(len(SCALES)) - needed

    for k, count in enumerate(counts):
        width = brentq(evidence, 0, 1e3, args=(count,), xtol=1e-12) if count else np.inf
        expected = THREE[k, :, None] + [-width, width]
        np.testing.assert_allclose(certificate.boxes[k], expected, rtol=1e-5)


# By simulation

DELTA = 0.2
NEAR_TIES = {
    "front": [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0], [-0.01, 0.99]],
    "near": [[0.1, 0.0], [0.0, 0.1], [-0.02, 0.08]],
    "pair": [[0.0, 0.0], [-0.005, -0.005]],
    "tied": [[0.0, 0.0], [0.0, 0.0], [-0.01, 0.0]],
    "wide": [[0.0, 0.0, 0.0], [-0.01, -0.01, -5.0]],
}


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("settings", [{}, {"standard_deviation": "unknown"}], ids=str)
@pytest.mark.parametrize("rule", RULES)
@MORE
def test_all_statements_are_true_with_the_promised_probability(rule, settings, times):
    runs, longest = (100 * times, 500) if not settings else (40 * times, 2000)
    found = sum(
        misleading.errors(truth, runs, longest, delta=DELTA, rule=rule, **settings)
        for truth in NEAR_TIES.values()
    )
    assert rate_interval(found, runs * len(NEAR_TIES), 0.99)[1] < DELTA


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("rule", RULES)
def test_noise_twice_as_large_as_stated_breaks_the_promise(rule):
    noisy = functools.partial(misleading.Data, deviation=2.0)
    request = {"delta": DELTA, "rule": rule, "data": noisy}
    for name, truth in NEAR_TIES.items():
        found = misleading.errors(truth, 40, 600, **request)
        assert rate_interval(found, 40)[0] > DELTA, name
    noisy = functools.partial(misleading.Data, deviation=3.0)
    only_arms = {**request, "data": noisy, "is_wrong": misleading.wrong_about_arms}
    found = misleading.errors(NEAR_TIES["pair"], 60, 600, **only_arms)
    assert rate_interval(found, 60)[0] > DELTA


@pytest.mark.compiled
@pytest.mark.statistical
def test_correlated_objectives_need_the_rule_of_pairs():
    d, runs = 16, 80
    truth = np.zeros((2, d))
    truth[1] = -1e-4
    same = np.full((d, d), 1 - 1e-9) + 1e-9 * np.eye(d)
    correlated = functools.partial(misleading.Data, correlation=same)
    request = {"is_wrong": misleading.wrong_about_arms, "delta": DELTA}
    joint, pairs = (
        misleading.errors(truth, runs, 1000, data=correlated, rule=rule, **request)
        for rule in RULES
    )
    assert rate_interval(joint, runs)[0] > DELTA
    assert rate_interval(pairs, runs)[1] < DELTA
    independent = misleading.errors(truth, runs, 1000, rule="joint", **request)
    assert rate_interval(independent, runs)[1] < DELTA


# In use


@pytest.mark.parametrize("rule", RULES)
def test_with_enough_samples_all_arms_are_decided_correctly(rule):
    certificate = updated([500, 500, 500], THREE, delta=0.05, rule=rule)
    assert certificate.optimal.tolist() == [0, 1]
    assert certificate.dominated.tolist() == [2]
    assert certificate.open.size == 0
    assert certificate.is_decided
    assert not certificate.is_contradicted


def test_before_the_first_update_nothing_is_certain():
    certificate = Certificate(3, 2)
    assert certificate.open.tolist() == [0, 1, 2]
    assert certificate.optimal.size == certificate.dominated.size == 0
    assert np.isneginf(certificate.boxes[..., 0]).all()
    assert np.isposinf(certificate.boxes[..., 1]).all()
    certificate.update([0, 0, 0], np.full((3, 2), np.nan))
    assert certificate.open.tolist() == [0, 1, 2]


def test_some_arms_are_certain_before_others():
    means = [[1.0, 0.0], [0.0, 1.0], [-9.0, -9.0], [0.9, -0.1]]
    certificate = updated([60] * 4, means)
    assert certificate.dominated.tolist() == [2]
    assert 3 in certificate.open
    assert not certificate.is_decided


@pytest.mark.parametrize("rule", RULES)
def test_an_arm_without_samples_stays_open_without_affecting_others(rule):
    means = [[9.0, 9.0], [0.0, 0.0], [np.nan, 0.0]]
    certificate = updated([500, 500, 0], means, rule=rule)
    assert certificate.dominated.tolist() == [1]
    assert certificate.open.tolist() == [0, 2]


@pytest.mark.parametrize("deviation", [1.0, "unknown"])
def test_statements_are_never_withdrawn(deviation):
    rng = np.random.default_rng(1)
    for truth in (THREE, NEAR_TIES["front"], NEAR_TIES["wide"]):
        certificate = Certificate(*np.shape(truth), delta=0.3, standard_deviation=deviation)
        data = misleading.Data(truth, rng)
        before = set(), set(), certificate.boxes
        for _ in range(25):
            for arm in range(len(truth)):
                data.sample(arm, int(rng.integers(1, 200)))
            certificate.update(data.counts, data.means, data.scatter)
            now = set(certificate.optimal), set(certificate.dominated), certificate.boxes.copy()
            assert now[0] >= before[0]
            assert now[1] >= before[1]
            assert not now[0] & now[1]
            assert (now[2][..., 0] >= before[2][..., 0]).all()
            assert (now[2][..., 1] <= before[2][..., 1]).all()
            before = now
        assert not certificate.is_contradicted


def test_a_contradiction_is_reported_and_statements_stay():
    certificate = updated([500, 500, 500], THREE)
    assert not certificate.is_contradicted
    certificate.update([10**6] * 3, THREE)
    assert not certificate.is_contradicted
    certificate.update([10**7] * 3, -THREE)
    assert certificate.is_contradicted
    assert certificate.dominated.tolist() == [2]
    certificate.update([10**9] * 3, THREE)
    assert certificate.is_contradicted


def test_boxes_alone_can_contradict_each_other():
    certificate = updated([10**4, 0], [[0.0], [0.0]])
    certificate.update([10**6, 0], [[5.0], [0.0]])
    assert certificate.optimal.size == certificate.dominated.size == 0
    assert certificate.is_contradicted


@pytest.mark.parametrize("units", [[10.0, 0.1], [1e-60, 1e60]])
def test_units_do_not_matter(units):
    plain = updated([60, 60, 40], THREE)
    scaled = updated([60, 60, 40], THREE * units, standard_deviation=units)
    each = updated([60, 60, 40], THREE * units, standard_deviation=np.tile(units, (3, 1)))
    for other in (scaled, each):
        assert other.optimal.tolist() == plain.optimal.tolist()
        assert other.dominated.tolist() == plain.dominated.tolist()
        np.testing.assert_allclose(other.boxes, plain.boxes * np.array(units)[:, None], rtol=1e-9)


def test_each_objective_has_a_separate_box_width():
    deviations = np.array([[1.0, 2.0], [3.0, 1.0], [1.0, 1.0]])
    here = updated([9, 9, 9], THREE, standard_deviation=deviations).boxes
    there = updated([9, 9, 9], THREE[:, ::-1], standard_deviation=deviations[:, ::-1]).boxes
    np.testing.assert_array_equal(here, there[:, ::-1])
    assert np.ptp(here[:2], axis=-1).argmax(axis=1).tolist() == [1, 0]


def test_a_sample_with_a_tenth_of_the_variance_counts_for_ten():
    deviation = np.ones((3, 2))
    deviation[1] = 10**-0.5
    counts, more = [200, 20, 200], [200, 200, 200]
    precise = updated(counts, THREE, standard_deviation=deviation)
    plain = updated(more, THREE)
    assert precise.optimal.tolist() == plain.optimal.tolist() == [0, 1]
    np.testing.assert_allclose(precise.boxes, plain.boxes, rtol=0.1)


@pytest.mark.parametrize("unit", [1.0, 1e-5, 1e20])
def test_an_unknown_variance_costs_little_once_there_are_many_samples(unit):
    counts = np.full(3, 4000)
    scatter = np.full((3, 2), 4000.0 * unit**2)
    certificate = Certificate(3, 2, standard_deviation="unknown")
    certificate.update(counts, THREE * unit, scatter)
    assert certificate.is_decided
    known = updated(counts, THREE, delta=0.1)
    ratio = np.ptp(certificate.boxes, axis=2) / (unit * np.ptp(known.boxes, axis=2))
    assert (1 < ratio).all()
    assert (ratio < 1.1).all()
    early = Certificate(3, 2, standard_deviation="unknown")
    early.update([5, 5, 5], 1e6 * THREE * unit, scatter / 800)
    assert early.open.size == 3
    assert np.isinf(early.boxes).all()
    early.update([4000, 4000, 4000], THREE * unit, 0 * scatter)
    assert early.open.size == 3


@pytest.mark.parametrize("rule", RULES)
def test_extreme_numbers_lead_to_no_wrong_statement(rule):
    for size in (1e30, 1e150):
        for deviation in (1e-70, 1.0, 1e70):
            settings = {"rule": rule, "standard_deviation": deviation}
            certificate = updated([100, 100], [[size], [-size]], **settings)
            assert 1 not in certificate.optimal
            assert 0 not in certificate.dominated
            assert updated([100, 100], [[size], [size]], **settings).open.size == 2
    deviation = [[1e-70], [1e70]]
    certificate = updated([2**53, 2**53], [[0.0], [1.0]], standard_deviation=deviation)
    assert certificate.open.size == 2
    assert np.isfinite(certificate.boxes).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_arms": 1}, "n_arms = 1"),
        ({"n_arms": 2.5}, "n_arms = 2.5"),
        ({"n_objectives": 0}, "n_objectives = 0"),
        ({"n_arms": 10**6, "n_objectives": 100}, "n_arms = 1000000, n_objectives = 100"),
        ({"delta": 0}, "delta = 0"),
        ({"delta": 1}, "delta = 1"),
        ({"delta": "0.1"}, "delta = '0.1'"),
        ({"rule": "pair"}, "rule = 'pair'"),
        ({"rule": None}, "rule = None"),
        ({"standard_deviation": 0}, "standard_deviation = 0"),
        ({"standard_deviation": -1.0}, "standard_deviation = -1.0"),
        ({"standard_deviation": 1e-200}, "standard_deviation = 1e-200"),
        ({"standard_deviation": 1e200}, r"standard_deviation = 1e\+200"),
        ({"standard_deviation": np.nan}, "standard_deviation = nan"),
        ({"standard_deviation": np.inf}, "standard_deviation = inf"),
        ({"standard_deviation": [1.0, 2.0, 3.0]}, "standard_deviation = "),
        ({"standard_deviation": [[1.0, 1.0]]}, "standard_deviation = "),
        ({"standard_deviation": [[1.0, 1.0]] * 2 + [[1.0, 0.0]]}, "standard_deviation = "),
        ({"standard_deviation": "unkown"}, "standard_deviation = 'unkown'"),
        ({"standard_deviation": None}, "standard_deviation = None"),
    ],
)
def test_invalid_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=f"(?s)^{message}.*expected"):
        Certificate(**({"n_arms": 3, "n_objectives": 2} | settings))


COUNTS = [5, 5, 5]


@pytest.mark.parametrize(
    ("counts", "means", "scatter", "message"),
    [
        ([5, 5], THREE, None, r"counts = \[5, 5\]; expected 3 whole numbers"),
        ([[5, 5, 5]], THREE, None, "counts = "),
        ([5, 5, -1], THREE, None, r"counts = \[5, 5, -1\]"),
        ([5, 5, 1.5], THREE, None, r"counts = \[5, 5, 1.5\]"),
        ([5, 5, np.nan], THREE, None, "counts = "),
        ([5, 5, np.inf], THREE, None, "counts = "),
        ([5, 5, 1e300], THREE, None, "counts = .*up to 9007199254740992"),
        ("abc", THREE, None, "counts = 'abc'; expected real numbers"),
        (None, THREE, None, "counts = None"),
        ([4, 5, 5], THREE, None, r"counts = \[4, 5, 5\]; expected no fewer than before"),
        (COUNTS, THREE[:2], None, r"means has shape \(2, 2\); expected \(3, 2\)"),
        (COUNTS, THREE[:, 0], None, r"means has shape \(3,\)"),
        (COUNTS, [[1.0, 0.0], [np.nan, 1.0], [0.0, 0.0]], None, r"means\[1, 0\] = nan"),
        (COUNTS, [[1.0, 0.0], [np.inf, 1.0], [0.0, 0.0]], None, r"means\[1, 0\] = inf"),
        (COUNTS, [[1.0, 0.0], [1e151, 1.0], [0.0, 0.0]], None, r"means\[1, 0\] = 1e\+151"),
        (COUNTS, "x", None, "means = 'x'"),
        (COUNTS, THREE, None, "scatter = None; expected sums of squares"),
        (COUNTS, THREE, [1.0, 2.0], r"scatter has shape \(2,\)"),
        (COUNTS, THREE, -np.ones((3, 2)), "(?s)scatter = .*expected non-negative numbers"),
        (COUNTS, THREE, np.full((3, 2), np.nan), "scatter = "),
    ],
)
def test_invalid_data_are_refused_and_change_nothing(counts, means, scatter, message):
    certificate = Certificate(3, 2, standard_deviation="unknown")
    certificate.update(COUNTS, THREE, np.ones((3, 2)))
    with pytest.raises(ValueError, match=message):
        certificate.update(counts, means, scatter)
    certificate.update(COUNTS, THREE, np.ones((3, 2)))


def test_the_arrays_of_the_caller_are_not_modified():
    counts, means = np.array([500, 500, 500]), THREE.copy()
    certificate = updated(counts, means)
    assert counts.tolist() == [500, 500, 500]
    assert (means == THREE).all()
    counts[0] = 1
    certificate.update([500, 500, 500], means)
