"""Intervals that contain all means at all times together, and data in units of the noise."""

import numpy as np

from pareto_core.checks.arguments import (
    LARGEST_COUNTS,
    check_array,
    check_choice,
    check_magnitude,
    check_probability,
    check_size,
    shown,
)
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.comparisons import Data, make_comparisons, write_intervals
from pareto_core.confidence.mixtures import log_factor
from pareto_core.confidence.noise_kinds import (
    DETERMINISTIC,
    EQUAL,
    KNOWN,
    UNKNOWN,
    UNKNOWNS,
    are_of_kind,
    check_unknown_kinds,
    kinds_of_noise,
)
from pareto_core.confidence.proven_rules import PAIRS, make_rule
from pareto_core.confidence.statement_evidence import log_sum
from pareto_core.confidence.unknown_variance import (
    VARIANCE_SHARE,
    beyond_rounding,
    scale_of,
    variance_grid,
)

BOX_MASS = 0.9
LARGEST = 10**7
SMALLEST_DEVIATION, LARGEST_DEVIATION = 1e-70, 1e70  # squares of ratios are finite


class Boxes:
    """Intervals that contain the means, and the data as the rules need them.

    The intervals, ``ends`` of shape (K, d, 2), use a ``share`` of ``delta``, in (0, 1]. ``unit`` is
    the unit of the means that the last `update` returned, and ``log_needed`` is ln(1/delta), with
    delta reduced by the share of an unknown variance. If unknown variances may differ between the
    arms, ``comparisons`` is not None, and the data are those of `comparisons`.
    """

    def __init__(
        self,
        n_arms,
        n_objectives,
        delta,
        share,
        standard_deviation,
        allows_mixed_noise=False,
        subsets=False,
    ):
        check_size(n_arms, n_objectives, LARGEST)
        self.log_needed = -np.log(check_probability(delta, "delta"))
        self._shape = (n_arms, n_objectives)
        kinds, self._unit, self._precision = _noise(
            standard_deviation, self._shape, allows_mixed_noise
        )
        self._unknown = are_of_kind(kinds, EQUAL)
        is_exact = are_of_kind(kinds, DETERMINISTIC)  # NaN until the first value
        self.comparisons = None
        if UNKNOWN in kinds:
            known = np.where(is_exact, 0.0, self._unit)
            known[are_of_kind(kinds, UNKNOWN)] = np.nan
            self.comparisons = make_comparisons(self.log_needed, share, known, n_arms, subsets)
        self._exact = np.where(is_exact, np.nan, np.inf) * np.ones(self._shape)
        self._grid = variance_grid(self.log_needed, max(1, self._unknown.sum()))
        if self._unknown.any():
            self.log_needed -= np.log1p(-VARIANCE_SHARE)
        self._rule = make_rule(PAIRS, self.log_needed, n_arms)  # only its scales are used
        self._log_box = self.log_needed + np.log(2 * n_arms * n_objectives / share)
        self._counts = np.zeros(self._shape, np.int64)
        self.ends = np.full((*self._shape, 2), [-np.inf, np.inf])
        self.unit = None

    @property
    def are_empty(self):
        """Whether an interval is empty."""
        return bool((self.ends[..., 0] > self.ends[..., 1]).any())

    def update(self, counts, means, scatter=None):
        """Check data and narrow intervals.

        Return information and means, or `Data`, or None as long as no variance has a bound.
        """
        counts = self._checked_counts(counts)
        means = _checked(means, "means", self._shape)
        means = check_magnitude(np.where(counts > 0, means, 0.0), "means")
        squares = self._checked_scatter(counts, scatter)
        self._note_exact(counts, means)
        self._counts = counts
        if self.comparisons is not None:
            data, widths = Data(counts, means, squares), np.empty(self._shape)
            write_intervals(self.comparisons, data, widths)
            self._narrow(means, widths)
            return data
        self.unit = unit = self._unit_of(counts, means, squares)
        if unit is None:
            return None
        information = np.multiply(
            counts, self._precision, out=np.zeros(self._shape), where=counts > 0
        )
        self._intersect(information, means, unit)
        return information, means / unit

    def _checked_counts(self, counts):
        """Values of each arm and objective, shape (K, d)."""
        given = check_array(counts, "counts")
        whole = (given >= 0) & (given <= LARGEST_COUNTS) & (given == np.floor(given))
        if given.shape not in (self._shape[:1], self._shape) or not whole.all():
            raise ValueError(
                f"counts = {shown(counts)}; expected {self._shape[0]} whole numbers, up to "
                f"{LARGEST_COUNTS}, or an array of them of shape {self._shape}"
            )
        own = given[:, None] if given.ndim == 1 else given
        if (own < self._counts).any():
            before = self._counts[:, 0] if given.ndim == 1 else self._counts
            raise ValueError(f"counts = {shown(counts)}; expected no fewer than before: {before}")
        return np.ascontiguousarray(np.broadcast_to(own, self._shape), np.int64)

    def _checked_scatter(self, counts, scatter):
        """Sums of squares, or None if no variance is unknown."""
        if self.comparisons is None and not self._unknown.any():
            return None
        if scatter is None:
            raise ValueError(
                "scatter = None; expected sums of squares, because the variance is unknown"
            )
        squares = np.where(counts > 0, _checked(scatter, "scatter", self._shape), 0.0)
        if not (squares >= 0).all():
            raise ValueError(f"scatter = {shown(scatter)}; expected non-negative numbers")
        return squares

    def _unit_of(self, counts, means, squares):
        """Upper bounds on the standard deviations, infinite if unknown; None if all are."""
        if squares is None:
            return self._unit
        unit, totals = self._unit.copy(), squares.sum(axis=0)
        for c in np.flatnonzero(self._unknown):
            own, averages = counts[:, c].copy(), means[:, c].copy()
            total = beyond_rounding(own, averages, float(totals[c]))
            scale = scale_of(self._grid, own, total)
            unit[c] = 1 / scale if scale else np.inf
        return None if np.isinf(unit).all() else unit

    def _note_exact(self, counts, means):
        """Note the means of objectives without noise; refuse values that differ from earlier."""
        known = np.isfinite(self._exact) & (counts > 0)
        if (known & (means != self._exact)).any():
            raise ValueError(
                f"means = {shown(means.tolist())}; expected the same values as before in an "
                "objective whose standard deviation is 0"
            )
        self._exact = np.where(np.isnan(self._exact) & (counts > 0), means, self._exact)

    def _intersect(self, information, means, unit):
        """Intersect the intervals with those of the data."""
        widths = np.empty(self._shape)
        _write_half_widths(self._rule, information, self._log_box, widths)
        self._narrow(means, unit * widths)

    def _narrow(self, means, widths):
        """Intersect the intervals with those about these means."""
        low, high = self.ends[..., 0], self.ends[..., 1]
        np.maximum(low, means - widths, out=low)
        np.minimum(high, means + widths, out=high)


