"""What the papers print: the lines of ``data/published/<chapter>.csv``.

A line is one thing that a paper prints: a claim that the chapter measures, or something that cannot
be measured, with the reason. Its columns:

``id``
    name of the claim, unique in the chapter; empty for what is not measured;
``paper``
    key in ``book/references.bib`` of the paper that prints it, whichever chapter measures it;
``place``
    where: figure, table, section, theorem;
``kind``
    ``number``: the paper prints it. ``statement``: the paper says it in words, and the criterion
    by which they are read is the book's own. ``time``: a run time on an unknown machine, shown and
    without a verdict;
``what``
    what is measured, in words;
``published``
    the number, with the digits printed, or the words;
``error``
    standard error of a published number, or of reading it off a figure; empty if it is unknown;
``criterion``
    how the two are compared, see `pareto_book.claims.criteria`;
``verdict``
    the verdict on record; a test compares it with that of each run;
``difference``
    the kind of difference, for the verdict ``differs``; see `DIFFERENCES`;
``reason``
    why it differs or is undecided, if that does not depend on the run; shown only then;
``rests_on``
    ``mathematics``, ``printed data``, ``public data``, ``own instance`` or ``searched instance``
    (chosen so that published results match);
``stand_in``
    what is unknown of the paper's instance, if the claim is measured on one of the book's own;
``reading``
    how the chapter reads an ambiguous text;
``left_open``
    what the paper does not specify: the verdict is ``undecided`` or ``contrary on our draw``;
``determined_by``
    what in the paper determines the value; without it the verdict cannot be ``differs``, but a
    statement can be ``contrary on our draw``;
``others``
    names of the other readings that the chapter measures, divided by ``|``; ``none`` if the text
    allows no other reading, empty if this was not examined;
``margin``
    why the criterion is looser than a factor of two;
``random``
    ``yes`` if the measurement is random: it then has an interval and a number of runs;
``why_none``
    why there is no claim, in a line without an ``id``.
"""

import csv
import dataclasses
from typing import Any

from pareto_book import paths
from pareto_book.claims.criteria import (
    CONTRARY,
    DIFFERS,
    REPRODUCED,
    RUN_TIME,
    UNDECIDED,
    VERDICTS,
    parse_criterion,
)
from pareto_core.checks.arguments import check_choice

CONCLUSION = "conclusion of an experiment"
KINDS = ("number", "statement", "time")
COLUMNS = [
    *("id", "paper", "place", "kind", "what", "published", "error", "criterion", "verdict"),
    *("difference", "reason", "rests_on", "stand_in", "reading", "left_open", "determined_by"),
    *("others", "margin", "random", "why_none"),
]
RESTS_ON = ("mathematics", "printed data", "public data", "own instance", "searched instance")
DIFFERENCES = {
    "misprint": "a formula, sentence or label that is not what the paper itself uses or proves",
    "rounding": "a ceiling or the last digits",
    "data entry": "a number that is not that of the public source",
    CONCLUSION: "a comparison that a paper draws from its runs and that comes out the other way",
}


