"""Tables of rewards: data frames, mappings of columns, and CSV files."""

import os
import re
from collections.abc import Iterable, Mapping

import pandas as pd

from pareto_core.checks.arguments import check_path, shown
from pareto_lab.experiment.design import COLUMN_OF_ARMS
from pareto_lab.experiment.names import is_named, listed, unknown
from pareto_lab.experiment.samples import Row, check_identifier

Rewards = pd.DataFrame | Mapping | str | os.PathLike  # columns, or the path of a CSV file
URL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")


def read_rows(frame, design, identifier=None):
    """Rows of a table, all of them checked.

    Parameters
    ----------
    frame : pandas.DataFrame, mapping of columns, or path-like
        See `Session.tell_all`.
    design : ExperimentDesign
    identifier : str or None
        Name of the column of sample identifiers.

    Returns
    -------
    list of Row

    Raises
    ------
    ValueError
        If there are no rows, a column is missing or there twice, or what a row says is no arm, no
        reward or no identifier. The message names the row; the first is row 1.
    OSError
        If there is no such file.
    """
    needed = _needed_columns(design, identifier)
    is_path = isinstance(frame, str | os.PathLike)
    table = _read_csv(frame, design) if is_path else _as_table(frame, needed)
    source = f" of {os.fspath(frame)}" if is_path else ""
    _check_columns(table, needed, source)
    columns = [table[name].tolist() for name in needed]
    return [
        _row(f"row {number}{source}", values, design)
        for number, values in enumerate(zip(*columns, strict=True), start=1)
    ]


def _needed_columns(design, identifier):
    """Names of the columns that are read: the arm, the objectives, and the identifier if any."""
    needed = [COLUMN_OF_ARMS, *map(str, design.objectives)]
    if identifier is None:
        return needed
    if not isinstance(identifier, str) or identifier in needed:
        raise ValueError(
            f"id = {shown(identifier)}; expected the name of the column of sample identifiers, "
            f"other than {listed(needed)}"
        )
    return [*needed, identifier]


def _row(where, values, design):
    """What a row says: its arm, rewards, and its identifier if there is a column of them."""
    arm, *rest = values
    number = design.find(arm)
    if number is None:
        raise ValueError(f"{where}: arm = {shown(arm)}; {unknown(arm, design.arms)}")
    reward = design.check_reward(rest[: design.n_objectives], f"{where}: reward")
    identifiers = rest[design.n_objectives :]
    identifier = check_identifier(*identifiers, f"{where}: id") if identifiers else None
    return Row(where, number, reward, identifier)


def _as_table(frame, needed):
    """A data frame whose columns have names that are strings."""
    if not isinstance(frame, pd.DataFrame | Mapping):
        raise ValueError(
            f"frame = {shown(frame)}; expected a DataFrame, a mapping of columns, or the path of "
            "a CSV file"
        )
    if isinstance(frame, Mapping):
        _refuse_unaligned(frame, needed)
    try:
        table = pd.DataFrame(frame)
    except (TypeError, ValueError) as error:
        raise ValueError(f"frame = {shown(frame)} is no table: {error}") from error
    return table.set_axis([str(name) for name in table.columns], axis=1)


def _refuse_unaligned(columns, needed):
    """Refuse columns that pandas would repeat, or sort by an index of their own."""
    read = {name: each for name, each in columns.items() if str(name) in needed}
    for name, each in read.items():
        is_one = isinstance(each, str) or not isinstance(each, Iterable)
        if is_one or getattr(each, "ndim", 1) == 0:
            raise ValueError(f"frame has {shown(each)} as {name!r}; expected a value for each row")
    indices = [list(each.index) for each in read.values() if isinstance(each, pd.Series)]
    if any(index != indices[0] for index in indices):
        raise ValueError(
            "frame has series of different indices; expected one index, or the values alone, such "
            "as series.to_numpy()"
        )


def _read_csv(path, design):
    """A CSV file as a table, with numbers where there are such; its first row has the names."""
    path = check_path(path, "frame")
    if URL.match(path):
        raise ValueError(
            f"frame = {shown(path)}; expected the path of a CSV file on this machine: sessions "
            "download nothing"
        )
    try:
        cells = pd.read_csv(
            path, header=None, dtype=str, keep_default_na=False, encoding="utf-8-sig"
        )
    except ValueError as error:
        raise ValueError(f"{path} is no table of comma-separated values: {error}") from error
    table = cells[1:].set_axis(cells.iloc[0].astype(str).str.strip(), axis=1)
    for name in {COLUMN_OF_ARMS, *map(str, design.objectives)} & set(table.columns):
        if list(table.columns).count(name) == 1:
            table[name] = [_value(text, name, design) for text in table[name]]
    return table


def _value(text, column, design):
    """What a cell of a CSV file says, a name or a number; a text that says none as it is."""
    if column != COLUMN_OF_ARMS:
        return number_in(text, float)
    return text.strip() if is_named(design.arms) else number_in(text, int)


def number_in(text, kind):
    """The number that a text writes; other text as it is. Digits are not grouped, as in 1_000."""
    try:
        return text if "_" in text else kind(text)
    except ValueError:
        return text


def _check_columns(table, needed, source):
    """Check that each column that is needed is there once, and that there are rows."""
    columns = list(table.columns)
    for name in needed:
        if columns.count(name) != 1:
            raise ValueError(
                f"frame{source} has {columns.count(name)} columns {name!r} among "
                f"{listed(columns)}; expected the columns {listed(needed)}, each once"
            )
    if table.empty:
        raise ValueError(f"frame{source} has no rows; expected at least one")