def _checked(values, name, shape):
    """Array of this shape; refuse any other."""
    array = check_array(values, name)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}; expected {shape}")
    return array


def _noise(standard_deviation, shape, allows_mixed_noise):
    """Kind and unit of each objective, and the precision of a sample of each arm in these units."""
    name = "standard_deviation"
    if isinstance(standard_deviation, str):
        check_choice(standard_deviation, name, UNKNOWNS, "numbers, or ")
        return (standard_deviation,) * shape[1], np.ones(shape[1]), np.ones(shape)
    if allows_mixed_noise and _is_mixed(standard_deviation, shape[1]):
        return _mixed_noise(standard_deviation, shape)
    given = check_array(standard_deviation, name)
    in_range = (given >= SMALLEST_DEVIATION) & (given <= LARGEST_DEVIATION)
    if given.shape not in ((), shape[1:], shape) or not in_range.all():
        raise ValueError(
            f"{name} = {shown(standard_deviation)}; expected {UNKNOWN!r}, {EQUAL!r}, or a number "
            f"from {SMALLEST_DEVIATION} to {LARGEST_DEVIATION}, {shape[1]} of them, or an array of "
            f"shape {shape}"
        )
    each = np.broadcast_to(given, shape)
    unit = np.sqrt((each**2).mean(axis=0))
    return (KNOWN,) * shape[1], unit, (unit / each) ** 2


def _is_mixed(standard_deviation, n_objectives):
    """Whether there is one entry per objective, and some are texts or 0."""
    given = np.array(standard_deviation, dtype=object)
    return given.shape == (n_objectives,) and any(
        isinstance(each, str) or each == 0 for each in given
    )


def _mixed_noise(standard_deviation, shape):
    """`_noise` of an entry per objective: a kind of unknown noise, 0 or a standard deviation."""
    name, kinds = "standard_deviation", kinds_of_noise(standard_deviation)
    for each in standard_deviation:
        if isinstance(each, str):
            check_choice(each, name, UNKNOWNS, "numbers, or ")
        elif each != 0:
            _noise(each, shape, False)
    check_unknown_kinds(kinds, standard_deviation)
    if set(kinds) == {DETERMINISTIC}:
        raise ValueError(
            f"{name} = {shown(standard_deviation)}; expected noise in at least one objective"
        )
    unit = np.array(
        [
            float(each) if kind == KNOWN else 1.0
            for each, kind in zip(standard_deviation, kinds, strict=True)
        ]
    )
    precision = np.where(are_of_kind(kinds, DETERMINISTIC), np.inf, 1.0)
    return kinds, unit, np.ones(shape) * precision


@kernel
def half_width(rule, information, log_needed):
    """Distance from the empirical mean at which there is enough evidence against a mean."""
    low, high = 0.0, 1.0
    while _box_evidence(rule, information, high) < log_needed:
        low, high = high, 2.0 * high
    while high - low > 1e-6 * high:
        middle = 0.5 * (low + high)
        if _box_evidence(rule, information, middle) < log_needed:
            low = middle
        else:
            high = middle
    return high


@kernel
def _write_half_widths(rule, information, log_needed, widths):
    """Write the half-widths of the intervals: infinite without samples, and 0 without noise."""
    for k in range(widths.shape[0]):
        for c in range(widths.shape[1]):
            widths[k, c] = np.inf
            if c > 0 and information[k, c] == information[k, c - 1]:
                widths[k, c] = widths[k, c - 1]
            elif information[k, c] == np.inf:
                widths[k, c] = 0.0
            elif information[k, c] > 0.0:
                widths[k, c] = half_width(rule, information[k, c], log_needed)


@kernel
def _box_evidence(rule, information, deviation):
    """Evidence against a mean at this distance from the empirical mean, in nats."""
    total = -np.inf
    for s in range(rule.scales.shape[0]):
        level, _ = log_factor(information, deviation, rule.scales[s], BOX_MASS)
        total = log_sum(total, rule.log_weights[s] + level)
    return total
