"""Certificates in use: what they state when, in which units, and what they refuse."""

import numpy as np
import pytest
from references import martingales as reference
from references import misleading
from scipy.optimize import brentq

import pareto_core as pc
from pareto_core import BestArmCertificate, Certificate, ConstrainedCertificate
from pareto_core.confidence.boxes import BOX_MASS
from pareto_core.confidence.ledger import BOX_SHARE
from pareto_core.confidence.proven_rules import RULES, SCALES
from pareto_core.confidence.unknown_variance import scale_of, variance_grid

THREE = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]])
NEARLY_TIED = np.array([[1.0, 0.0], [0.99, 0.01], [-0.5, -0.5]])
REGION = pc.orthant([0.0, 0.0])


def updated(counts, means, scatter=None, **settings):
    """A certificate after one update."""
    certificate = Certificate(*np.shape(means), **settings)
    certificate.update(counts, means, scatter)
    return certificate


def assert_same(first, second, rtol=1e-9, unit=1.0):
    """The same statements about arms, and about means in units."""
    assert first.optimal.tolist() == second.optimal.tolist()
    assert first.dominated.tolist() == second.dominated.tolist()
    np.testing.assert_allclose(first.boxes, second.boxes * unit, rtol=rtol)


def test_before_the_first_update_nothing_is_certain():
    certificate = Certificate(3, 2)
    assert certificate.open.tolist() == [0, 1, 2]
    assert certificate.optimal.size == certificate.dominated.size == 0
    assert np.isneginf(certificate.boxes[..., 0]).all()
    assert np.isposinf(certificate.boxes[..., 1]).all()
    certificate.update([0, 0, 0], np.full((3, 2), np.nan))
    assert certificate.open.tolist() == [0, 1, 2]


@pytest.mark.parametrize("deviation", [1.0, "unknown, equal"])
def test_statements_are_never_withdrawn(deviation):
    rng = np.random.default_rng(1)
    four = [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0], [-0.01, 0.99]]
    for truth in (THREE, four, [[0.0, 0.0, 0.0], [-0.01, -0.01, -5.0]]):
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


# Boxes, units and counts


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


@pytest.mark.parametrize("units", [[10.0, 0.1], [1e-60, 1e60]])
def test_units_do_not_matter(units):
    plain = updated([60, 60, 40], THREE)
    for deviation in (units, np.tile(units, (3, 1))):
        scaled = updated([60, 60, 40], THREE * units, standard_deviation=deviation)
        assert_same(scaled, plain, unit=np.array(units)[:, None])


def test_counts_of_objectives_are_those_of_unequal_variances():
    """400 samples of variance v carry as much information as 400 / v of variance 1."""
    variance = np.array([[2.0, 0.5], [0.5, 1.0], [0.5, 2.0], [1.0, 0.5]])  # 1 on average
    means = np.array([[0.6, 0.0], [0.0, 0.6], [-0.3, -0.3], [0.2, 0.1]])
    own = updated(400 / variance, means)
    assert_same(updated([400] * 4, means, standard_deviation=np.sqrt(variance)), own, rtol=1e-6)
    assert own.dominated.size and own.optimal.size


@pytest.mark.parametrize("rule", RULES)
def test_what_was_not_sampled_says_nothing(rule):
    certificate = updated([500, 500, 0], [[9.0, 9.0], [0.0, 0.0], [np.nan, 0.0]], rule=rule)
    assert certificate.dominated.tolist() == [1]
    assert certificate.open.tolist() == [0, 2]
    means = [[9.0, np.nan], [0.0, 0.0], [-9.0, -9.0]]
    certificate = updated([[500, 0], [500, 500], [500, 500]], means, rule=rule)
    assert certificate.dominated.tolist() == [2]  # by arm 1, whatever the missing mean is
    assert 0 in certificate.optimal  # for the same reason
    assert np.isinf(certificate.boxes[0, 1]).all()


