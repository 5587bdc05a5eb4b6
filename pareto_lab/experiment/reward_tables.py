"""Tables of rewards: data frames, mappings of columns, and CSV files."""

import csv
import os
from collections.abc import Iterable, Mapping

import pandas as pd

from pareto_core.checks.arguments import check_path, shown
from pareto_lab.experiment.data_tables import IDENTIFIER, column, counts_in, is_export
from pareto_lab.experiment.design import COLUMN_OF_ARMS
from pareto_lab.experiment.identifiers import Row, check_identifier
from pareto_lab.experiment.names import is_named, listed, unknown

Rewards = pd.DataFrame | Mapping | str | os.PathLike  # columns, or the path of a CSV file


def read_rows(frame, design, identifier=None):
    """Check the rows of a table and return them as samples."""
    needed = _needed_columns(design, identifier)
    is_path = isinstance(frame, str | os.PathLike)
    table = _read_csv(frame, design) if is_path else _as_table(frame, needed)
    source = f" of {os.fspath(frame)}" if is_path else ""
    _check_columns(table, needed, source)
    counts, own = [True] * len(table), is_export(table, design)
    if own:
        counts = counts_in(table, design)
        needed = _needed_columns(design, identifier or _identifiers_of(table, design))
    columns = [table[name].tolist() for name in needed]
    rows = zip(counts, *columns, strict=True)
    return [
        _sample(f"row {number}{source}", values, design, own)
        for number, (is_told, *values) in enumerate(rows, start=1)
        if is_told
    ]


def read_means(path, design):
    """Read the means of the arms from a CSV file, as a data frame of arms and objectives."""
    needed, table = _needed_columns(design, None), _read_csv(path, design)
    _check_columns(table, needed, f" of {path}")
    return table[needed]


def _identifiers_of(table, design):
    """Name of the column of identifiers of a table of `Session.data`; None if it is empty."""
    name = column(IDENTIFIER, design)
    if list(table.columns).count(name) != 1 or all(map(_is_empty, table[name])):
        return None
    return name


def _is_empty(cell):
    return pd.isna(cell) or cell == ""


def _needed_columns(design, identifier):
    """Names of the columns that are read: labels, values, and the identifier if any."""
    needed = [COLUMN_OF_ARMS, *design.value_columns]
    if identifier is None:
        return needed
    if not isinstance(identifier, str) or identifier in needed:
        raise ValueError(
            f"id = {shown(identifier)}; expected the name of the column of sample identifiers, "
            f"other than {listed(needed)}"
        )
    return [*needed, identifier]


def _sample(source, values, design, may_lack_identifier):
    """The sample of a row: its arm, its reward, and its identifier if there is a column of them."""
    arm, *rest = values
    number = design.find(arm)
    if number is None:
        raise ValueError(f"{source}: arm = {shown(arm)}; {unknown(arm, design.arms)}")
    values = [None if each is pd.NA else each for each in rest[: design.n_objectives]]
    reward = design.check_reward(values, f"{source}: reward")
    identifiers = rest[design.n_objectives :]
    if not identifiers or (may_lack_identifier and _is_empty(identifiers[0])):
        return Row(source, number, reward)
    return Row(source, number, reward, check_identifier(*identifiers, f"{source}: id"))


def _as_table(frame, needed):
    """The table as a data frame whose column names are strings."""
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
        raise ValueError(f"frame = {shown(frame)} is not a table: {error}") from error
    return table.set_axis([str(name) for name in table.columns], axis=1)


def _refuse_unaligned(columns, needed):
    """Refuse columns that pandas would repeat, or reorder by their index."""
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
    """A CSV file as a table; its first row has the names, and cells that can be are numbers."""
    header, rows = _cells_of(check_path(path, "frame"))
    table = pd.DataFrame(rows, columns=header, dtype=object)
    for name in (COLUMN_OF_ARMS, *design.value_columns):
        if header.count(name) == 1:
            table[name] = [_value(text, name, design) for text in table[name]]
    return table


def _cells_of(path):
    """The header and the other rows of a file, without white space around the cells."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream)
            lines = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is not a CSV file in UTF-8: {error}") from error
    if len(lines) < 2:
        raise ValueError(f"{path}: expected a line of column names, and a line for each row below")
    (_, header), *lines = lines
    for number, row in lines:
        if len(row) != len(header):
            raise ValueError(
                f"{path}, line {number} has {len(row)} columns; expected {len(header)}: "
                f"{', '.join(header)} (a missing value is an empty cell)"
            )
    return header, [row for _, row in lines]


def _value(text, column, design):
    """Value of a cell of a CSV file: a name, a number, None if empty, or other text as it is."""
    if column != COLUMN_OF_ARMS:
        return number_in(text, float) if text else None
    return text if is_named(design.arms) else number_in(text, int)


def number_in(text, kind):
    """Convert a text to a number; return other text, and grouped digits as in 1_000, as it is."""
    try:
        return text if "_" in text else kind(text)
    except ValueError:
        return text


def _check_columns(table, needed, source):
    """Check that the table has each needed column once, and at least one row."""
    columns = list(table.columns)
    for name in needed:
        if columns.count(name) != 1:
            raise ValueError(
                f"frame{source} has {columns.count(name)} columns {name!r} among "
                f"{listed(columns)}; expected the columns {listed(needed)}, each once"
            )
    if table.empty:
        raise ValueError(f"frame{source} has no rows; expected at least one")
