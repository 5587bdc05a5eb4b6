"""What the chapters measured under the profile ``fast`` with seed 0."""

import csv

from pareto_book import paths
from pareto_book.claims.card import SENTENCE
from pareto_book.claims.claims import chapters_with_claims, load_claims
from pareto_book.records.stamps import executed_path, rows_path

SKIPPED = (SENTENCE, "table1_")  # what is no number, and ratios of run times
COLUMNS = ("chapter", "id", "measured", "low", "high", "runs")


def path_of(chapter):
    return rows_path(executed_path(chapter, "fast"))


def chapters():
    """Names of the chapters that measure something."""
    return [
        path.stem for path in sorted(paths.NOTEBOOKS.glob("*.md")) if path_of(path.stem).exists()
    ]


def read(chapter):
    """Rows of an executed chapter, without run times and without sentences."""
    claims = load_claims(chapter) if chapter in chapters_with_claims() else {}
    times = {name for name, claim in claims.items() if claim.kind == "time"}
    with path_of(chapter).open(encoding="utf-8", newline="") as file:
        return [
            {"chapter": chapter} | {name: row[name] for name in COLUMNS[1:]}
            for row in csv.DictReader(file)
            if row["id"] not in times and not row["id"].startswith(SKIPPED)
        ]
