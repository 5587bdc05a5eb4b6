"""Entrants have the settings of their papers' chapters, or state how these differ."""

import ast
import dataclasses
import functools

import jupytext
import pytest

import pareto_core as pc
from pareto_book import paths
from pareto_book.kept_runs.competitions import COMPETITIONS
from pareto_book.rivals import PSIPS, FrankWolfe, LinearPAL, PaVeBa

CHAPTER_OF = {  # the chapter that replicates the experiments of each algorithm
    pc.TrackAndStop: "crepon2024",
    pc.APE: "auer2016",
    pc.Racing: "auer2016",
    pc.GEGE: "kone2025linear",
    LinearPAL: "kone2025linear",
    pc.MOBAI: "chen2024",
    pc.DTracking: "chen2024",
    pc.MOSE: "chen2024",
    pc.ECAPE: "kone2025constrained",
    pc.GameCPSI: "kone2025constrained",
    pc.TwoStage: "kone2025constrained",
    pc.RacingCP: "kone2025constrained",
    PaVeBa: "newcomers",
    pc.WidestBox: "newcomers",
}
NOT_REPLICATED = (  # the book's own, and those whose experiments no chapter replicates
    pc.Certified,
    pc.ConstrainedUniformSampling,
    FrankWolfe,
    PSIPS,
    pc.TopTwoIDS,
    pc.UniformSampling,
)
NOT_COMPARED = {"delta", "budget", "epsilon"}  # the arena chooses the risk and the question


def literal(node, names):
    """Value of a literal, or of a name that stands for one; Ellipsis for other expressions."""
    if isinstance(node, ast.Name):
        return names.get(node.id, ...)
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ...


def literals_in(tree):
    """Literals that a chapter assigns to names."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names[node.targets[0].id] = literal(node.value, {})
    return names


def settings_of_call(call, kind, names):
    """Settings that a chapter gives an algorithm; None if they are computed."""
    fields = [field.name for field in dataclasses.fields(kind)]
    given = dict(zip(fields, (literal(each, names) for each in call.args), strict=False))
    for keyword in call.keywords:
        value = literal(keyword.value, names)
        if keyword.arg is None and value is ...:
            return None
        given |= {keyword.arg: value} if keyword.arg else value
    return given


def compared(kind, given):
    """All settings to compare, with default values for those that are not given."""
    defaults = {field.name: field.default for field in dataclasses.fields(kind)}
    return {name: given.get(name, defaults[name]) for name in defaults.keys() - NOT_COMPARED}


def programs_of(chapter):
    """The code of the cells of a chapter, and that of each module of its own."""
    cells = jupytext.read(paths.ROOT / "notebooks" / f"{chapter}.md").cells
    yield "\n\n".join(each.source for each in cells if each.cell_type == "code")
    for path in sorted((paths.ROOT / "pareto_book" / "chapters" / chapter).glob("*.py")):
        yield path.read_text(encoding="utf-8")


@functools.cache
def settings_in_chapter(kind):
    """The settings with which the chapter of an algorithm runs it."""
    found = []
    for program in programs_of(CHAPTER_OF[kind]):
        tree = ast.parse(program)
        names = literals_in(tree)
        calls = {id(each.func): each for each in ast.walk(tree) if isinstance(each, ast.Call)}
        for node in ast.walk(tree):
            if getattr(node, "attr", getattr(node, "id", None)) == kind.__name__:
                call = calls.get(id(node))  # a class that is not called here has its defaults
                given = settings_of_call(call, kind, names) if call else {}
                found += [compared(kind, given)] if given is not None else []
    return found


ENTRANTS = {
    f"{question}: {name}": entrant
    for question, competition in COMPETITIONS.items()
    for name, entrant in competition.entrants.items()
    if isinstance(entrant.algorithm, pc.Algorithm)
    and not isinstance(entrant.algorithm, NOT_REPLICATED)
}


def test_settings_are_read_from_chapters():
    gege = {"lengths": "experiment", "rounding": "apportionment", "variance_bound": 0.25}
    assert gege in settings_in_chapter(pc.GEGE)
    pairs = {each["pairs"] for each in settings_in_chapter(pc.Racing)}
    assert pairs == {"sum", "root_sum_square"}
    assert {type(entrant.algorithm) for entrant in ENTRANTS.values()} == set(CHAPTER_OF)


@pytest.mark.parametrize("name", ENTRANTS)
def test_settings_are_those_of_the_chapter_or_the_entrant_states_how_they_differ(name):
    algorithm, differs = ENTRANTS[name].algorithm, ENTRANTS[name].differs
    ours = compared(type(algorithm), algorithm.hyper_parameters())
    theirs = settings_in_chapter(type(algorithm))
    assert differs or any(
        all(each[setting] in (value, ...) for setting, value in ours.items()) for each in theirs
    )
