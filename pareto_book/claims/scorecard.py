"""The rows of all chapters: what was printed, what was measured, verdicts, and their counts."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd
import yaml
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from pybtex.database import parse_file

from pareto_book import paths
from pareto_book.claims.card import SENTENCE, read_measurements
from pareto_book.claims.claims import CONCLUSION, DIFFERENCES, chapters_with_claims, load_claims
from pareto_book.claims.criteria import (
    CONTRARY,
    DIFFERS,
    LEAST_RUNS,
    REPRODUCED,
    UNDECIDED,
    VERDICTS,
    judged,
    parse_criterion,
)
from pareto_book.figures import plots
from pareto_book.figures.tables import Link, show_table
from pareto_book.records.stamps import executed_path, read_stamp, rows_path, stamp_path

PAPERS = ("crepon2024", "auer2016", "kone2025linear", "chen2024", "kone2025constrained")
FIVE_PAPERS, NEWCOMERS, ON_STAND_IN = "the five papers", "newcomers", "on a stand-in"
ROOM = 4  # rows that a part of a bar needs to have its number written in it
SHADES = {
    REPRODUCED: plots.GREEN,
    DIFFERS: plots.ORANGE,
    CONTRARY: plots.BLUE,
    UNDECIDED: "#b8b8b8",
}
PANELS = {"number": "numbers", "statement": "statements"}


def book_order() -> list[str]:
    """Names of the chapters in the order of the book's table of contents."""
    contents = yaml.safe_load(paths.TOC.read_text(encoding="utf-8"))
    files = [page["file"] for part in contents["parts"] for page in part["chapters"]]
    return [file.rpartition("/")[2] for file in files if file.startswith("book/chapters/")]


def saved(chapter: str, profile: str) -> pd.DataFrame:
    """What an executed chapter measured, and the sentences that it checked."""
    path = rows_path(executed_path(chapter, profile))
    if not path.exists():
        raise ValueError(f"chapter = {chapter!r}; expected an executed chapter, there is no {path}")
    return read_measurements(path)


def rows_of(chapter: str, profile: str) -> pd.DataFrame:
    """Claims of one chapter with their verdicts; all of them have to be measured."""
    measurements, claims = saved(chapter, profile), load_claims(chapter)
    if missing := [claim for claim in claims if claim not in measurements.index]:
        raise ValueError(
            f"{chapter} ({profile}) has not measured {', '.join(missing)}; expected a measurement "
            f"of each claim in data/published/{chapter}.csv"
        )
    rows = pd.DataFrame([judged(claim, measurements.loc[name]) for name, claim in claims.items()])
    fields = {
        name: [getattr(claim, name) for claim in claims.values()]
        for name in ("paper", "stand_in", "difference")
    }
    return rows.assign(chapter=chapter, claim=list(claims.values()), **fields)


def all_rows(profiles: Mapping[str, str]) -> pd.DataFrame:
    """Claims of all chapters, in the order of the book, with what the last executions measured."""
    order = [chapter for chapter in book_order() if chapter in chapters_with_claims()]
    if missing := sorted({*chapters_with_claims()} - {*order}):
        raise ValueError(
            f"data/published/{missing[0]}.csv has claims; expected a line "
            f"'- file: book/chapters/{missing[0]}' in _toc.yml"
        )
    rows = [rows_of(chapter, profiles.get(chapter, "fast")) for chapter in order]
    return pd.concat(rows, ignore_index=True)


def counts(rows: pd.DataFrame) -> Counter[str]:
    """Count the rows of the five papers, by ``"number"`` or ``"statement"`` and verdict."""
    main = rows[rows["paper"].isin(PAPERS)]
    by_kind = main.groupby("kind")["verdict"].value_counts()
    found = {f"{kind} {verdict}": int(count) for (kind, verdict), count in by_kind.items()}
    is_reproduced = main["verdict"] == REPRODUCED
    other_way = (main["verdict"] == CONTRARY) | (main["difference"] == CONCLUSION)
    found |= {
        "numbers": int((main["kind"] == "number").sum()),
        "statements": int((main["kind"] == "statement").sum()),
        "statements on stand-ins": int(
            (is_reproduced & (main["kind"] == "statement") & (main["stand_in"] != "")).sum()
        ),
        "numbers outside": sum(_is_undecided_and_outside(row) for row in main.itertuples()),
        "the other way": int(other_way.sum()),
        "the other way, not of Chen et al.": int((other_way & (main["paper"] != "chen2024")).sum()),
        "run times": int((main["kind"] == "time").sum()),
        "newcomers": len(rows) - len(main),
    }
    return Counter(found)


def _is_undecided_and_outside(row):
    """Whether a number that the paper does not determine is certainly not what we measured."""
    claim = row.claim
    if claim.kind != "number" or row.verdict != UNDECIDED or not claim.criterion:
        return False
    if row.runs < LEAST_RUNS:
        return False
    low, high = (row.measured, row.measured) if pd.isna(row.low) else (row.low, row.high)
    criterion = parse_criterion(claim.criterion)
    return criterion.judge(claim.published, claim.error, row.measured, low, high)[0] == DIFFERS