@dataclasses.dataclass(frozen=True)
class Claim:
    """One claim of a paper; the attributes are the columns described above."""

    id: str
    paper: str
    place: str
    kind: str
    what: str
    published: str
    rests_on: str
    verdict: str
    error: float = 0.0
    criterion: str = ""
    margin: str = ""
    random: bool = False
    stand_in: str = ""
    reading: str = ""
    determined_by: str = ""
    others: list | None = None
    left_open: str = ""
    difference: str = ""
    reason: str = ""

    def __post_init__(self):
        check_choice(self.kind, "kind", KINDS)
        check_choice(self.rests_on, "rests_on", RESTS_ON)
        check_choice(self.verdict, "verdict", VERDICTS)
        check_choice(self.difference, "difference", ("", *DIFFERENCES))
        for holds, message in self._faults():
            if holds:
                raise ValueError(message)
        if self.criterion:
            parse_criterion(self.criterion)

    def _faults(self):
        """Pairs of a fault that a claim can have, as a truth value, and its message."""
        is_number = self.kind in ("number", "time")
        yield not self.published, "published is empty; expected a number or the paper's words"
        for name in ("paper", "place", "what"):
            yield not getattr(self, name), f"{name} is empty; expected a text"
        yield (
            is_number and not _is_number(self.published),
            f"published = {self.published!r}; expected the text of a number",
        )
        yield (
            (self.kind == "time") != (self.verdict == RUN_TIME),
            f"verdict = {self.verdict!r}; expected {RUN_TIME!r} for a time and only there",
        )
        yield (
            self.kind == "time" and bool(self.criterion),
            f"criterion = {self.criterion!r}; expected no criterion for a time",
        )
        yield (
            self.kind != "time" and not self.criterion and not self.left_open,
            "criterion is empty; expected one, or left_open with what the paper leaves open",
        )
        yield (
            self.random and self.criterion == "digits",
            "criterion = 'digits'; expected a tolerance, because the measurement is random",
        )
        by_digits = self.criterion.startswith(("digits", "within"))
        yield (
            bool(self.criterion) and by_digits != (self.kind == "number"),
            f"criterion = {self.criterion!r}; expected one for a {self.kind}",
        )
        yield (
            bool(self.left_open) and self.verdict not in (UNDECIDED, CONTRARY, RUN_TIME),
            f"verdict = {self.verdict!r}; expected {UNDECIDED!r} or {CONTRARY!r}, as left_open "
            "is given",
        )
        yield (
            self.rests_on == "searched instance" and self.verdict == REPRODUCED,
            "verdict = 'reproduced'; expected another one on a searched instance, which was made "
            "to match",
        )
        yield (
            self.verdict == CONTRARY and (self.kind != "statement" or not self._open_detail),
            f"verdict = {self.verdict!r}; expected it for a statement on a choice of the book only",
        )
        yield (
            self.verdict == DIFFERS and (not self.determined_by or self.others is None),
            "verdict = 'differs'; expected determined_by, and others (a list, perhaps empty)",
        )
        yield (
            (self.verdict == DIFFERS) != bool(self.difference),
            f"difference = {self.difference!r}; expected its kind where the verdict is "
            "'differs' and only there",
        )

    @property
    def _open_detail(self) -> str:
        """Why a measurement rests on a choice of the book; empty if the paper determines it."""
        if self.left_open:
            return f"left open: {self.left_open}"
        if self.rests_on == "searched instance":
            return "the instance was made to match"
        return "" if self.determined_by else "the paper does not determine the value"

    def judge(
        self, measured: float, low: float | None = None, high: float | None = None
    ) -> tuple[str, str]:
        """Verdict on a measurement, and why it is undecided or contrary."""
        if self.kind == "time":
            return RUN_TIME, ""
        detail = self._open_detail
        if not self.criterion:
            return UNDECIDED, detail
        low, high = (measured, measured) if low is None else (low, high)
        verdict, because = parse_criterion(self.criterion).judge(
            self.published, self.error, measured, low, high
        )
        if verdict == DIFFERS and detail:
            return (CONTRARY if self.kind == "statement" else UNDECIDED), detail
        if self.left_open or (verdict == REPRODUCED and self.rests_on == "searched instance"):
            return UNDECIDED, detail
        return verdict, because


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def load_claims(chapter: str) -> dict[str, Claim]:
    """Read the claims that a chapter measures."""
    check_choice(chapter, "chapter", chapters_with_claims())
    claims: dict[str, Claim] = {}
    with (paths.DATA / "published" / f"{chapter}.csv").open(encoding="utf-8", newline="") as file:
        for number, line in enumerate(csv.DictReader(file, restval=None), start=2):
            try:
                claim = _claim_of(line)
                if claim and claim.id in claims:
                    raise ValueError(f"id = {claim.id!r} twice; expected each once")
            except ValueError as error:
                raise ValueError(f"published/{chapter}.csv, line {number}: {error}") from None
            if claim:
                claims[claim.id] = claim
    return claims


def _claim_of(line: dict[str, Any]) -> Claim | None:
    """Claim of a line; None if the line says why it cannot be checked."""
    if list(line) != COLUMNS or None in line.values():
        raise ValueError(f"columns = {', '.join(map(str, line))}; expected {', '.join(COLUMNS)}")
    why_none = line.pop("why_none")
    if bool(line["id"]) == bool(why_none):
        raise ValueError(f"id = {line['id']!r}, why_none = {why_none!r}; expected one of the two")
    if why_none:
        return None
    others = {"": None, "none": []}.get(line["others"], line["others"].split(" | "))
    check_choice(line["random"], "random", ("", "yes"))
    if not _is_number(line["error"] or "0"):
        raise ValueError(f"error = {line['error']!r}; expected a number")
    typed = {"error": float(line["error"] or 0), "others": others, "random": bool(line["random"])}
    return Claim(**(line | typed))


def chapters_with_claims() -> list[str]:
    """Names of the chapters that measure claims of papers, by the files that there are, sorted."""
    return sorted(path.stem for path in (paths.DATA / "published").glob("*.csv"))
