"""The plain Python algorithm of a lesson is a slow twin of the compiled one."""

import ast

import jupytext
import numpy as np
import pytest

import pareto_core as pc
from pareto_book import paths

REGION = pc.Polyhedron([[0.0, -1.0], [1.0, 0.0]], [0.1, 1.0])


def code_of(path):
    """Code cells of a chapter, each with its tags."""
    cells = [cell for cell in jupytext.read(path).cells if cell.cell_type == "code"]
    return [(cell.source, cell.metadata.get("tags", [])) for cell in cells]


CODE = {path.stem: code_of(path) for path in paths.NOTEBOOKS.glob("*.md")}
LESSONS = sorted(name for name, code in CODE.items() if any("lesson-twin" in t for _, t in code))


def twins(chapter):
    """The plain algorithm of a lesson and the compiled one, as its cell makes them."""
    imports = [
        node
        for source, _ in CODE[chapter]
        for node in ast.parse(source).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    names = {}
    exec(compile(ast.Module(imports, []), chapter, "exec"), names)
    (cell,) = (source for source, tags in CODE[chapter] if "lesson-twin" in tags)
    exec(cell, names)
    return names["plain"], names["compiled"]


def small_instance(compiled, rng):
    """Arms in two or three objectives, with features and limits where the algorithm needs them."""
    limited = compiled.question is pc.PARTITION
    means = np.round(rng.normal(size=(5, 2 if limited else rng.integers(2, 4))), 1)
    features = None
    if isinstance(compiled, pc.GEGE):  # a constant feature leaves no ties to the rounding
        features = np.column_stack([np.ones(5), rng.uniform(-0.8, 0.8, 5)])
        means = features @ rng.normal(size=(2, means.shape[1]))
    return pc.Instance(2 * means, features=features, polyhedron=REGION if limited else None)


def test_each_of_the_five_papers_has_a_lesson():
    papers = {"auer2016", "chen2024", "crepon2024", "kone2025constrained", "kone2025linear"}
    assert papers <= set(LESSONS)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("chapter", LESSONS)
def test_the_algorithm_that_is_taught_is_the_one_that_is_compiled(chapter):
    plain, compiled = twins(chapter)
    rng = np.random.default_rng(7)
    for seed in range(4):
        instance = small_instance(compiled, rng)
        settings = {"runs": 3, "seed": seed, "n_jobs": 1, "max_samples": 3000, "progress": False}
        slow, fast = (pc.simulate(each, instance, **settings) for each in (plain, compiled))
        np.testing.assert_array_equal(slow.pulls, fast.pulls)
        np.testing.assert_array_equal(slow.stopped, fast.stopped)
        np.testing.assert_array_equal(slow.answers[slow.stopped], fast.answers[fast.stopped])
