"""The picture of README shows the race of the first chapter as it comes out now."""

import re

import pytest

from pareto_book import paths
from pareto_book.__main__ import main
from pareto_book.building import front_picture
from pareto_book.building.front_picture import DARK, FOLDER, LIGHT, RULES, described, front_race

README = (paths.ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def race():
    return front_race()


def test_the_rules_are_those_of_the_chapter():
    chapter = (paths.NOTEBOOKS / "problem.md").read_text(encoding="utf-8")
    cell = re.search(r"^rules = \{\n(.*?)\n\}$", chapter, re.MULTILINE | re.DOTALL)[1]
    rules = eval(f"{{{cell}}}", {"pc": front_picture.pc})
    assert rules == RULES
    assert list(rules) == list(RULES)


@pytest.mark.compiled
def test_the_committed_pictures_have_the_numbers_of_the_race(race):
    for name in (LIGHT, DARK):
        text = (FOLDER / name).read_text(encoding="utf-8")
        assert re.search("<dc:description>(.*?)</dc:description>", text)[1] == described(race)


@pytest.mark.compiled
def test_the_description_in_readme_has_them_too(race):
    (alt,) = re.findall(r'<img [^>]*alt="([^"]*)"', README)
    counts = {name: len(run.arms) for name, run in race.runs.items()}
    assert {int(each) for each in re.findall(r"\d+", alt)} == set(counts.values())
    for name, count in counts.items():
        assert f"{name} after {count}" in alt
    for name in (LIGHT, DARK):
        assert f"book/images/{name}" in README


@pytest.mark.slow
def test_the_same_race_gives_the_same_pictures(race, monkeypatch, tmp_path):
    monkeypatch.setattr(front_picture.write_front_picture, "__defaults__", (tmp_path,))
    texts = []
    for _ in range(2):
        assert main(["race"]) == 0
        texts.append([(tmp_path / name).read_text(encoding="utf-8") for name in (LIGHT, DARK)])
    assert texts[0] == texts[1]
    assert texts[0][0] != texts[0][1]
