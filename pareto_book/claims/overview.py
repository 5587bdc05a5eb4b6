"""A picture of the whole book: verdicts by kind of claim and paper."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from pareto_book.claims.claims import KINDS
from pareto_book.claims.criteria import CONTRARY, DIFFERS, REPRODUCED, UNDECIDED, VERDICTS
from pareto_book.figures import plots

__all__ = [
    "FIVE_PAPERS",
    "NEWCOMERS",
    "ON_STAND_IN",
    "kind_totals",
    "verdict_bars",
    "verdict_totals",
]

PAPERS = ("crepon2024", "auer2016", "kone2025linear", "chen2024", "kone2025constrained")
FIVE_PAPERS, NEWCOMERS = "the five papers", "newcomers"
ON_STAND_IN = "on a stand-in"
ROOM = 4  # rows that a part of a bar needs to have its number written in it
BEHIND_A_NUMBER = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}  # legible on each shade
SHADES = {
    REPRODUCED: plots.GREEN,
    DIFFERS: plots.ORANGE,
    CONTRARY: plots.BLUE,
    UNDECIDED: "#b8b8b8",
}
PANELS = {"number": "numbers", "statement": "statements"}


def verdict_totals(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the rows with each verdict, by paper, for the five papers and for the newcomers."""
    counts = _counts_by(rows["paper"], rows)
    is_main = counts.index.isin(PAPERS)
    parts = [
        part
        for chosen, name in ((counts[is_main], FIVE_PAPERS), (counts[~is_main], NEWCOMERS))
        for part in (chosen, chosen.sum().to_frame(name).T)
    ]
    return pd.concat(parts).rename_axis("paper").reset_index()


def kind_totals(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the rows of the five papers with each verdict, by kind of claim."""
    main = rows[rows["paper"].isin(PAPERS)]
    counts = _counts_by(_kinds(main), main)
    return counts.reindex(list(KINDS), fill_value=0).rename_axis("kind").reset_index()


def _counts_by(groups, rows):
    """Numbers of rows with each verdict, and on a stand-in, in each group."""
    counts = pd.crosstab(groups, rows["verdict"]).reindex(groups.unique())
    counts = counts.reindex(columns=VERDICTS, fill_value=0)
    counts.columns.name = None
    counts.insert(0, "rows", counts.sum(axis=1))
    counts[ON_STAND_IN] = _on_stand_in(rows).groupby(groups).sum()
    return counts


def _kinds(rows):
    return pd.Series([claim.kind for claim in rows["claim"]], index=rows.index, dtype=str)


def _on_stand_in(rows):
    return pd.Series([bool(claim.stand_in) for claim in rows["claim"]], index=rows.index)


def verdict_bars(rows: pd.DataFrame, papers: Mapping[str, str]) -> Figure:
    """Draw the verdicts on each paper as bars, one panel for each kind of claim that is judged."""
    order = sorted(papers, key=lambda key: key not in PAPERS)
    heights = {key: k + 0.6 * (key not in PAPERS) for k, key in enumerate(order)}
    figure, panels = plots.new_figure(
        columns=len(PANELS), height=1.3 + 0.35 * len(papers), sharex=True, sharey=True
    )
    kinds = _kinds(rows)
    for axes, (kind, title) in zip(panels, PANELS.items(), strict=True):
        _draw_bars(axes, rows[kinds == kind], heights)
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
    stands_in = _on_stand_in(rows)
    left = dict.fromkeys(heights, 0)
    for verdict, colour in SHADES.items():
        for is_on_stand_in in (False, True):
            chosen = (stands_in == is_on_stand_in) & (rows["verdict"] == verdict)
            for key, number in rows.loc[chosen, "paper"].value_counts().items():
                hatch = "////" if is_on_stand_in else ""
                bar = axes.barh(heights[key], number, left=left[key], color=colour, hatch=hatch)
                if number >= ROOM:
                    axes.bar_label(
                        bar, [str(number)], label_type="center", fontsize=9, bbox=BEHIND_A_NUMBER
                    )
                left[key] += number
