"""Checks of input that several public functions share."""

import decimal
import difflib
import numbers
import os

import numpy as np

LARGEST_COUNT = 2**62
LARGEST_COUNTS = 2**53  # of numbers that are read as floats; larger ones are not all represented
LARGEST = 1e150  # magnitude of a mean or a parameter: squares, and their sums, are finite
UNUSUAL = 2.0**64  # larger weights, and weights below its inverse, are scaled
SMALLEST_RISK = 1e-300  # 1 / delta, times the number of means, is finite
SMALLEST_TOLERANCE = 1e-12  # relative accuracy of a result in float64
LONGEST_QUOTE = 400  # characters of a value that a message repeats


def shown(value):
    """Quote a value for a message: its representation, truncated if it is long."""
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        text = f"{type(value).__name__} with thousands of digits"
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}..."


def counted(number, noun):
    """Return a number and its noun, such as "1 run" and "2 runs"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def check_means(means, name="means", at_least=2):
    """Return ``means`` as a float64 array of shape (K, d), K >= ``at_least``, d >= 1."""
    return check_magnitude(_check_shape(means, name, at_least), name)


def check_matrix(means, name, at_least=2):
    """Return ``means`` as `check_means` does, without a limit on their magnitude."""
    return _require_finite(_check_shape(means, name, at_least), name)


def _check_shape(means, name, at_least):
    array = check_array(means, name)
    if array.ndim != 2 or array.shape[0] < at_least or array.shape[1] < 1:
        raise ValueError(
            f"{name} has shape {array.shape}; expected (K, d) with K >= {at_least} arms "
            "(rows) and d >= 1 objectives (columns)"
        )
    return array


def check_weights(weights, n_arms, name="weights"):
    """Return ``weights`` as a float64 array of shape (K,), non-negative, not all zero."""
    array = check_array(weights, name)
    refuse_other_index(weights, name)
    if array.shape != (n_arms,):
        raise ValueError(
            f"{name} has shape {array.shape}; expected ({n_arms},), one weight per arm"
        )
    least, largest = array[array.argmin()], array[array.argmax()]
    if least >= 0 and 0 < largest < np.inf:
        return array
    _require_finite(array, name)
    if least < 0:
        arm = int(array.argmin())
        raise ValueError(f"{name}[{arm}] = {array[arm]}; expected non-negative weights")
    raise ValueError(f"{name} are all zero; expected at least one positive weight")


def check_separate_weights(weights, shape):
    """Return the weights of each arm and objective: non-negative, not all zero."""
    array = check_array(weights, "weights")
    if array.shape != shape:
        raise ValueError(
            f"weights has shape {array.shape}; expected ({shape[0]},), one weight per arm, or "
            f"{shape}, one per arm and objective"
        )
    if not ((array >= 0) & np.isfinite(array)).all() or not array.any():
        raise ValueError(
            f"weights = {shown(weights)}; expected finite numbers of at least 0, and one above 0"
        )
    return np.ascontiguousarray(array)


def unit_weights(weights):
    """Divide very large or small weights by a power of two; return them and the exponent."""
    largest = weights[weights.argmax()]
    if 1 / UNUSUAL <= largest <= UNUSUAL:
        return weights, 0
    _, exponent = np.frexp(largest)
    return np.ldexp(weights, -exponent), exponent


def check_probability(value, name):
    """Return ``value`` as a float strictly between 0 and 1."""
    number = check_number(value, name)
    if not 0 < number < 1:
        raise ValueError(f"{name} = {shown(value)}; expected a number strictly between 0 and 1")
    if number < SMALLEST_RISK:
        raise ValueError(f"{name} = {shown(value)}; expected at least {SMALLEST_RISK}")
    return number


def check_number(value, name):
    """Return ``value``, an integer or float of Python or NumPy, as a float up to `LARGEST`."""
    kinds = (int, float, np.integer, np.floating)
    if isinstance(value, bool) or not isinstance(value, kinds) or value != value:
        raise ValueError(f"{name} = {shown(value)}; expected a finite number, int or float")
    number = value.item() if isinstance(value, np.generic) else value  # float32 has no 1e150
    if not -LARGEST <= number <= LARGEST:
        raise ValueError(
            f"{name} = {shown(value)}; expected a finite number, of magnitude {LARGEST} at most"
        )
    return float(number)


def check_positive(value, name):
    """Return ``value`` as a finite float above 0."""
    number = check_number(value, name)
    if number <= 0:
        raise ValueError(f"{name} = {shown(value)}; expected a number above 0")
    return number


def check_costs(costs, n_arms=None):
    """Return the costs of a sample of each arm as an array: finite numbers above 0, shape (K,)."""
    array = check_array(costs, "costs")
    size = max(array.size, 1) if n_arms is None else n_arms
    refuse_other_index(costs, "costs")
    if array.shape != (size,) or not ((array > 0) & np.isfinite(array)).all():
        number = "" if n_arms is None else f"{n_arms} "
        raise ValueError(f"costs = {shown(costs)}; expected {number}finite numbers above 0")
    return array


def check_separate_costs(costs, shape=None):
    """Return the costs of a measurement of each arm and objective: finite numbers above 0."""
    array = check_array(costs, "costs")
    if shape is None:  # otherwise the caller knows the names of the arms
        refuse_other_index(costs, "costs")
    fits = array.ndim in (1, 2) if shape is None else array.shape in (shape, shape[1:])
    if not fits or array.size == 0 or not ((array > 0) & np.isfinite(array)).all():
        sizes = "one per objective, or an array of shape " + (
            "(K, d)" if shape is None else f"{shape}"
        )
        raise ValueError(f"costs = {shown(costs)}; expected finite numbers above 0, {sizes}")
    return array if shape is None else np.array(np.broadcast_to(array, shape))


def check_counts(values, name, at_least=0):
    """Return whole numbers of samples, from ``at_least`` to `LARGEST_COUNTS`, as an array."""
    array = check_array(values, name)
    fits = (array >= at_least) & (array <= LARGEST_COUNTS) & (array % 1 == 0)
    if array.size == 0 or not fits.all():
        raise ValueError(
            f"{name} = {shown(values)}; expected whole numbers from {at_least} to {LARGEST_COUNTS}"
        )
    return array.astype(np.int64)


def check_non_negative(value, name):
    """Return ``value`` as a finite float, at least 0."""
    number = check_number(value, name)
    if number < 0:
        raise ValueError(f"{name} = {shown(value)}; expected a number, at least 0")
    return number


def check_count(value, name, at_least=1, at_most=LARGEST_COUNT):
    """Return ``value`` as an int from ``at_least`` to ``at_most``: 64 bits, by default."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < at_least:
        raise ValueError(f"{name} = {shown(value)}; expected an integer, at least {at_least}")
    if value > at_most:
        raise ValueError(f"{name} = {shown(value)}; expected at most {at_most}")
    return int(value)


