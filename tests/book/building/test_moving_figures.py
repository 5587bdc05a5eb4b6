"""The figures of the chapters that move, as a reader moves them; run after ``make book``."""

import numpy as np
import pytest
from references.browser import open_browser, swipe

import pareto_core as pc
from pareto_book import paths

CHAPTERS = paths.BUILD / "html" / "book" / "chapters"
FRONT = CHAPTERS / "intro.html"
AUER, CREPON, LINEAR, CONSTRAINED, CHOICE = (
    (CHAPTERS / f"{name}.html").as_uri()
    for name in ("auer2016", "crepon2024", "kone2025linear", "kone2025constrained", "intro")
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FRONT.exists(), reason="the book has not been built: make book"),
]


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


# What a reader does, and what the figure shows then.
HANDS = """
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


def test_keys_move_an_arm_and_sliders_change_its_weight(browser):
    script = """(() => {
        %s
        const pictures = figure.querySelectorAll("img").length;
        const before = said();
        for (let k = 0; k < 4; k++) press(4, "ArrowUp", true);
        press(4, "ArrowRight", false);
        slide(4, 20);
        const [after, places, costs] = [said(), column(1), column(4)];
        figure.querySelector("button").click();
        return [pictures, before, after, places, costs, said()];
    })()"""
    pictures, before, after, places, costs, again = browser.ask(CREPON, script % HANDS)
    means = [tuple(map(float, place.strip("()").split(", "))) for place in places]
    start = [*means[:4], (1.6, 1.8)]
    assert means[4] == (1.7, 3.8)
    weights = np.array([10, 10, 10, 10, 20]) / 60
    found = pc.transport_cost(means, weights)
    first = pc.transport_cost(start, np.full(5, 0.2))
    assert pictures == 0
    assert before == again
    assert before.endswith(f"puts arm 0 below arm 1 and costs {first.value:.4f}.")
    assert after.endswith(f"frees arm 4 and costs {found.value:.4f}.")
    parts = weights * found.gradient
    assert costs == [f"{each:.4f}" if each > 0 else "" for each in parts]


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
        start, unit, scrolled = page.evaluate(script % HANDS)
        swipe(page, start, 0.5 * unit, 0.7 * unit)
        script = "(() => {%s return [column(1), column(3), said(), scrollY];})()"
        places, gaps, said, scrolled_then = page.evaluate(script % HANDS)
    means = np.array([tuple(map(float, place.strip("()").split(", "))) for place in places])
    assert scrolled_then == scrolled
    assert means[:3].tolist() == [[2.2, 2.6], [3.8, 2.2], [1.5, 1.7]]
    np.testing.assert_allclose(means[3], [3.6, 2.1], atol=0.051)
    assert gaps == [f"{gap:.2f}" for gap in pc.gaps(means)]
    assert said.startswith("Pareto set: j, k.")


def test_limits_decide_what_an_arm_is_called(browser):
    script = "(() => {%s const before = column(3); slide(2, 160); return [before, column(3)];})()"
    before, after = browser.ask(CONSTRAINED, script % HANDS)
    assert before == [
        *("optimal", "optimal", "infeasible", "dominated by 0"),
        *("infeasible", "infeasible, or dominated by 0, 1, 6", "optimal"),
    ]
    assert after == [
        *("dominated by 2", "optimal", "optimal", "dominated by 2"),
        *("infeasible, or dominated by 2", "infeasible, or dominated by 1, 2", "dominated by 2"),
    ]


# A reader answers questions, by the number of the box.
ANSWERS = """
const figure = document.querySelector(".play-choice");
const boxes = [...figure.querySelectorAll("select")];
const answer = (k, value) => {
    boxes[k].value = value;
    boxes[k].dispatchEvent(new Event("change", {bubbles: true}));
};
const forget = () => boxes.forEach((_, k) => answer(k, ""));
const shown = () => [...figure.querySelectorAll("tbody tr")]
    .filter((row) => row.checkVisibility())
    .map((row) => [...row.cells].map((cell) => [cell.textContent, cell.checkVisibility()]));
const heads = () => [...figure.querySelectorAll("th")]
    .filter((cell) => cell.checkVisibility()).map((cell) => cell.textContent);
const refuses = () => figure.querySelector("[role=status]").checkVisibility();
"""


def is_answered(row, answers):
    return all(answer in ("", row[k][0]) for k, answer in enumerate(answers))


def test_the_table_shows_the_rows_that_fit_the_answers_and_hides_their_columns(browser):
    script = """(() => {
        %s
        const opened = [boxes.map((box) => box.value), shown()];
        forget();
        const before = [shown(), heads(), refuses()];
        answer(3, "proven");
        const after = [shown(), heads(), refuses()];
        answer(3, "");
        const again = [shown(), heads(), refuses()];
        answer(0, "the best arm of each objective");
        answer(4, "after a number of samples");
        return [opened, before, after, again, [shown(), refuses()]];
    })()"""
    opened, before, after, again, no_row = browser.ask(CHOICE, script % ANSWERS)
    rows, heads, refuses = before
    assert not refuses
    assert all(visible for row in rows for _, visible in row)
    proven = [[text for text, _ in row] for row in rows if row[3][0] == "proven"]
    assert 0 < len(proven) < len(rows)
    assert [[text for text, _ in row] for row in after[0]] == proven
    assert all(visible == (k != 3) for row in after[0] for k, (_, visible) in enumerate(row))
    assert after[1:] == [heads[:3] + heads[4:], False]
    assert again == before
    answers, first = opened
    fit = [[text for text, _ in row] for row in rows if is_answered(row, answers)]
    assert [[text for text, _ in row] for row in first] == fit != []
    assert no_row == [[], True]  # a sentence says that no algorithm fits
