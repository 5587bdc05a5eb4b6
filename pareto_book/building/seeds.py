"""How many checks of the chapters come out the same with other seeds, and with more runs.

``python -m pareto_book seeds`` writes ``data/book/seeds.csv``, which the scorecard shows.
"""

from collections.abc import Iterator, Sequence

import jupytext
import pandas as pd

from pareto_book import paths
from pareto_book.building.replicate import replicate
from pareto_book.claims.card import SENTENCE
from pareto_book.claims.claims import chapters_with_claims
from pareto_book.claims.scorecard import rows_of, saved
from pareto_book.records.stamps import executed_path, rows_path
from pareto_core.checks.environment import available_cores

COMMENT = "# Checks that come out as on the pages; made by `python -m pareto_book seeds`.\n"


def count_seeds(seeds: Sequence[int], profiles: Sequence[str]) -> None:
    """Execute all chapters with each seed and profile, and write how many checks they confirm;
    other lines of the file stay.
    """
    build = paths.BUILD
    for profile in profiles:
        for seed in seeds:
            paths.BUILD = build / "seeds" / str(seed)
            try:
                replicate(_chapters(), profile, available_cores(), seed, publish=False)
                checks = [each for chapter in _chapters() for each in _checks(chapter, profile)]
            finally:
                paths.BUILD = build
            _write(profile, seed, checks)


def _write(profile, seed, checks):
    """Put the line of a profile and a seed into the file."""
    failed = [name for name, is_confirmed in checks if not is_confirmed]
    line = {
        "profile": profile,
        "seed": seed,
        "checks": len(checks),
        "confirmed": len(checks) - len(failed),
        "not confirmed": "; ".join(failed),
    }
    path = paths.DATA / "book" / "seeds.csv"
    before = [pd.read_csv(path, comment="#", keep_default_na=False)] if path.exists() else []
    table = pd.concat([*before, pd.DataFrame([line])])
    table = table.drop_duplicates(["profile", "seed"], keep="last")
    table = table.sort_values(["profile", "seed"]).to_csv(index=False)
    path.write_text(COMMENT + table, encoding="utf-8")


def _chapters():
    """Names of the chapters that are not summaries of the others."""
    files = sorted(paths.NOTEBOOKS.glob("*.md"))
    return [path.stem for path in files if "summary" not in jupytext.read(path).metadata]


def _checks(chapter: str, profile: str) -> Iterator[tuple[str, bool]]:
    """Each check of an executed chapter, and whether it came out as on record."""
    if chapter in chapters_with_claims():
        for row in rows_of(chapter, profile).itertuples():
            yield f"{chapter}/{row.id}", row.verdict == row.claim.verdict
    if not rows_path(executed_path(chapter, profile)).exists():
        return  # it checks nothing
    measured = saved(chapter, profile)
    for row in measured[measured.index.str.startswith(SENTENCE)].itertuples():
        yield f"{chapter}: {row.sentence}", bool(row.measured)
