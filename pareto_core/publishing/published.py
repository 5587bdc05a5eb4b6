"""What the papers published, and the verdict on each number.

``data/published/<paper>.csv`` has a row for every figure, table and quantitative
claim of a paper. A chapter puts what it measured beside a row; the verdict follows
from the row's rule, never from judgement:

``digits``
    reproduced if the measurement, rounded to the digits printed, is what is printed;
``interval``
    reproduced if the published value lies within the measurement's interval, widened
    on both sides by twice the published standard error where there is one;
``tolerance``
    reproduced if the two differ by at most the row's ``spread``, which the row's
    quantity explains;
``at least``, ``at most``
    reproduced if the measurement is;
``open``
    the paper leaves out something the value depends on.

Where the paper does not publish the instance that a number is about, it is measured on one that
stands in for it. The row says so, in its column ``stand_in``, and the page shows it beside the
verdict.
"""

import dataclasses
import decimal

import numpy as np
import pandas as pd
from scipy import stats

from pareto_core import _paths
from pareto_core._checks import check_choice, check_number
from pareto_core.publishing.tables import show_table

__all__ = [
    "Claim",
    "Scorecard",
    "explanations",
    "homogeneity_test",
    "load_claims",
    "read_published",
]

REPRODUCED = "reproduced"
DIFFERS = "differs"
OPEN = "not published in enough detail"
VERDICTS = (REPRODUCED, DIFFERS, OPEN)
PAPERS = ("crepon2024", "auer2016", "kone2025linear", "chen2024", "kone2025constrained")
UNEXPLAINED = "no reason known"
RULES = ("digits", "interval", "tolerance", "at least", "at most", "open")


@dataclasses.dataclass(frozen=True)
class Claim:
    """One published number.

    Attributes
    ----------
    id : str
        Short name, unique within the paper.
    source : str
        Where it is printed: figure, table or section.
    quantity : str
        What it is, in words.
    value : str
        As printed, so that its digits are known.
    spread : float
        Standard error (rule ``interval``) or tolerance (rule ``tolerance``); NaN if none.
    rule : str
        How the verdict is decided.
    verdict : str
        The verdict on record; a test compares it with each run's.
    section : str
        Heading of the chapter's section that measures it.
    stand_in : str
        What of the instance is not published, such as ``"the means of Figure 5"``, if it is
        measured on a stand-in; empty otherwise.
    """

    id: str
    source: str
    quantity: str
    value: str
    spread: float
    rule: str
    verdict: str
    section: str
    stand_in: str = ""

    def judge(self, measured, low, high):
        """Verdict on a measurement with the interval [low, high].

        Parameters
        ----------
        measured : float
            Our value.
        low, high : float
            Ends of its interval; both equal to ``measured`` if it is exact.

        Returns
        -------
        str
            ``"reproduced"``, ``"differs"`` or ``"not published in enough detail"``.
        """
        if self.rule == "open":
            return OPEN
        published = float(self.value)
        if self.rule == "digits":
            digits = decimal.Decimal(self.value)
            agrees = decimal.Decimal(repr(float(measured))).quantize(digits) == digits
        elif self.rule == "interval":
            margin = 0.0 if pd.isna(self.spread) else 2 * self.spread
            agrees = low - margin <= published <= high + margin
        elif self.rule == "tolerance":
            agrees = abs(measured - published) <= self.spread
        elif self.rule == "at least":
            agrees = measured >= published
        else:
            agrees = measured <= published
        return REPRODUCED if agrees else DIFFERS


def load_claims(paper):
    """Read the published numbers of a paper.

    Parameters
    ----------
    paper : str
        Name of a file in ``data/published/``, such as ``"crepon2024"``.

    Returns
    -------
    dict of str to Claim
        By id, in the order of the file.

    Raises
    ------
    ValueError
        If the paper is unknown, an id appears twice, or a rule or verdict is unknown.
    """
    table = read_published(paper)
    claims = {}
    for row in table.itertuples(index=False):
        check_choice(row.rule, f"rule of {paper}/{row.id}", RULES)
        check_choice(row.verdict, f"verdict of {paper}/{row.id}", VERDICTS)
        if row.id in claims:
            raise ValueError(f"id {row.id!r} appears twice in {paper}.csv; expected unique ids")
        spread = float(row.spread) if row.spread else float("nan")
        claims[row.id] = Claim(**{**row._asdict(), "spread": spread})
    return claims


def read_published(name):
    """Read a table of ``data/published/`` as text, its comment lines left out.

    Raises
    ------
    ValueError
        If there is no such table.
    """
    check_choice(name, "name", [path.stem for path in (_paths.DATA / "published").glob("*.csv")])
    path = _paths.data_file(f"published/{name}.csv")
    return pd.read_csv(path, comment="#", dtype=str, keep_default_na=False)


