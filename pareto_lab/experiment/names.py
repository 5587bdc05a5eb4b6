"""Names of arms and objectives, and values that are given by name."""

import difflib
import textwrap
from collections.abc import Iterable, Mapping, Set

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import refuse_other_index, shown

Values = ArrayLike | Mapping[str, float]  # in the order of the names, or by name

LONGEST = 100  # characters of a name
LONGEST_ALGORITHM = 150  # characters of an algorithm that is shortened
LONGEST_REASON = 1000  # characters of a reason that is kept
MOST_LISTED = 10  # names in a message
MOST_COMPARED = 1000  # names, in the search for the nearest one


def check_names(given, name):
    """Return the names as a tuple of str."""
    ordered = isinstance(given, Iterable) and not isinstance(given, str | bytes | Set)
    names = tuple(given) if ordered else ()
    if not names or not all(isinstance(each, str) for each in names):
        raise ValueError(f"{name} = {shown(given)}; expected a sequence of names, each a str")
    names = tuple(map(str, names))  # NumPy strings become plain ones
    for each in names:
        if not 0 < len(each) <= LONGEST or not each.isprintable() or each != each.strip():
            raise ValueError(
                f"{name} has the name {shown(each)}; expected 1 to {LONGEST} printable "
                "characters without white space at either end"
            )
    if len(set(names)) < len(names):
        twice = next(each for each in names if names.count(each) > 1)
        raise ValueError(f"{name} has the name {twice!r} twice; expected distinct names")
    return names


def listed(names):
    """Names for a message, shortened to a line."""
    text = ", ".join(map(str, names[:MOST_LISTED]))
    return text if len(names) <= MOST_LISTED else f"{text}, ... ({len(names)} in all)"


def named_objective(name):
    """Name an objective in a sentence."""
    return name if isinstance(name, str) else f"objective {name}"


def unknown(given, names):
    """The expected names in place of an unknown one, with the nearest one as a hint."""
    lower = {str(each).lower(): each for each in names[:MOST_COMPARED]}
    near = difflib.get_close_matches(str(given)[:LONGEST].lower(), lower, n=1)
    hint = f" (did you mean {lower[near[0]]!r}?)" if near else ""
    return f"expected one of {listed(names)}{hint}"


def algorithm_in_words(algorithm):
    """An algorithm as it is written, with plain numbers: 0.1 for np.float64(0.1)."""
    with np.printoptions(legacy="1.25"):
        return repr(algorithm)


def shortened(algorithm):
    """An algorithm in words, in little more than a line."""
    return textwrap.shorten(algorithm_in_words(algorithm), LONGEST_ALGORITHM)


def apart_from(taken, name):
    """A name of ours for a column, with underscores if it is among the names that are taken."""
    while name in taken:
        name += "_"
    return name


def drawn(name):
    r"""A name as Matplotlib has to be given it: ``$`` begins mathematics, and ``\$`` does not."""
    return str(name).replace("$", r"\$")


def is_named(names):
    """Whether these are names rather than numbers."""
    return isinstance(names[0], str)


def in_order(values, names, name):
    """Return values that are given by name in the order of the names, and others as they are."""
    if isinstance(values, pd.Series) and not is_named(names):
        refuse_other_index(values, name)
    elif isinstance(values, pd.Series):
        if values.index.has_duplicates:
            raise ValueError(f"{name} = {shown(values)}; expected one value for each name")
        values = values.to_dict()
    if not isinstance(values, Mapping):
        return values
    for each in values:
        if each not in names:
            raise ValueError(f"{name} has a value for {shown(each)}; {unknown(each, names)}")
    for each in names:
        if each not in values:
            raise ValueError(
                f"{name} has no value for {each!r}; expected one for each of {listed(names)}"
            )
    return [values[each] for each in names]


def refuse_other_rows(values, names, name):
    """Refuse a data frame whose rows are neither the names in their order nor numbered."""
    if not isinstance(values, pd.DataFrame):
        return
    rows = list(values.index)
    if rows not in (list(names), list(range(len(names)))):
        raise ValueError(
            f"{name} = {shown(values)} has the rows or columns {listed(rows)}; expected "
            f"{listed(names)}, in this order"
        )


def refuse_flags(values, name, given):
    """Refuse True and False among numbers."""
    if any(isinstance(each, bool | np.bool_) for each in np.asarray(values, dtype=object).flat):
        raise ValueError(f"{name} = {shown(given)}; expected numbers, not True or False")