def check_size(n_arms, n_objectives, at_most, fewest_arms=2):
    """Check the numbers of arms and objectives, and that their product is at most ``at_most``."""
    check_count(n_arms, "n_arms", fewest_arms)
    check_count(n_objectives, "n_objectives")
    if n_arms * n_objectives > at_most:
        raise ValueError(
            f"n_arms = {n_arms}, n_objectives = {n_objectives}; expected at most {at_most} means"
        )


def check_tolerance(value, name):
    """Return ``value``, a relative accuracy, as a float of at least `SMALLEST_TOLERANCE`."""
    number = check_positive(value, name)
    if number < SMALLEST_TOLERANCE:
        raise ValueError(f"{name} = {shown(value)}; expected at least {SMALLEST_TOLERANCE}")
    return number


def check_path(value, name):
    """Return ``value``, the name of a file or folder, as a string."""
    try:
        path = os.fspath(value)
    except TypeError as error:
        raise ValueError(f"{name} = {shown(value)}; expected a str or a path") from error
    return os.fsdecode(path)


def check_generator(rng):
    """Return ``rng`` if it is a random generator of NumPy."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng = {shown(rng)}; expected a numpy.random.Generator, such as "
            "numpy.random.default_rng(0)"
        )
    return rng


def check_choice(value, name, choices, others=""):
    """Return ``value`` if it is a choice, or suggest the nearest; ``others`` names what else is."""
    if not isinstance(value, str) or value not in choices:
        known = sorted(choices)
        plain = {choice.lower(): choice for choice in known}
        near = difflib.get_close_matches(shown(value).strip("'").lower(), plain, n=1, cutoff=0.5)
        hint = f" (did you mean {plain[near[0]]!r}?)" if near else ""
        words = ", ".join(f"{each!r}" if "," in each else each for each in known)
        raise ValueError(f"{name} = {shown(value)}; expected {others}one of {words}{hint}")
    return value


def check_flag(value, name):
    """Return ``value`` if it is a bool."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} = {shown(value)}; expected True or False")
    return value