def test_the_other_certificates_take_own_counts_too():
    counts = [[900, 900], [900, 0], [900, 900]]
    best = BestArmCertificate(3, 2)
    best.update(counts, [[1.0, 0.0], [0.0, np.nan], [-1.0, -9.0]])
    assert [each.tolist() for each in best.candidates] == [[0], [0, 1]]
    feasible = ConstrainedCertificate(3, 2, REGION)
    feasible.update(counts, [[1.0, 1.0], [2.0, np.nan], [0.5, 0.5]])
    assert feasible.feasible.tolist() == [0, 2]
    assert [each.tolist() for each in feasible.dominators] == [[], [], [0]]


# Unknown variances, and objectives without noise


@pytest.mark.parametrize("unit", [1.0, 1e-5, 1e20])
def test_an_unknown_variance_costs_little_once_there_are_many_samples(unit):
    counts = np.full(3, 4000)
    scatter = np.full((3, 2), 4000.0 * unit**2)
    certificate = updated(counts, THREE * unit, scatter, standard_deviation="unknown, equal")
    assert certificate.is_decided
    known = updated(counts, THREE, delta=0.1)
    ratio = np.ptp(certificate.boxes, axis=2) / (unit * np.ptp(known.boxes, axis=2))
    assert (1 < ratio).all()
    assert (ratio < 1.1).all()
    early = updated(
        [5, 5, 5], 1e6 * THREE * unit, scatter / 800, standard_deviation="unknown, equal"
    )
    assert early.open.size == 3
    assert np.isinf(early.boxes).all()
    early.update([4000, 4000, 4000], THREE * unit, 0 * scatter)
    assert early.open.size == 3


@pytest.mark.parametrize("noise", ["unknown", "unknown, equal"])
def test_rounding_errors_of_equal_rewards_are_no_noise(noise):
    equal = [np.full(n, 14.4) for n in (143, 154, 227, 285)]
    moments = [[[each.mean()] for each in equal], [[each.var() * each.size] for each in equal]]
    assert 0 < np.ptp(moments[0]) < 1e-13
    found = pc.Certificate(4, 1, standard_deviation=noise)
    found.update([each.size for each in equal], *moments)
    assert found.open.size == 4
    assert np.isinf(found.boxes).all()


@pytest.mark.parametrize("unit", [1e-159, 1e-162, 1e-40, 1e140])
@pytest.mark.parametrize("noise", ["unknown", "unknown, equal"])
def test_intervals_hold_in_tiny_and_huge_units(noise, unit):
    found, scatter = pc.Certificate(2, 1, standard_deviation=noise), [[100 * unit * unit]] * 2
    found.update([100, 100], [[0.0], [3 * unit]], scatter)
    assert (found.boxes[:, 0, 0] <= [-0.1 * unit, 2.9 * unit]).all()
    assert (found.boxes[:, 0, 1] >= [0.1 * unit, 3.1 * unit]).all()


def test_an_unknown_variance_is_bounded_by_the_values_of_its_own_objective():
    counts, scatter = np.array([[400, 40], [300, 30]]), np.array([[410.0, 44.0], [290.0, 33.0]])
    certificate = updated(counts, np.zeros((2, 2)), scatter, standard_deviation="unknown, equal")
    width = np.diff(certificate.boxes)[..., 0]
    grid = variance_grid(-np.log(0.1), 2)
    for c in range(2):
        unit = 1 / scale_of(grid, counts[:, c].copy(), scatter[:, c].sum())
        own = np.repeat(counts[:, [c]], 2, axis=1)
        known = updated(own, np.zeros((2, 2)), delta=0.1 * 0.95, standard_deviation=unit)
        np.testing.assert_allclose(width[:, c], np.diff(known.boxes)[:, c, 0], rtol=1e-5)


def test_a_tie_without_noise_is_a_tie():
    means = [[1.0, 5.0], [0.0, 5.0], [0.5, 5.1], [0.0, 4.0]]
    certificate = updated([400] * 4, means, standard_deviation=[1.0, 0])
    assert certificate.optimal.tolist() == [0, 2]
    assert certificate.dominated.tolist() == [1, 3]
    values = np.repeat([[5.0], [5.0], [5.1], [4.0]], 2, 1)
    np.testing.assert_array_equal(certificate.boxes[:, 1], values)
    assert updated([400] * 4, means).dominated.tolist() == [3]


