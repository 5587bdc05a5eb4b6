"""What the chapters measured under the profile ``fast`` with seed 0."""

import csv
import fnmatch

from pareto_book import paths
from pareto_book.claims.card import SENTENCE
from pareto_book.claims.claims import chapters_with_claims, load_claims
from pareto_book.records.stamps import executed_path, rows_path

TIMED = ("table1_*",)  # ratios of run times
COLUMNS = ("chapter", "id", "measured", "low", "high", "runs")


def chapters():
    """Names of the chapters that measure something."""
    found = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))
    return [chapter for chapter in found if path_of(chapter).exists()]


def path_of(chapter):
    return rows_path(executed_path(chapter, "fast"))


def read(chapter):
    """Rows of an executed chapter, without run times and without sentences."""
    claims = load_claims(chapter) if chapter in chapters_with_claims() else {}
    skipped = [
        f"{SENTENCE}*",
        *TIMED,
        *(name for name, claim in claims.items() if claim.kind == "time"),
    ]
    with path_of(chapter).open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if not any(fnmatch.fnmatch(row["id"], name) for name in skipped)
        ]
    return [{"chapter": chapter} | {name: row[name] for name in COLUMNS[1:]} for row in rows]
