"""Instances from a reader's CSV file: the means of the arms, or observations of them.

The name of the first column tells the two kinds of file apart, see `read_instance`.
"""

import functools
import math
import os
import re
from pathlib import Path

from numpy.typing import ArrayLike

from pareto_core.checks.words import Noise
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.instances.instance import Instance
from pareto_core.instances.registry import load_instance, made_by, parts_of_call
from pareto_lab.experiment.csv_tables import read_table

__all__ = ["named_instance", "read_instance"]

ARM = "arm"  # name of the first column of a file of observations
LABEL = "label", ""  # of a file of means with labels; pandas writes an index without a name
CALL = re.compile(r"(?P<name>.*?\.csv)(?P<parameters>\(.*\))?", re.IGNORECASE | re.DOTALL)


def named_instance(name: str | os.PathLike) -> Instance:
    """Load an instance by name as `pareto_core.load_instance` does, or from a CSV file."""
    call = CALL.fullmatch(os.fsdecode(name)) if isinstance(name, str | os.PathLike) else None
    if call is None:
        return load_instance(name)
    path, positional, named = parts_of_call(name, call)
    return made_by(functools.partial(read_instance, path), path, name, positional, named)


def read_instance(
    path: str | os.PathLike,
    variance: ArrayLike | None = None,
    covariance: ArrayLike | None = None,
    noise: Noise | None = None,
    features: ArrayLike | None = None,
    polyhedron: Polyhedron | None = None,
) -> Instance:
    """Read an instance from a CSV file.

    The first line names the columns. If the first column is called ``arm``, every further line is
    an observation of that arm, and simulations draw the observations of each arm without
    replacement. Otherwise every further line is the mean of an arm; a first column called
    ``label``, or without a name, holds the names of the arms. All other columns are objectives.
    Empty lines are ignored, and so are lines that begin with ``#`` above the names of the columns.

    Parameters
    ----------
    path : path-like
        Name of the file: UTF-8, columns separated by commas; or by semicolons, and then with
        decimal commas or points. A file in which either is ambiguous is refused.
    variance, covariance, noise
        Noise of a file of means, see `Instance`; by default Gaussian with variance 1. A file of
        observations needs no noise.
    features, polyhedron
        See `Instance`. Rows of the features are in the order in which the arms first appear.

    Returns
    -------
    Instance
        Its name is that of the file without its suffix.

    Raises
    ------
    ValueError
        If the file does not hold such a table, or an argument does not fit it. The message names
        the file and, if one is at fault, the line.
    OSError
        If the file cannot be read.

    See Also
    --------
    pareto_core.load_instance : loads instances by name.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import pareto_lab as lab
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "drugs.csv")
    ...     lines = "label,response,safety", "A,0.5,0.9", "B,0.7,0.6"
    ...     _ = path.write_text(chr(10).join(lines))
    ...     drugs = lab.read_instance(path, variance=[0.25, 0.25])
    >>> drugs.name, drugs.labels, drugs.objectives
    ('drugs', ('A', 'B'), ('response', 'safety'))
    """
    path = Path(os.fsdecode(path))
    table = read_table(str(path), comment="#")
    header = table.header
    _check_header(path, header)
    first = int(header[0].lower() in (ARM, *LABEL))  # column of an objective
    rows = table.with_decimal_points(range(first, len(header)))
    fields = {"features": features, "polyhedron": polyhedron, "name": path.stem}
    try:
        if header[0].lower() == ARM:
            noises = {"variance": variance, "covariance": covariance, "noise": noise}
            return _from_observations(path, header, rows, noises, fields)
        fields |= {"variance": variance, "covariance": covariance, "noise": noise or "gaussian"}
        return _from_means(path, header, rows, first, fields)
    except ValueError as error:
        if str(error).startswith(str(path)):
            raise
        raise ValueError(f"{path}: {error}") from error


def _check_header(path, header):
    """Refuse a header that is not one of names, the first of which says what the file holds."""
    line = f"{path}, {','.join(header)!r}; expected"
    index = "(pandas writes an index unless index=False)"
    if ARM in [name.lower() for name in header[1:]]:
        raise ValueError(f"{line} the column {ARM} in the first place {index}")
    if not all(header[1:]) or any(name.startswith("Unnamed:") for name in header):
        raise ValueError(f"{line} a name for each column {index}")
    if any(_is_number(name) for name in header):
        raise ValueError(f"{line} names of the columns, not numbers")


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text  # Python reads 1_000 as a number


def _from_means(path, header, rows, first, fields):
    """Instance whose arms are the lines of the file."""
    _check_names(path, rows if first else ())
    means = [_numbers(path, line, row, header, first) for line, row in rows]
    return Instance(
        means,
        labels=[row[0] for _, row in rows] if first else None,
        objectives=header[first:],
        provenance=f"means in {path}",
        **fields,
    )


def _from_observations(path, header, rows, noises, fields):
    """Instance that deals out the lines of the file, in the order of the arms' first lines."""
    for name, value in noises.items():
        if value is not None:
            raise ValueError(f"{name} for a file of observations; expected None")
    _check_names(path, rows)
    observations = {}
    for line, row in rows:
        rewards = _numbers(path, line, row, header, first=1)
        observations.setdefault(row[0], []).append(rewards)
    if len(observations) == len(rows):
        raise ValueError(
            f"no arm has two lines of observations; expected several observations of each arm, "
            f"or {LABEL[0]!r} as the name of the first column of a file of means"
        )
    return Instance.from_observations(
        list(observations.values()),
        labels=list(observations),
        objectives=header[1:],
        provenance=f"observations in {path}",
        **fields,
    )


def _check_names(path, rows):
    """Refuse a line whose arm has no name."""
    for line, row in rows:
        if not row[0]:
            raise ValueError(f"{path}, line {line}: {','.join(row)!r}; expected the name of an arm")


def _numbers(path, line, row, header, first):
    """Cells of a line from column ``first`` on, as numbers."""
    where = f"{path}, line {line}"
    for name, cell in list(zip(header, row, strict=True))[first:]:
        if not _is_number(cell) or not math.isfinite(float(cell)):
            hint = f", or {LABEL[0]!r} or {ARM!r} as the name of this column"
            raise ValueError(
                f"{where}: {cell!r} in column {name!r}; expected a finite number"
                f"{hint if name == header[0] else ''}"
            )
    return [float(cell) for cell in row[first:]]
