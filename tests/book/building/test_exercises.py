"""Every exercise of a chapter has an answer, and a cell that computes it."""

import re

import pytest

from pareto_book import paths

HEADING = re.compile(r"^## Exercises\n(.*?)(?=^## |^---$|\Z)", re.MULTILINE | re.DOTALL)
EXERCISE = re.compile(r"^(\d+)\. ", re.MULTILINE)
# Lists in answers are indented or fenced, so only exercises start at the beginning of a line.
ANSWER = re.compile(r"^(`{3,})\{dropdown\} Answer to (\d+)\n(.*?)^\1\n", re.MULTILINE | re.DOTALL)
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in paths.NOTEBOOKS.glob("*.md")}
SECTIONS = {name: found[1] for name, text in TEXTS.items() if (found := HEADING.search(text))}


@pytest.mark.parametrize("chapter", sorted(SECTIONS))
def test_every_exercise_has_an_answer(chapter):
    section = SECTIONS[chapter]
    exercises = EXERCISE.findall(ANSWER.sub("", section))
    answers = [number for _, number, _ in ANSWER.findall(section)]
    assert exercises == answers == [str(k) for k in range(1, len(exercises) + 1)] != []
    assert len(re.findall(r"^```\{code-cell\}", section, re.MULTILINE)) == len(exercises)
