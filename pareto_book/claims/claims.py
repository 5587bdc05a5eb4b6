"""What the papers claim: the rows of ``data/published/<chapter>.csv``.

A row is one thing that a paper prints and that a chapter measures. Its columns:

``id``
    short name, unique in the chapter;
``paper``
    key in ``book/references.bib`` of the paper that claims it, whichever chapter measures it;
``kind``
    ``number``: the paper prints it. ``statement``: the paper says it in words, and the criterion
    by which they are read is the book's own. ``proof``: a lemma or theorem, checked on cases, and
    refuted by one. ``time``: a run time on an unknown machine, shown and not judged;
``place``
    where it stands: figure, table, section, theorem;
``quantity``
    what is measured, in words;
``published``
    the number with the digits printed, or the words;
``error``
    standard error of a published number, or of reading it off a figure; empty if there is none;
``criterion``
    how the two are compared, see `pareto_book.claims.criteria`;
``margin``
    why the criterion is looser than a factor of two, where it is;
``random``
    ``yes`` if the measurement is random: it then has an interval and a number of runs;
``rests_on``
    ``mathematics``, ``printed data``, ``public data``, ``own instance`` or ``searched instance``
    (made so that published results match);
``stand_in``
    what of the paper's instance is not known, if it is measured on one of the book's own;
``reading``
    how the chapter reads what the text leaves to read;
``determined_by``
    what in the paper determines the value; without it a row can't differ;
``others``
    names of the other readings that were tried, separated by semicolons; ``none`` if the text has
    no other. The chapter gives the value of each;
``left_open``
    what the paper leaves open, for which the row has no verdict;
``verdict``
    the verdict on record, with which tests compare each run's;
``section``
    heading of the section that measures it.
"""

import dataclasses

import pandas as pd

from pareto_book import paths
from pareto_book.claims.criteria import (
    DIFFERS,
    NOT_JUDGED,
    OPEN,
    REPRODUCED,
    VERDICTS,
    parse_criterion,
)
from pareto_core.checks.arguments import check_choice

__all__ = ["Claim", "chapters_with_claims", "load_claims", "read_published"]

KINDS = ("number", "statement", "proof", "time")
RESTS_ON = ("mathematics", "printed data", "public data", "own instance", "searched instance")
NO_OTHER = "none"