def totals(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Number of rows with each verdict, and on a stand-in, for each value of a column."""
    found = pd.crosstab(rows[column], rows["verdict"]).reindex(rows[column].unique())
    found = found.reindex(columns=VERDICTS, fill_value=0)
    found.columns.name = None
    found.insert(0, "rows", found.sum(axis=1))
    found[ON_STAND_IN] = (rows["stand_in"] != "").groupby(rows[column]).sum()
    return found


def show_totals(rows: pd.DataFrame) -> Any:
    """Table of the number of rows by paper and verdict, those of newcomers together."""
    labels = paper_labels(rows)
    main = rows["paper"].isin(PAPERS)
    named = rows.assign(paper=rows["paper"].map(labels).where(main, NEWCOMERS))
    found = totals(named, "paper")
    found.loc[FIVE_PAPERS] = found.drop(index=NEWCOMERS, errors="ignore").sum()
    return show_table(found.reset_index(), "Number of rows by paper and verdict.")


def show_differences(rows: pd.DataFrame) -> Any:
    """Table of what the rows that differ are about."""
    number = rows["difference"].value_counts()
    kinds = [
        {"kind": kind, "meaning": meaning, "rows": int(number.get(kind, 0))}
        for kind, meaning in DIFFERENCES.items()
    ]
    return show_table(pd.DataFrame(kinds), "What the rows that differ are about.")


def show_sentences(profiles: Mapping[str, str]) -> Any:
    """Table of the sentences of the book that cells of other chapters check."""
    found = []
    for chapter in (each for each in book_order() if each != "scorecard"):  # which shows its own
        path = rows_path(executed_path(chapter, profiles.get(chapter, "fast")))
        rows = read_measurements(path) if path.exists() else pd.DataFrame()
        for row in rows[rows.index.str.startswith(SENTENCE)].itertuples() if len(rows) else ():
            said = "yes" if row.measured else "not with this seed"
            found.append((Link(chapter, f"{chapter}.html"), row.sentence, said))
    frame = pd.DataFrame(found, columns=["checked in", "sentence", "holds"])
    return show_table(frame, "Sentences of the book that cells check.")


def show_seeds() -> Any:
    """Table of how many checks other seeds and the profile ``full`` confirm, as last counted."""
    frame = pd.read_csv(
        paths.DATA / "book" / "seeds.csv", comment="#", dtype={"not confirmed": str}
    )
    shown = frame.drop(columns="not confirmed")
    return show_table(shown, "Checks that executions with other seeds confirm.")


def paper_labels(rows: pd.DataFrame) -> dict[str, str]:
    """Short names of the papers that rows are about, by key: "Crepon et al. 2024"."""
    entries = parse_file(str(paths.BIBLIOGRAPHY), "bibtex").entries
    return {key: _label(entries[key]) for key in rows["paper"].unique()}


def _label(entry):
    authors = entry.persons["author"]
    names = " ".join(authors[0].last_names) + (" et al." if len(authors) > 2 else "")
    if len(authors) == 2:
        names += " & " + " ".join(authors[1].last_names)
    short = entry.fields.get("shorttitle")
    return f"{names} {entry.fields['year']}" + (f", {short}" if short else "")


def show_status(profiles: Mapping[str, str]) -> Any:
    """Table of how the chapters were executed: profile, seed, time, versions and machine."""
    executed = [each for each in book_order() if stamp_path(executed_path(each, "fast")).exists()]
    profiles = profiles or dict.fromkeys(executed, "fast")
    rows = []
    for chapter in book_order():
        if chapter in profiles:
            stamp = read_stamp(chapter, profiles[chapter])
            machine = stamp["machine"]
            versions = [f"{name} {version}" for name, version in stamp["versions"].items()]
            rows.append(
                {
                    "chapter": Link(chapter, f"{chapter}.html"),
                    "profile": stamp["inputs"]["profile"],
                    "seed": stamp["inputs"]["seed"],
                    "seconds": stamp["seconds"],
                    "versions": ", ".join([f"Python {stamp['python']}", *versions]),
                    "machine": f"{machine['processor']}, {machine['cores']} cores, "
                    f"{machine['memory_bytes'] / 1e9:.0f} GB, {machine['system']}",
                }
            )
    return show_table(pd.DataFrame(rows), "How the chapters were executed.", seconds=".0f")


def draw_verdicts(rows: pd.DataFrame) -> Figure:
    """Draw the verdicts on each paper as bars, a panel for numbers and one for statements."""
    papers = paper_labels(rows)
    order = sorted(papers, key=lambda key: key not in PAPERS)
    heights = {key: k + 0.6 * (key not in PAPERS) for k, key in enumerate(order)}
    figure, panels = plots.new_figure(
        columns=len(PANELS), height=1.3 + 0.35 * len(papers), sharex=True, sharey=True
    )
    for axes, (kind, title) in zip(panels, PANELS.items(), strict=True):
        _draw_bars(axes, rows[rows["kind"] == kind], heights)
        axes.set_title(title, fontsize=11)
        axes.set_xlabel("rows")
    panels[0].set_yticks([heights[key] for key in order], [papers[key] for key in order])
    panels[0].invert_yaxis()
    handles = [Patch(color=colour, label=verdict) for verdict, colour in SHADES.items()]
    handles.append(Patch(facecolor="white", edgecolor=".5", hatch="////", label=ON_STAND_IN))
    figure.legend(
        handles=handles, loc="outside upper center", ncols=5, fontsize=10, columnspacing=1.0
    )
    return figure


def _draw_bars(axes, rows, heights):
    """Draw the verdicts on the claims of one kind, a bar for each paper."""
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}  # legible on each shade
    left = dict.fromkeys(heights, 0)
    for verdict, colour in SHADES.items():
        for is_on_stand_in in (False, True):
            chosen = ((rows["stand_in"] != "") == is_on_stand_in) & (rows["verdict"] == verdict)
            for key, number in rows.loc[chosen, "paper"].value_counts().items():
                hatch = "////" if is_on_stand_in else ""
                bar = axes.barh(heights[key], number, left=left[key], color=colour, hatch=hatch)
                if number >= ROOM:
                    axes.bar_label(bar, [str(number)], label_type="center", fontsize=9, bbox=box)
                left[key] += number
