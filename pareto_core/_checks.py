"""Checks of input that several public functions share."""

import difflib
import numbers

import numpy as np

LARGEST_COUNT = 2**62


def check_means(means, name="means", at_least=2):
    """Return ``means`` as a finite float64 array of shape (K, d), K >= ``at_least``, d >= 1.

    Raises
    ------
    ValueError
        If the shape is another one, or an entry is NaN or infinite.
    """
    array = check_array(means, name)
    if array.ndim != 2 or array.shape[0] < at_least or array.shape[1] < 1:
        raise ValueError(
            f"{name} has shape {array.shape}; expected (K, d) with K >= {at_least} arms "
            "(rows) and d >= 1 objectives (columns)"
        )
    return _require_finite(array, name)


def check_weights(weights, n_arms, name="weights"):
    """Return ``weights`` as a float64 array of shape (K,), non-negative, not all zero.

    Raises
    ------
    ValueError
        If the shape is not (n_arms,), an entry is negative, NaN or infinite, or
        all are zero.
    """
    array = check_array(weights, name)
    if array.shape != (n_arms,):
        raise ValueError(
            f"{name} has shape {array.shape}; expected ({n_arms},), one weight per arm"
        )
    _require_finite(array, name)
    if array.min() < 0:
        arm = int(array.argmin())
        raise ValueError(f"{name}[{arm}] = {array[arm]}; expected non-negative weights")
    if array.max() == 0:
        raise ValueError(f"{name} are all zero; expected at least one positive weight")
    return array


def check_probability(value, name):
    """Return ``value`` as a float strictly between 0 and 1."""
    number = check_number(value, name)
    if not 0 < number < 1:
        raise ValueError(f"{name} = {value!r}; expected a number strictly between 0 and 1")
    return number


def check_number(value, name):
    """Return ``value`` as a finite float."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not np.isfinite(value):
        raise ValueError(f"{name} = {value!r}; expected a finite number")
    return float(value)


def check_positive(value, name):
    """Return ``value`` as a finite float above 0."""
    number = check_number(value, name)
    if number <= 0:
        raise ValueError(f"{name} = {value!r}; expected a number above 0")
    return number


def check_non_negative(value, name):
    """Return ``value`` as a finite float, at least 0."""
    number = check_number(value, name)
    if number < 0:
        raise ValueError(f"{name} = {value!r}; expected a number, at least 0")
    return number


def check_count(value, name, at_least=1):
    """Return ``value`` as an int that is at least ``at_least`` and fits in 64 bits."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < at_least:
        raise ValueError(f"{name} = {value!r}; expected an integer, at least {at_least}")
    if value > LARGEST_COUNT:
        raise ValueError(f"{name} = {value!r}; expected at most {LARGEST_COUNT}")
    return int(value)


def check_choice(value, name, choices):
    """Return ``value`` if it is one of ``choices``; else name the nearest one.

    Raises
    ------
    ValueError
        If ``value`` is not among ``choices``.
    """
    known = sorted(choices)
    if not isinstance(value, str) or value not in known:
        near = difflib.get_close_matches(str(value), known, n=1, cutoff=0.4)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"{name} = {value!r}; expected one of {', '.join(known)}{hint}")
    return value


def check_array(values, name):
    """Return ``values`` as a new float64 array, of whatever shape.

    Raises
    ------
    ValueError
        If they are not real numbers.
    """
    try:
        array = np.asarray(values)
        if np.iscomplexobj(array):
            raise TypeError("complex")
        return np.array(array, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} = {values!r}; expected real numbers") from error


def plain(value):
    """Return what JSON has no word for as what it has: arrays and numbers of NumPy.

    Raises
    ------
    ValueError
        If the value is none of these.
    """
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise ValueError(f"{value!r} can't be kept in a file; expected numbers, strings or lists")


def _require_finite(array, name):
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        index = ", ".join(str(i) for i in where)
        raise ValueError(f"{name}[{index}] = {array[where]}; expected finite numbers")
    return array
