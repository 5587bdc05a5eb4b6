"""A comparison as plain text, 92 characters wide."""

import math
import textwrap
from typing import Any

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.checks.arguments import counted

WIDTH = 92  # characters of a line
NAMES = 20  # characters of an algorithm's name; a longer name is on a line of its own
HEAD = "{:>6} {:>10} {:>15} {:>7} {:>13} {:>7} {:>6}{}"
PAIRED = "{:>6} {:>12} {:>20} {:>8} {:>16}{}"
CUT = " *"
UNFINISHED = "* Unfinished runs, which were cut off, count as errors, and have too few samples:"


def report(comparison: Any) -> str:
    """Write samples, errors and costs, and differences from the first algorithm."""
    lines = []
    for name, part in comparison.frame.groupby("instance", sort=False):
        lines += [*_results(comparison, name, part), ""]
    differences = comparison.differences()
    if len(differences):
        for name, part in differences.groupby("instance", sort=False):
            lines += [*_differences(name, part), ""]
    notes = [*_unfinished(comparison), *_accuracies(comparison)]
    return "\n".join([*lines, *notes] if notes else lines[:-1])


def _unfinished(comparison):
    """A note on the algorithms with runs that were cut off."""
    frame = comparison.frame
    parts = [
        f"{row.unfinished}/{row.runs} of {row.algorithm} on {row.instance}"
        + ("" if math.isnan(row.delta) else f" at {row.delta:g}")
        for row in frame[frame["unfinished"] > 0].itertuples()
    ]
    if parts:
        text = f"{UNFINISHED} {', '.join(parts)}."
        yield from textwrap.wrap(text, WIDTH, subsequent_indent="  ")


def _accuracies(comparison):
    """A note on the algorithms with an accuracy whose answers are judged without it."""
    names = dict.fromkeys(
        name
        for (_, name, _), runs in comparison.runs.items()
        if getattr(runs.algorithm, "epsilon", None) and not isinstance(runs.algorithm, Certified)
    )
    if names:
        yield "Errors: only the exact answer is right, also for algorithms with an accuracy:"
        yield from textwrap.wrap(", ".join(names), 90, initial_indent="  ", subsequent_indent="  ")


def _results(comparison, name, part):
    """A heading, and a line for each algorithm and risk."""
    first = next(runs for key, runs in comparison.runs.items() if key[0] == name)
    instance = first.instance
    objectives = counted(instance.n_objectives, "objective")
    yield f"{name}: {instance.n_arms} arms, {objectives}; seed {first.seed}"
    heads = "delta", "samples", "95 % interval", "errors", "95 % interval", "/ bound", "µs"
    yield from _line("", HEAD, *heads, "")
    for row in part.itertuples():
        yield from _line(
            row.algorithm,
            HEAD,
            _number(row.delta, "g"),
            _number(row.samples, ".1f"),
            _interval(row.samples_low, row.samples_high, ".0f"),
            f"{row.errors}/{row.runs}",
            _interval(row.error_low, row.error_high, ".3f"),
            _number(row.over_the_bound, ".2f"),
            _number(row.microseconds, ".3g"),
            CUT if row.unfinished else "",
        )


def _differences(name, part):
    """A heading, and a line for each algorithm except the first, at each risk."""
    first = part["first"].iloc[0]
    yield f"{name}: samples of {first} minus those of each other, run by run from the same seeds"
    yield from _line(
        "", PAIRED, "delta", "difference", "95 % interval", "ratio", "95 % interval", ""
    )
    for row in part.itertuples():
        yield from _line(
            row.second,
            PAIRED,
            _number(row.delta, "g"),
            _number(row.difference, "+.1f"),
            _interval(row.difference_low, row.difference_high, "+.1f"),
            _number(row.ratio, ".3f"),
            _interval(row.ratio_low, row.ratio_high, ".3f"),
            CUT if row.unfinished else "",
        )


def _line(name, form, *cells):
    if len(name) >= NAMES:
        yield name
        name = ""
    yield f"{name:{NAMES}}" + form.format(*cells)


def _number(value, form):
    """A number; a dash if it is NaN."""
    return "-" if math.isnan(value) else f"{value:{form}}"


def _interval(low, high, form):
    return "-" if math.isnan(low) else f"{low:{form}}..{high:{form}}"
