"""The figures that move, as a reader moves them, and their numbers; run after ``make book``."""

import numpy as np
import pytest
from references.browser import open_browser, swipe

import pareto_core as pc
from pareto_book import paths
from pareto_book.figures.race import read_race
from pareto_book.records.stamps import published_profile
from pareto_book.studies.race import box_radii
from pareto_core.confidence.thresholds import stylised_threshold

CHAPTERS = paths.BUILD / "html" / "book" / "chapters"
CREPON, LINEAR, CONSTRAINED, FRONT, PROBLEM = (
    (CHAPTERS / f"{name}.html").as_uri()
    for name in ("crepon2024", "kone2025linear", "kone2025constrained", "intro", "problem")
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHAPTERS.exists(), reason="the book has not been built: make book"),
]


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


# What a reader does with the arms, and what the figure shows then.
ARMS = """
const figure = document.querySelector(".play-arms");
const arm = (k) => figure.querySelectorAll(".arm")[k];
const press = (k, key, shiftKey) => arm(k).dispatchEvent(
    new KeyboardEvent("keydown", {key, shiftKey, bubbles: true, cancelable: true}));
const slide = (k, value) => {
    const slider = figure.querySelectorAll("input")[k];
    slider.value = value;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
};
const rows = () => [...figure.querySelectorAll("tbody tr")];
const column = (c) => rows().map((row) => row.cells[c].textContent);
const said = () => figure.querySelector("p").textContent;
"""


def points(cells):
    return np.array([tuple(map(float, cell.strip("()").split(", "))) for cell in cells])


def test_keys_move_an_arm_and_sliders_change_its_weight(browser):
    script = """(() => {
        %s
        const pictures = figure.querySelectorAll("img").length;
        const before = [said(), column(1)];
        for (let k = 0; k < 4; k++) press(4, "ArrowUp", true);
        press(4, "ArrowRight", false);
        slide(4, 20);
        const after = [said(), column(1), column(4)];
        figure.querySelector("button").click();
        return [pictures, before, after, said()];
    })()"""
    pictures, (before, start), (after, moved, costs), again = browser.ask(CREPON, script % ARMS)
    means, weights = points(moved), np.array([10, 10, 10, 10, 20]) / 60
    assert (pictures, again) == (0, before)
    assert means[4].tolist() == [1.7, 3.8]
    first = pc.transport_cost(points(start), np.full(5, 0.2))
    found = pc.transport_cost(means, weights)
    assert before.endswith(f"puts arm 0 below arm 1 and costs {first.value:.4f}.")
    assert after.endswith(f"frees arm 4 and costs {found.value:.4f}.")
    assert costs == [f"{each:.4f}" if each > 0 else "" for each in weights * found.gradient]


def test_an_arm_follows_a_finger_until_it_is_lifted(browser):
    script = """(() => {
        %s
        figure.scrollIntoView();
        const centre = (k) => {
            const box = arm(k).querySelector(".symbol").getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        };
        return [centre(3), (centre(1)[0] - centre(0)[0]) / (3.8 - 2.2), scrollY];
    })()"""
    with browser.page(LINEAR) as page:
        start, unit, scrolled = page.evaluate(script % ARMS)
        swipe(page, start, 0.5 * unit, 0.7 * unit)
        script = "(() => {%s return [column(1), column(3), said(), scrollY];})()"
        places, gaps, said, scrolled_then = page.evaluate(script % ARMS)
    assert scrolled_then == scrolled
    assert points(places)[:3].tolist() == [[2.2, 2.6], [3.8, 2.2], [1.5, 1.7]]
    np.testing.assert_allclose(points(places)[3], [3.6, 2.1], atol=0.051)
    assert gaps == [f"{gap:.2f}" for gap in pc.gaps(points(places))]
    assert said.startswith("Pareto set: j, k.")


def test_limits_decide_what_an_arm_is_called(browser):
    script = "(() => {%s const before = column(3); slide(2, 160); return [before, column(3)];})()"
    before, after = browser.ask(CONSTRAINED, script % ARMS)
    assert before == [
        *("optimal", "optimal", "infeasible", "dominated by 0"),
        *("infeasible", "infeasible, or dominated by 0, 1, 6", "optimal"),
    ]
    assert after == [
        *("dominated by 2", "optimal", "optimal", "dominated by 2"),
        *("infeasible, or dominated by 2", "infeasible, or dominated by 1, 2", "dominated by 2"),
    ]


def test_the_table_of_choices_shows_the_rows_that_fit_the_answers(browser):
    """The column of a question that has been answered is hidden."""
    script = """(() => {
        const figure = document.querySelector(".play-choice");
        const boxes = [...figure.querySelectorAll("select")];
        const answer = (k, value) => {
            boxes[k].value = value;
            boxes[k].dispatchEvent(new Event("change", {bubbles: true}));
        };
        const seen = (each) => each.checkVisibility();
        const texts = (row) => [...row.cells].map((cell) => cell.textContent);
        const shown = () => [
            [...figure.querySelectorAll("tbody tr")].filter(seen).map(texts),
            [...figure.querySelectorAll("th")].map(seen),
            seen(figure.querySelector("[role=status]")),
        ];
        const opened = [boxes.map((box) => box.value), shown()[0]];
        boxes.forEach((_, k) => answer(k, ""));
        const all = shown();
        answer(3, "proven");
        const proven = shown();
        answer(0, "the best arm of each objective");
        answer(4, "after a number of samples");
        return [opened, all, proven, shown()];
    })()"""
    (answers, first), (rows, heads, none), proven, no_row = browser.ask(FRONT, script)
    fits = [all(a in ("", row[k]) for k, a in enumerate(answers)) for row in rows]
    assert first == [row for row, fit in zip(rows, fits, strict=True) if fit] != []
    assert all(heads) and not none
    assert proven[0] == [row for row in rows if row[3] == "proven"] != rows
    assert proven[1:] == [[k != 3 for k in range(len(heads))], False]
    assert (no_row[0], no_row[2]) == ([], True)  # a sentence says that no algorithm fits


# The race


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
        stop: rule.stop,
        states: [6, 7, 50, 133, 300].filter((t) => t < rule.stop).concat(rule.stop).map((time) => ({
            ...rule.at(time),
            time,
            answer: answerOf(rule.at(time)),
            threshold: thresholdAt(time, race.delta),
            radii: rule.at(time).counts.map((count) => radius(count, race.delta)),
        })),
    }));
})()"""


def test_the_race_in_a_page_has_the_numbers_of_the_package(browser, data):
    for shown, rule in zip(browser.ask(PROBLEM, STATES), data["rules"], strict=True):
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


RACE = """
const figure = document.querySelector(".play-race");
const slider = figure.querySelector("input[type=range]");
const button = (name) => [...figure.querySelectorAll("button")].find(({title}) => title === name);
const texts = (selector) => [...figure.querySelectorAll(selector)].map((each) => each.textContent);
const counts = () => texts("td.number").map(Number);
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
        return [before, after, back, counts(), texts(".state"), texts(".said")[0]];
    })()"""
    before, after, back, last, stopped, said = browser.ask(PROBLEM, script % RACE)
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
    with browser.page(FRONT) as page:
        page.emulate_media(reduced_motion=motion)
        steps, stays = page.evaluate(script % RACE)
    assert stays
    assert 1 < steps <= 3 if motion == "reduce" else steps > 3
