"""Racing as a reader follows it round by round in a page; run after ``make book``."""

import json
from itertools import islice

import numpy as np
import pytest
from references.browser import open_browser

import pareto_core as pc
from pareto_book import paths
from pareto_book.chapters.auer2016.rounds import rewards_of_run, rounds_of_run

PAGE = paths.BUILD / "html" / "book" / "chapters" / "auer2016.html"
SIX = pc.load_instance("six_arms")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PAGE.exists(), reason="the book has not been built: make book"),
]


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


# What the page computes in each round. JSON has no infinite radii, and none occur.
ROUNDS = """(() => {
    const race = %s ?? JSON.parse(document.querySelector(".play-rounds").dataset.race);
    return window.paretoRacing(race, %s).map(
        ({arms, active, remaining, sure, leaving, accepted, neededFor}) => ({
            means: arms.map(({mean}) => mean), radii: arms.map(({radius}) => radius),
            active, remaining, sure, leaving, accepted, neededFor,
        }));
})()"""


def mask(arms):
    return np.isin(np.arange(SIX.n_arms), arms)


def check(found, expected):
    """Compare all rounds of a race in the page with those of the package."""
    assert len(found) == len(expected)
    for shown, each in zip(found, expected, strict=True):
        np.testing.assert_allclose(shown["means"], each.means, atol=1e-12)
        np.testing.assert_allclose(shown["radii"], each.radius, rtol=1e-12)
        for name in ("active", "remaining", "sure", "leaving", "accepted"):
            np.testing.assert_array_equal(mask(shown[name]), getattr(each, name), name)


def test_the_race_in_the_page_is_that_of_the_package(browser):
    check(
        browser.ask(PAGE.as_uri(), ROUNDS % ("null", "true")),
        list(rounds_of_run(pc.Racing(delta=0.1), SIX, 0)),
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_other_races_are_those_of_the_package(browser, seed):
    delta = 0.3 / seed
    expected = list(rounds_of_run(pc.Racing(delta=delta), SIX, seed))
    rewards = np.rint(1000 * np.array([*islice(rewards_of_run(SIX, seed), len(expected))]))
    by_arm = rewards.astype(int).transpose(1, 0, 2).reshape(SIX.n_arms, -1).tolist()
    race = json.dumps({"rewards": by_arm, "delta": delta})
    check(browser.ask(PAGE.as_uri(), ROUNDS % (race, "true")), expected)


def test_a_race_in_which_no_arm_waits_has_a_wrong_answer(browser):
    patient, hasty = (
        browser.ask(PAGE.as_uri(), ROUNDS % ("null", waits)) for waits in ("true", "false")
    )
    for shown in hasty:  # all that is certainly optimal leaves, by the same estimates
        assert shown["leaving"] == shown["sure"]
    first = next(n for n, shown in enumerate(patient) if shown["sure"])
    assert [each["sure"] for each in patient[: first + 1]] == [
        each["sure"] for each in hasty[: first + 1]
    ]
    assert sorted(patient[-1]["accepted"]) == SIX.pareto_set.tolist()
    wrong = set(hasty[-1]["accepted"]) - set(SIX.pareto_set.tolist())
    assert {SIX.labels[arm] for arm in wrong} == {"D", "E"}


def test_an_arm_waits_for_arms_that_it_may_still_dominate(browser):
    found = browser.ask(PAGE.as_uri(), ROUNDS % ("null", "true"))
    waits = 0
    for shown in found:
        means, radii = np.array(shown["means"]), np.array(shown["radii"])
        for arm, others in enumerate(shown["neededFor"]):
            for other in others:
                waits += 1
                assert other in shown["remaining"]
                assert other not in shown["sure"]
                width = np.hypot(radii[arm], radii[other])
                assert (means[other] - means[arm] <= width).all()
    assert waits > 100


HANDS = """
const figure = document.querySelector(".play-rounds");
const slider = figure.querySelector("input[type=range]");
const all = (selector) => [...figure.querySelectorAll(selector)];
const button = (name) => all("button").find(({textContent}) => textContent === name);
const said = () => figure.querySelector(".said").textContent;
const cells = (k) => all(`tbody tr:nth-child(${k + 1}) td`).map(({textContent}) => textContent);
const goTo = (round) => {
    slider.value = round;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
};
"""


def test_a_reader_moves_through_the_rounds_and_lets_no_arm_wait(browser):
    script = """(() => {
        %s
        goTo(1);
        const before = [said(), cells(2)];
        button("Next change").click();
        const out = [slider.value, cells(5)];
        button("+1").click();
        button("−1").click();
        button("−1").click();
        const back = slider.value;
        goTo(slider.max);
        const end = [said(), cells(2)];
        figure.querySelector("input[type=checkbox]").click();
        const hasty = said();
        return [before, out, back, end, hasty];
    })()"""
    before, out, back, end, hasty = browser.ask(PAGE.as_uri(), script % HANDS)
    race = list(rounds_of_run(pc.Racing(delta=0.1), SIX, 0))
    gone = next(each.samples for each in race if not each.staying.all())
    assert before == ["In round 1 no arm has to wait.", ["1", "", "open"]]
    assert out == [str(gone), [str(gone), "", f"eliminated in round {gone}"]]
    assert back == str(gone - 1)
    assert end[0] == f"The race ends after round {len(race)}. Its answer A, B and C is right."
    assert end[1] == [str(len(race)), "", f"accepted in round {len(race)}"]
    assert hasty.endswith("Its answer A, B, C, D and E is wrong: D and E are dominated.")


def test_the_race_is_followed_with_the_keyboard(browser):
    with browser.page(PAGE.as_uri(), window=(420, False)) as page:
        slider = page.locator(".play-rounds input[type=range]")
        before = int(slider.input_value())
        slider.focus()
        page.keyboard.press("ArrowLeft")
        assert slider.input_value() == str(before - 1)
        assert slider.get_attribute("aria-valuetext").startswith(f"{before - 1} of ")
