"""Every exercise of a chapter has an answer, and a cell that computes it."""

import re

import pytest

from pareto_book import paths

HEADING = re.compile(r"^## Exercises\n(.*?)(?=^## |^---$|\Z)", re.MULTILINE | re.DOTALL)
EXERCISE = re.compile(r"^(\d+)\. ", re.MULTILINE)
# Lists in answers are indented or fenced, so only exercises start at the beginning of a line.
ANSWER = re.compile(r"^(`{3,})\{dropdown\} Answer to (\d+)\n(.*?)^\1\n", re.MULTILINE | re.DOTALL)


def sections():
    """The section of exercises of each chapter that has one."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in paths.NOTEBOOKS.glob("*.md")}
    found = {name: HEADING.search(text) for name, text in sorted(texts.items())}
    return {name: match.group(1) for name, match in found.items() if match}


def exercises_and_answers(section):
    """Numbers of the exercises, and the text of each answer by its number."""
    answers = {int(match.group(2)): match.group(3) for match in ANSWER.finditer(section)}
    numbers = [int(number) for number in EXERCISE.findall(ANSWER.sub("", section))]
    return numbers, answers


SECTIONS = sections()


def test_the_chapters_with_experiments_have_exercises():
    without = {path.stem for path in paths.NOTEBOOKS.glob("*.md")} - set(SECTIONS)
    assert without == {"figures", "intro", "scorecard", "using"}


@pytest.mark.parametrize("chapter", SECTIONS)
def test_every_exercise_has_an_answer(chapter):
    numbers, answers = exercises_and_answers(SECTIONS[chapter])
    assert len(numbers) >= 3
    assert numbers == list(range(1, len(numbers) + 1))
    assert list(answers) == numbers
    cells = re.findall(r"^```\{code-cell\}", SECTIONS[chapter], re.MULTILINE)
    assert len(cells) == len(numbers)


def test_a_missing_answer_is_found():
    section = "1. One?\n2. Two?\n\n```{dropdown} Answer to 2\nYes.\n```\n"
    numbers, answers = exercises_and_answers(section)
    assert numbers == [1, 2]
    assert list(answers) == [2]