def check_array(values, name):
    """Return ``values`` as a new float64 array of any shape."""
    try:
        if _hides_entries(values):
            raise TypeError("masked")
        array = np.asarray(values)
        if not _may_be_real(array):
            raise TypeError("not real")
        return np.array(array, dtype=np.float64, order="C")
    except (OverflowError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"{name} = {shown(values)}; expected real numbers") from error


def _hides_entries(values):
    """Whether there is a masked array, or a list with one, whose mask NumPy would ignore."""
    if isinstance(values, list | tuple):
        return any(_hides_entries(each) for each in values)
    return np.ma.is_masked(values)


def _may_be_real(array):
    """Whether the type of an array, or of each of its entries, is a type of real numbers."""
    if array.dtype.kind == "O":
        kinds = (numbers.Real, decimal.Decimal, np.bool_, type(None))
        return all(
            isinstance(entry, kinds) and not isinstance(entry, np.timedelta64)
            for entry in array.flat
        )
    return array.dtype.kind in "biuf"


def index_of(values, axis="index"):
    """Index or columns of a pandas series or data frame as a list; None for other objects."""
    index = getattr(values, axis, None)
    return None if index is None or callable(index) else list(index)


def refuse_other_index(values, name):
    """Refuse pandas data whose index, which NumPy would ignore, is not 0, 1, 2, ... in order."""
    index = index_of(values)
    if index is not None and index != list(range(len(index))):
        raise ValueError(
            f"{name} = {shown(values)}; expected the index 0, 1, 2, ... in this order, or the "
            "values alone, such as series.to_numpy()"
        )


def check_magnitude(array, name):
    """Return the array if it is finite and no entry exceeds `LARGEST`."""
    if _has_plain_square(array):
        return array
    _require_finite(array, name)
    if np.abs(array).max(initial=0.0) > LARGEST:
        where, index = _first(np.abs(array) > LARGEST)
        raise ValueError(
            f"{name}[{index}] = {array[where]}; expected numbers of magnitude {LARGEST} at most"
        )
    return array


def plain(value):
    """Convert an array or a number of NumPy to a type that JSON can write."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise ValueError(f"{value!r} can't be kept in a file; expected numbers, strings or lists")


def _has_plain_square(array):
    """Whether one quick pass shows that all entries are finite and at most `LARGEST`."""
    return np.vdot(array, array) <= LARGEST**2


def _require_finite(array, name):
    if _has_plain_square(array):
        return array
    if not np.isfinite(array).all():
        where, index = _first(~np.isfinite(array))
        raise ValueError(f"{name}[{index}] = {array[where]}; expected finite numbers")
    return array


def _first(marked):
    """Index of the first marked entry, and its text for a message."""
    where = tuple(int(i) for i in np.argwhere(marked)[0])
    return where, ", ".join(str(i) for i in where)