@dataclasses.dataclass(frozen=True)
class Claim:
    """One claim of a paper; the attributes are the columns described above.

    Raises
    ------
    ValueError
        If the columns contradict each other.
    """

    id: str
    paper: str
    kind: str
    place: str
    quantity: str
    published: str
    error: str
    criterion: str
    margin: str
    random: str
    rests_on: str
    stand_in: str
    reading: str
    determined_by: str
    others: str
    left_open: str
    verdict: str
    section: str

    def __post_init__(self):
        check_choice(self.kind, f"kind of {self.id}", KINDS)
        check_choice(self.random, f"random of {self.id}", ("yes", ""))
        check_choice(self.rests_on, f"rests_on of {self.id}", RESTS_ON)
        check_choice(self.verdict, f"verdict of {self.id}", VERDICTS)
        for holds, message in self._faults():
            if holds:
                raise ValueError(f"{self.id}: {message}")
        if self.criterion:
            parse_criterion(self.criterion, f"criterion of {self.id}")

    def _faults(self):
        """Pairs of a fault that a row can have, as a truth value, and the words for it."""
        is_number = self.kind in ("number", "time")
        yield not self.published, "published is empty; expected a number or the paper's words"
        yield is_number and not _is_number(self.published), "published is no number"
        yield bool(self.error) and not _is_number(self.error), "error is no number"
        yield (self.kind == "time") != (self.verdict == NOT_JUDGED), "a time has no verdict"
        yield self.kind == "time" and bool(self.criterion), "a time has no criterion"
        yield (
            self.kind != "time" and not self.criterion and not self.left_open,
            "no criterion; expected one, or what the paper leaves open",
        )
        yield bool(self.random) and self.criterion == "digits", "what is random has no digits"
        by_digits = self.criterion.startswith(("digits", "within"))
        yield (
            bool(self.criterion) and by_digits != (self.kind == "number"),
            f"criterion {self.criterion!r} is not for a {self.kind}",
        )
        yield (
            bool(self.left_open) and self.verdict not in (OPEN, NOT_JUDGED),
            "the paper leaves it open; expected the verdict 'open'",
        )
        yield (
            self.rests_on == "searched instance" and self.verdict == REPRODUCED,
            "an instance made to match reproduces nothing",
        )
        yield (
            self.verdict == DIFFERS and not (self.determined_by and self.others),
            "a row that differs names what determines the value, and other readings or 'none'",
        )

    @property
    def other_readings(self) -> list[str]:
        """Names of the other readings that a chapter has to try."""
        named = [name.strip() for name in self.others.split(";")]
        return [name for name in named if name and name != NO_OTHER]

    def judge(
        self, measured: float, low: float | None = None, high: float | None = None
    ) -> tuple[str, str]:
        """Verdict on a measurement, and what stands in the way of one.

        Parameters
        ----------
        measured : float
            Our value.
        low, high : float, optional
            Ends of its interval; without them it is exact.

        Returns
        -------
        tuple of str
            One of ``VERDICTS``; the second text is empty for a verdict of the criterion.
        """
        if self.kind == "time":
            return NOT_JUDGED, ""
        if self.left_open:
            return OPEN, f"left open: {self.left_open}"
        low, high = (measured, measured) if low is None else (low, high)
        error = float(self.error or 0)
        verdict, because = parse_criterion(self.criterion).judge(
            self.published, error, measured, low, high
        )
        if verdict == DIFFERS and not self.determined_by:
            return OPEN, "the paper does not determine the value"
        if verdict == REPRODUCED and self.rests_on == "searched instance":
            return OPEN, "the instance was made to match"
        return verdict, because


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def load_claims(chapter: str) -> dict[str, Claim]:
    """Read the claims that a chapter measures.

    Parameters
    ----------
    chapter : str
        Name of a file in ``data/published/``, such as ``"crepon2024"``.

    Returns
    -------
    dict of str to Claim
        By id, in the order of the file.

    Raises
    ------
    ValueError
        If there is no such file, a column is missing, an id appears twice, or the columns of a row
        contradict each other.
    """
    table = read_published(chapter)
    expected = [field.name for field in dataclasses.fields(Claim)]
    if list(table) != expected:
        raise ValueError(
            f"columns of {chapter}.csv = {', '.join(table)}; expected {', '.join(expected)}"
        )
    claims = {}
    for row in table.itertuples(index=False):
        if row.id in claims:
            raise ValueError(f"id {row.id!r} appears twice in {chapter}.csv; expected unique ids")
        try:
            claims[row.id] = Claim(**row._asdict())
        except ValueError as error:
            raise ValueError(f"{chapter}.csv, {error}") from None
    return claims


def chapters_with_claims() -> list[str]:
    """Names of the chapters that measure claims, by the files that there are, sorted."""
    files = sorted((paths.DATA / "published").glob("*.csv"))
    return [path.stem for path in files if "criterion" in _header(path)]


def _header(path):
    with path.open(encoding="utf-8") as lines:
        return next((line for line in lines if not line.startswith("#")), "").split(",")


def read_published(name: str) -> pd.DataFrame:
    """Read a table of ``data/published/`` as text, its comment lines left out.

    Raises
    ------
    ValueError
        If there is no such table.
    """
    check_choice(name, "name", [path.stem for path in (paths.DATA / "published").glob("*.csv")])
    path = paths.data_file(f"published/{name}.csv")
    return pd.read_csv(path, comment="#", dtype=str, keep_default_na=False)