def explanations(rows):
    """What a page says beside the verdicts: why a row differs, and on what it was measured.

    Parameters
    ----------
    rows : pandas.DataFrame
        As `Scorecard.rows` has them.

    Returns
    -------
    list of str
    """
    notes = [
        missing and f"on a stand-in: {missing} are not published" for missing in rows["stand_in"]
    ]
    return ["; ".join(filter(None, pair)) for pair in zip(rows["reason"], notes, strict=True)]


def homogeneity_test(values, edges, counts, least=20):
    """Chi-square test that a sample and a published histogram are of one distribution.

    Neighbouring bins are joined until each holds at least ``least`` published values;
    what lies beyond the last edge is the last bin.

    Parameters
    ----------
    values : array_like, shape (n,)
        Our sample.
    edges : ndarray, shape (b,)
        Left edges of the published bins, ascending; the last bin has no right end.
    counts : ndarray of int, shape (b,)
        Published counts.
    least : int, default 20
        Published values per joined bin.

    Returns
    -------
    float
        p-value.
    """
    ours = np.histogram(values, bins=np.append(edges, np.inf))[0]
    joined = [[0, 0]]
    for pair in zip(ours, counts, strict=True):
        if joined[-1][1] >= least:
            joined.append([0, 0])
        joined[-1][0] += pair[0]
        joined[-1][1] += pair[1]
    if joined[-1][1] < least:
        last = joined.pop()
        joined[-1][0] += last[0]
        joined[-1][1] += last[1]
    return float(stats.chi2_contingency(np.array(joined).T).pvalue)


class Scorecard:
    """Measurements of one chapter beside what its paper published.

    Parameters
    ----------
    paper : str
        Name of the paper's file in ``data/published/``.
    profile : str
        Profile the chapter runs under.

    Raises
    ------
    ValueError
        If the paper is unknown.
    """

    def __init__(self, paper, profile):
        self.paper = paper
        self.profile = profile
        self.claims = load_claims(paper)
        self._rows = {}

    def record(self, claim, measured, interval=None, runs=None, reason=""):
        """Put a measurement beside a claim.

        Parameters
        ----------
        claim : str
            Id of the claim.
        measured : float
            Our value.
        interval : tuple of float, optional
            Its interval, where it is random.
        runs : int, optional
            Number of runs it comes from.
        reason : str, default ""
            Why it differs, or what was chosen where the paper leaves something open;
            shown only then.

        Raises
        ------
        ValueError
            If the claim is unknown or the measurement is not finite.
        """
        check_choice(claim, "claim", self.claims)
        row = self.claims[claim]
        measured = check_number(float(measured), f"measured value of {claim}")
        low, high = (measured, measured) if interval is None else interval
        verdict = row.judge(measured, low, high)
        self._rows[claim] = {
            "id": claim,
            "source": row.source,
            "quantity": row.quantity,
            "published": row.value,
            "measured": measured,
            "low": float("nan") if interval is None else low,
            "high": float("nan") if interval is None else high,
            "runs": runs,
            "verdict": verdict,
            "stand_in": row.stand_in,
            "reason": "" if verdict == REPRODUCED else reason or UNEXPLAINED,
        }

    def rows(self, *claims):
        """Recorded rows, of the named claims or of all, as a data frame.

        Raises
        ------
        ValueError
            If a named claim has not been recorded.
        """
        for claim in claims:
            check_choice(claim, "claim", self._rows)
        chosen = claims or [claim for claim in self.claims if claim in self._rows]
        return pd.DataFrame([self._rows[claim] for claim in chosen])

    def table(self, *claims, caption="Published and measured."):
        """Recorded rows as a page shows them: rounded, with the interval in brackets."""
        frame = self.rows(*claims)
        measured = [
            f"{row.measured:.6g}"
            + ("" if pd.isna(row.low) else f" [{row.low:.5g}, {row.high:.5g}]")
            for row in frame.itertuples()
        ]
        shown = pd.DataFrame(
            {
                "source": frame["source"],
                "quantity": frame["quantity"],
                "published": frame["published"],
                "measured": measured,
                "runs": frame["runs"],
                "verdict": frame["verdict"],
                "why": explanations(frame),
            }
        )
        return show_table(shown, caption, runs=".0f")

    def save(self):
        """Write all rows to ``_build/scorecard/<paper>-<profile>.csv``.

        Raises
        ------
        ValueError
            If a claim has not been recorded.
        """
        missing = [claim for claim in self.claims if claim not in self._rows]
        if missing:
            raise ValueError(f"no measurement of {', '.join(missing)}; expected one of every claim")
        _paths.SCORECARDS.mkdir(parents=True, exist_ok=True)
        partial = _paths.SCORECARDS / f".{self.paper}-{self.profile}.part"
        self.rows().to_csv(partial, index=False)
        partial.replace(_paths.SCORECARDS / f"{self.paper}-{self.profile}.csv")
