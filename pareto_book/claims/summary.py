"""The claims of all chapters, what was measured of them, and how the chapters were executed."""

from collections.abc import Mapping, Sequence

import pandas as pd
import yaml
from docutils.nodes import make_id
from pybtex.database import parse_file

from pareto_book import paths
from pareto_book.claims.claims import Claim, chapters_with_claims, load_claims
from pareto_book.claims.judging import judged
from pareto_book.records.scorecard import read_measurements
from pareto_book.records.stamps import executed_path, read_stamp, rows_path

__all__ = [
    "all_rows",
    "book_order",
    "chapter_status",
    "claim_address",
    "findings_of",
    "paper_label",
    "rows_of",
]

COLUMNS = ["id", "kind", "measured", "low", "high", "runs", "verdict", "reason", "others"]


def book_order() -> list[str]:
    """Names of the chapters in the order of the book's table of contents."""
    contents = yaml.safe_load(paths.TOC.read_text(encoding="utf-8"))
    files = [page["file"] for part in contents["parts"] for page in part["chapters"]]
    return [file.rpartition("/")[2] for file in files if file.startswith("book/chapters/")]


def all_rows(profiles: Mapping[str, str]) -> pd.DataFrame:
    """Claims of all chapters, and what the runs that made the pages measured of them."""
    order = book_order()
    for chapter in chapters_with_claims():
        if chapter not in order:
            raise ValueError(
                f"chapter = {chapter!r} has claims in data/published; expected a line "
                f"'- file: book/chapters/{chapter}' in _toc.yml"
            )
    chapters = [chapter for chapter in order if chapter in chapters_with_claims()]
    rows = pd.concat([rows_of(chapter, profiles.get(chapter, "fast")) for chapter in chapters])
    return rows.reset_index(drop=True)


def rows_of(chapter: str, profile: str) -> pd.DataFrame:
    """Claims of one chapter, as `all_rows` has those of all."""
    measurements = _saved(chapter, profile)
    claims = load_claims(chapter)
    if missing := [claim for claim in claims if claim not in measurements.index]:
        raise ValueError(
            f"{chapter} ({profile}) has not measured {', '.join(missing)}; expected a measurement "
            f"of each claim in data/published/{chapter}.csv"
        )
    try:
        rows = [judged(claim, measurements.loc[name]) for name, claim in claims.items()]
    except ValueError as error:
        raise ValueError(f"{chapter} ({profile}): {error}") from None
    papers = [claim.paper for claim in claims.values()]
    return pd.DataFrame(rows, columns=COLUMNS).assign(
        chapter=chapter, paper=papers, claim=list(claims.values())
    )


def _saved(chapter, profile):
    path = rows_path(executed_path(chapter, profile))
    if not path.exists():
        raise ValueError(f"chapter = {chapter!r}; expected an executed chapter, there is no {path}")
    return read_measurements(path)


def findings_of(chapter: str, profile: str) -> pd.DataFrame:
    """Return all measurements of a chapter."""
    return _saved(chapter, profile)[["measured", "low", "high", "runs"]]


def claim_address(chapter: str, claim: Claim) -> str:
    """Relative address of the table that has a claim, from another chapter's page."""
    place = make_id(claim.section) if claim.section else f"{claim.paper}-{claim.id}"
    return f"{chapter}.html#{place}"


def paper_label(key: str) -> str:
    """Short name of a paper of the bibliography: "Crepon et al. 2024"."""
    entry = _entry(key)
    authors = entry.persons["author"]
    names = " ".join(authors[0].last_names) + (" et al." if len(authors) > 2 else "")
    if len(authors) == 2:
        names += " & " + " ".join(authors[1].last_names)
    short = entry.fields.get("shorttitle")
    return f"{names} {entry.fields['year']}" + (f", {short}" if short else "")


def _entry(key):
    entries = parse_file(str(paths.BIBLIOGRAPHY), "bibtex").entries
    if key not in entries:
        raise ValueError(f"paper = {key!r}; expected a key of {paths.BIBLIOGRAPHY.name}")
    return entries[key]


def chapter_status(chapters: Sequence[str], profiles: Mapping[str, str]) -> pd.DataFrame:
    """Return how each chapter was executed: profile, seed, time, memory, versions and machine."""
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