def test_a_known_objective_decides_before_the_unknown_one_has_a_bound():
    deviation = [1.0, "unknown, equal"]
    means, scatter = [[9.0, 0.0], [0.0, 9.0]], np.ones((2, 2))
    certificate = updated([9, 9], means, scatter, standard_deviation=deviation)
    assert certificate.optimal.tolist() == [0]
    assert np.isinf(certificate.boxes[:, 1]).all()
    assert np.isfinite(certificate.boxes[:, 0]).all()


# Up to an accuracy


@pytest.mark.compiled
@pytest.mark.parametrize("rule", RULES)
def test_tied_arms_are_near_optimal(rule):
    certificate = updated([400] * 3, NEARLY_TIED, epsilon=0.6, rule=rule)
    assert certificate.near_optimal.tolist() == [0, 1]
    assert certificate.dominated.tolist() == [2]
    assert certificate.open.tolist() == [0, 1]
    assert certificate.is_decided
    assert not certificate.is_contradicted
    for exactly in (None, 0, [0.0, 0.0]):
        exact = updated([400] * 3, NEARLY_TIED, epsilon=exactly, rule=rule)
        assert exact.near_optimal.size == 0
        assert exact.dominated.tolist() == [2]
        assert not exact.is_decided


@pytest.mark.compiled
def test_a_near_optimal_arm_may_turn_out_to_be_optimal_or_dominated():
    means = np.array([[1.0, 0.0], [0.6, 0.3], [0.6, -0.3]])
    certificate = updated([150] * 3, means, epsilon=0.8)
    assert certificate.near_optimal.tolist() == [0, 1, 2]
    certificate.update([4000] * 3, means)
    assert certificate.optimal.tolist() == [0, 1]
    assert certificate.dominated.tolist() == [2]
    assert certificate.near_optimal.tolist() == []
    assert not certificate.is_contradicted


@pytest.mark.compiled
def test_the_accuracy_is_in_the_unit_of_the_means():
    units, counts = np.array([10.0, 0.1]), [400] * 3
    plain = updated(counts, NEARLY_TIED, epsilon=[0.6, 0.3])
    scaled = NEARLY_TIED * units
    found = updated(counts, scaled, epsilon=units * [0.6, 0.3], standard_deviation=units)
    assert_same(found, plain, unit=units[:, None])
    assert found.near_optimal.tolist() == plain.near_optimal.tolist() == [0, 1]
    squares, settings = 399 * np.tile(units**2, (3, 1)), {"standard_deviation": "unknown, equal"}
    unknown = updated(counts, scaled, squares, epsilon=units * [0.6, 0.6], **settings)
    assert unknown.near_optimal.tolist() == [0, 1]


# Refusals

SIZES = {"n_arms": 3, "n_objectives": 2}
BEST, FEASIBLE = BestArmCertificate, ConstrainedCertificate
OF_ALL = [
    ({"n_arms": 1}, "n_arms = 1"),
    ({"delta": 0.0}, "delta = 0.0"),
    ({"standard_deviation": 0.0}, "standard_deviation = 0.0"),
]
NO_MIXTURES = [
    ({"standard_deviation": each}, "standard_dev") for each in ([1, 0], [1, "unknown, equal"])
]
DEVIATIONS = [
    (1e-200, "= 1e-200"),
    (1e200, r"= 1e\+200"),
    ([1.0, 2.0, 3.0], "= "),
    ([[1.0, 1.0]] * 2 + [[1.0, 0.0]], "= "),
    ("unkown", "= 'unkown'"),
    ([0, 0], "= .* expected noise in at least one objective"),
    ([1.0, "high"], "= 'high'; expected numbers, or one of unknown"),
    ([1.0, 0, 0], "= .* expected"),
]


