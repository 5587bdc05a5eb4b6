"""What all the chapters say together: every row of every scorecard, and how each was made."""

import pandas as pd

from pareto_core.publishing._extra import book_extra
from pareto_core.publishing.published import VERDICTS, load_claims

with book_extra():
    from docutils.nodes import make_id

    from pareto_core.publishing.stamps import executed_path, read_stamp, rows_path

__all__ = ["all_rows", "chapter_status", "section_address", "verdict_totals"]


def all_rows(papers, profiles):
    """Scorecard rows of several papers, as the runs that made the pages measured them.

    Parameters
    ----------
    papers : sequence of str
        Names of chapters that replicate a paper.
    profiles : dict of str to str
        Profile that each chapter was executed under; ``"fast"`` where it is not named.

    Returns
    -------
    pandas.DataFrame
        The columns of `Scorecard.rows`, and ``paper`` and ``section``.

    Raises
    ------
    ValueError
        If a chapter has not been executed, or its rows are not those of its claims.
    """
    return pd.concat([_rows_of(paper, profiles.get(paper, "fast")) for paper in papers])


def _rows_of(paper, profile):
    path = rows_path(executed_path(paper, profile))
    if not path.exists():
        raise ValueError(f"paper = {paper!r}; expected an executed chapter, there is no {path}")
    text = dict.fromkeys(("id", "published", "reason", "stand_in"), str)
    rows = pd.read_csv(path, dtype=text)
    claims = load_claims(paper)
    if list(rows["id"]) != list(claims):
        raise ValueError(f"{path} does not have one row of every claim of {paper}, in their order")
    rows = rows.fillna({"reason": "", "stand_in": ""})
    return rows.assign(paper=paper, section=[claim.section for claim in claims.values()])


def section_address(chapter, section):
    """Relative address of a section of a chapter, from another chapter's page."""
    return f"{chapter}.html#{make_id(section)}"


def verdict_totals(rows):
    """Number of rows with each verdict, by paper and in all, as a data frame."""
    counts = rows.groupby(["paper", "verdict"], sort=False).size().unstack(fill_value=0)
    counts = counts.reindex(columns=VERDICTS, fill_value=0).reset_index()
    counts.columns.name = None
    counts.insert(1, "rows", counts[list(VERDICTS)].sum(axis=1))
    total = counts.drop(columns="paper").sum()
    return pd.concat([counts, pd.DataFrame([{"paper": "all papers", **total}])], ignore_index=True)


def chapter_status(chapters, profiles):
    """How each chapter was executed: profile, seed, time, memory, versions and machine.

    Parameters
    ----------
    chapters : sequence of str
        Names of chapters.
    profiles : dict of str to str
        Profile that each was executed under; ``"fast"`` where it is not named.

    Returns
    -------
    pandas.DataFrame
        One row for each chapter.

    Raises
    ------
    ValueError
        If a chapter has not been executed.
    """
    rows = []
    for chapter in chapters:
        stamp = read_stamp(chapter, profiles.get(chapter, "fast"))
        machine = stamp["machine"]
        rows.append(
            {
                "chapter": chapter,
                "profile": stamp["inputs"]["profile"],
                "seed": stamp["inputs"]["seed"],
                "seconds": stamp["seconds"],
                "threads": stamp["n_jobs"],
                "memory (MB)": stamp["peak_bytes"] / 1e6,
                "versions": ", ".join(
                    [f"Python {stamp['python']}"]
                    + [f"{name} {version}" for name, version in stamp["versions"].items()]
                ),
                "machine": f"{machine['processor']}, {machine['cores']} cores, "
                f"{machine['memory_bytes'] / 1e9:.0f} GB, {machine['system']}",
            }
        )
    return pd.DataFrame(rows)
