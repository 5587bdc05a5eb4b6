"""What the book claims itself: the blocks of ``data/this_book/<chapter>.toml``.

A sentence of ours that states a number or compares rests on a claim. It ends with the marker
``{row}`id``` (in README ``<!-- row: id -->``). The fields of the claim:

``id``
    name of the block, unique in the book;
``measured``
    name under which the chapter records the value, ``card.record("ratio", ...)``, which may be the
    id of a published claim; of what rests on rows, a name that `pareto_book.claims.counts` has;
``quantity``
    what is measured, in words: of which algorithms, on which instances, at which risks, and among
    which competitors;
``rests_on``
    ``kept runs`` (``data/arena``, a share of which each build makes again), ``runs`` (that the
    chapter makes), ``rows`` (of the published accounts), ``data`` or ``mathematics``;
``criterion``
    an inequality or a range, see `pareto_book.claims.criteria`. All of the interval has to
    satisfy it;
``written``
    ``before`` or ``after`` the first run that measured it. Either way the next build can break it;
``changed_by``
    what would have made the sentence false, in words.

A marker ``{row}`chapter/id``` names a row of a published account instead.
"""

import dataclasses

import pandas as pd

from pareto_book import paths
from pareto_book.claims.blocks import read_blocks
from pareto_book.claims.criteria import LEAST_RUNS, REPRODUCED, Range, parse_criterion
from pareto_book.claims.own_sentences import sentences_on
from pareto_core.checks.arguments import check_choice

__all__ = ["ROWS", "OwnClaim", "check_own", "load_own_claims"]

ROWS = "rows"
RESTS_ON = ("kept runs", "runs", ROWS, "data", "mathematics")
WRITTEN = ("before", "after")


@dataclasses.dataclass(frozen=True)
class OwnClaim:
    """One claim of the book; the attributes are the fields described above.

    Raises
    ------
    ValueError
        If a field is empty or has a value that is not allowed.
    """

    id: str
    measured: str
    quantity: str
    rests_on: str
    criterion: str
    written: str
    changed_by: str

    def __post_init__(self):
        for name, value in dataclasses.asdict(self).items():
            if not value:
                raise ValueError(f"{name} is empty; expected a text")
        check_choice(self.rests_on, "rests_on", RESTS_ON)
        check_choice(self.written, "written", WRITTEN)
        if not isinstance(parse_criterion(self.criterion), Range):
            raise ValueError(f"criterion = {self.criterion!r}; expected an inequality or a range")

    def fault(self, measured: float, low: float, high: float, runs: int | None) -> str:
        """Why a measurement does not support the claim; empty if it does."""
        is_exact = pd.isna(low)
        if not is_exact and runs < LEAST_RUNS:
            return f"{int(runs)} runs; expected at least {LEAST_RUNS}"
        low, high = (measured, measured) if is_exact else (low, high)
        verdict, _ = parse_criterion(self.criterion).judge("", 0.0, measured, low, high)
        interval = "" if is_exact else f" [{low:.4g}, {high:.4g}]"
        return "" if verdict == REPRODUCED else f"{measured:.4g}{interval} is not {self.criterion}"


def load_own_claims(chapter: str) -> list[OwnClaim]:
    """Read the claims of the book that a chapter measures."""
    name = f"this_book/{chapter}.toml"
    if not (paths.DATA / name).exists():
        return []
    return list(read_blocks(name, OwnClaim).values())


def check_own(claim: OwnClaim, measurement: pd.Series) -> None:
    """Stop if a measurement does not support the sentences that rest on a claim."""
    sentences = sentences_on(claim.id)
    if not sentences:
        raise ValueError(f"no sentence rests on claim {claim.id!r} of this book; expected one")
    if fault := claim.fault(*measurement):
        said = "\n".join(f"  {each.page}: {each.text}" for each in sentences)
        raise ValueError(
            f"claim {claim.id!r} of this book fails: {fault}. These sentences rest on it:\n{said}"
        )
