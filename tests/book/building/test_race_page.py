"""The race as a reader plays them in a page; run after ``make book``."""

import json

import numpy as np
import pytest
from references.browser import open_browser

import pareto_core as pc
from pareto_book import paths
from pareto_book.figures.race import read_race
from pareto_book.records.stamps import published_profile
from pareto_book.studies.race import box_radii
from pareto_core.confidence.thresholds import stylised_threshold

CHAPTERS = paths.BUILD / "html" / "book" / "chapters"
PROBLEM, FRONT = CHAPTERS / "problem.html", CHAPTERS / "intro.html"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROBLEM.exists(), reason="the book has not been built: make book"),
]


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def data():
    return read_race("problem", published_profile("problem"))


def seen(data, rule, time):
    """Counts and means after some samples of a rule."""
    arms = np.array([data["labels"].index(letter) for letter in rule["arms"][:time]])
    counts = np.bincount(arms, minlength=len(data["labels"]))
    rewards = [np.reshape(each, (-1, 2)) / 100 for each in data["rewards"]]
    means = [each[:n].mean(axis=0) for each, n in zip(rewards, counts, strict=True)]
    return counts, np.array(means)


# What the page computes about each rule at some times.
STATES = """(() => {
    const race = JSON.parse(document.querySelector(".play-race").dataset.race);
    const {answerOf, followAll, radius, thresholdAt} = window.paretoRace;
    return followAll(race).map((rule) => ({
        name: rule.name,
        stop: rule.stop,
        states: %s.filter((time) => time <= rule.stop).concat(rule.stop).map((time) => {
            const {counts, means, evidence, status} = rule.at(time);
            return {
                time, counts, means, evidence, status,
                answer: answerOf(rule.at(time)),
                threshold: thresholdAt(time, race.delta),
                radii: counts.map((count) => radius(count, race.delta)),
            };
        }),
    }));
})()"""
TIMES = [6, 7, 50, 133, 300, 401]


def test_the_race_in_a_page_has_the_numbers_of_the_package(browser, data):
    found = browser.ask(PROBLEM.as_uri(), STATES % json.dumps(TIMES))
    assert [rule["name"] for rule in found] == [rule["name"] for rule in data["rules"]]
    for shown, rule in zip(found, data["rules"], strict=True):
        assert shown["stop"] == len(rule["arms"])
        for state in shown["states"]:
            time = state["time"]
            counts, means = seen(data, rule, time)
            assert state["counts"] == counts.tolist()
            np.testing.assert_allclose(state["means"], means, atol=1e-12)
            np.testing.assert_allclose(state["radii"], box_radii(counts, data["delta"]))
            evidence = time * pc.transport_cost(means, counts / time).value
            assert state["evidence"] == pytest.approx(evidence, rel=1e-9, abs=1e-12)
            assert state["threshold"] == pytest.approx(stylised_threshold(time, data["delta"]))
        last = shown["states"][-1]
        assert last["status"] == rule["statuses"][-1][1]
        assert last["answer"] == [k for k, each in enumerate(last["status"]) if each == "+"]


HANDS = """
const figure = document.querySelector(".play-race");
const slider = figure.querySelector("input[type=range]");
const button = (name) => [...figure.querySelectorAll("button")].find(({title}) => title === name);
const said = () => figure.querySelector(".said").textContent;
const texts = (selector) => [...figure.querySelectorAll(selector)].map((each) => each.textContent);
const counts = () => texts("td.number").map(Number);
const stopped = () => texts(".state");
const goTo = (time) => {
    slider.value = time;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
};
"""


def test_a_reader_moves_through_time_and_chooses_a_rule(browser, data):
    script = """(() => {
        %s
        goTo(300);
        const before = counts();
        button("One more sample").click();
        const after = counts();
        button("One sample back").click();
        button("One sample back").click();
        const back = Number(slider.value);
        goTo(Number(slider.max));
        figure.querySelectorAll("input[type=radio]")[4].click();
        return [before, after, back, counts(), stopped(), said()];
    })()"""
    before, after, back, last, stopped, said = browser.ask(PROBLEM.as_uri(), script % HANDS)
    tracking, uniform = data["rules"][2], data["rules"][4]
    assert before == seen(data, tracking, 300)[0].tolist()
    assert after == seen(data, tracking, 301)[0].tolist()
    assert back == 299
    end = len(uniform["arms"])
    assert last == seen(data, uniform, end)[0].tolist()
    assert stopped == [f"stopped at {len(rule['arms'])}" for rule in data["rules"]]
    assert said.startswith(f"Uniform sampling stopped after {end} samples and answers A, B, C")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_race_plays_until_it_is_paused(browser, motion):
    """Where motion is unwelcome it jumps once a second."""
    script = """(async () => {
        %s
        const [seen, until] = [new Set(), performance.now() + 1500];
        button("Play").click();
        while (performance.now() < until) {
            seen.add(slider.value);
            await new Promise(requestAnimationFrame);
        }
        button("Pause").click();
        const paused = slider.value;
        await new Promise((done) => setTimeout(done, 400));
        return [seen.size, slider.value === paused];
    })()"""
    with browser.page(FRONT.as_uri()) as page:
        page.emulate_media(reduced_motion=motion)
        steps, stays = page.evaluate(script % HANDS)
    assert stays
    assert 1 < steps <= 3 if motion == "reduce" else steps > 3