@pytest.mark.parametrize(
    ("make", "settings", "message"),
    [
        *((make, *each) for make in (Certificate, BEST) for each in OF_ALL),
        *((FEASIBLE, each[0] | {"polyhedron": REGION}, each[1]) for each in OF_ALL),
        (Certificate, {"n_objectives": 0}, "n_objectives = 0"),
        (Certificate, {"n_arms": 10**6, "n_objectives": 100}, "n_arms = 1000000, n_objectives = 1"),
        (Certificate, {"rule": "pair"}, "rule = 'pair'"),
        (Certificate, {"rule": "joint_subsets", "epsilon": 0.1}, "epsilon = 0.1 with rule"),
        (FEASIBLE, {"rule": "both", "polyhedron": REGION}, "rule = 'both'"),
        (FEASIBLE, {"polyhedron": None}, "polyhedron = None; expected a Polyhedron"),
        (FEASIBLE, {"polyhedron": pc.orthant([0.0])}, "polyhedron has 1 objectives; expected 2"),
        *(
            (Certificate, {"standard_deviation": value}, f"standard_deviation {words}")
            for value, words in DEVIATIONS
        ),
        *(
            (Certificate, {"epsilon": value}, "epsilon = ")
            for value in (-1.0, [1.0, 1.0, 1.0], "much", {"a": 1.0, "b": 1.0})
        ),
        *((BEST, *each) for each in NO_MIXTURES),
        *((FEASIBLE, each[0] | {"polyhedron": REGION}, each[1]) for each in NO_MIXTURES),
    ],
)
def test_invalid_settings_are_refused(make, settings, message):
    with pytest.raises(ValueError, match=f"(?s)^{message}") as error:
        make(**(SIZES | settings))
    assert "expected" in str(error.value)


COUNTS = [5, 5, 5]


@pytest.mark.parametrize(
    ("counts", "means", "scatter", "message"),
    [
        ([5, 5], THREE, None, r"counts = \[5, 5\]; expected 3 whole numbers.*shape \(3, 2\)"),
        ([[5] * 3] * 3, THREE, None, "counts = "),
        ([5, 5, -1], THREE, None, r"counts = \[5, 5, -1\]"),
        ([[5, 5], [5, 5], [5, -1]], THREE, None, "counts = "),
        ([5, 5, 1.5], THREE, None, r"counts = \[5, 5, 1.5\]"),
        ([5, 5, 1e300], THREE, None, "counts = .*up to 9007199254740992"),
        ([4, 5, 5], THREE, None, r"counts = \[4, 5, 5\]; expected no fewer than before"),
        ([[5, 5], [6, 3], [5, 5]], THREE, None, "expected no fewer than before"),
        (COUNTS, THREE[:2], None, r"means has shape \(2, 2\); expected \(3, 2\)"),
        (COUNTS, [[1.0, 0.0], [np.nan, 1.0], [0.0, 0.0]], None, r"means\[1, 0\] = nan"),
        (COUNTS, THREE, None, "scatter = None; expected sums of squares"),
        (COUNTS, THREE, [1.0, 2.0], r"scatter has shape \(2,\)"),
        (COUNTS, THREE, -np.ones((3, 2)), "(?s)scatter = .*expected non-negative numbers"),
    ],
)
def test_invalid_data_are_refused_and_change_nothing(counts, means, scatter, message):
    certificate = Certificate(3, 2, standard_deviation="unknown, equal")
    certificate.update(COUNTS, THREE, np.ones((3, 2)))
    with pytest.raises(ValueError, match=message):
        certificate.update(counts, means, scatter)
    certificate.update(COUNTS, THREE, np.ones((3, 2)))


def test_a_mean_without_noise_that_changes_is_refused():
    certificate = Certificate(3, 2, standard_deviation=[1.0, 0])
    certificate.update([1, 1, 0], [[0.0, 1.0], [0.0, 2.0], [0.0, np.nan]])
    with pytest.raises(ValueError, match="expected the same values as before"):
        certificate.update([2, 2, 1], [[0.0, 1.0], [0.0, 2.1], [0.0, 3.0]])
    certificate.update([2, 2, 1], [[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]])
