"""What a chapter's card shows and records."""

import pytest
from pareto_book.records.scorecard import read_measurements
from references.claim_files import COUNT, NUMBER, STATEMENT, write_claims

from pareto_book import paths
from pareto_book.claims import card as module
from pareto_book.claims.card import SENTENCE, Scorecard
from pareto_book.records.measurements import Measurement


@pytest.fixture
def card(monkeypatch, tmp_path):
    """A card of a chapter with three claims."""
    monkeypatch.setattr(paths, "DATA", tmp_path)
    write_claims(tmp_path / "published" / "crepon2024.csv", [NUMBER, STATEMENT, COUNT])
    return Scorecard("crepon2024", "fast")


def in_cell(monkeypatch, number):
    monkeypatch.setattr(module, "_cell", lambda: number)


def test_a_check_shows_what_was_published_and_measured_and_the_verdict(card):
    shown = repr(card.check("samples", Measurement(98.0, (96.0, 101.0), 50)))
    assert shown.startswith("Table 1: mean samples\n  published 100, measured 98 [96, 101]: ")
    assert "reproduced" in shown and "within 10 %" in shown
    html = card.check("arms", 4)._repr_html_()
    assert 'class="verdict differs"' in html and ">4<" in html


def test_checks_of_one_cell_are_one_table_and_a_second_run_shows_the_same(card, monkeypatch):
    shown = []
    for execution in (1, 2):
        in_cell(monkeypatch, execution)
        card.check("arms", 3)
        shown.append(card.check("fewer", Measurement(0.5, (0.4, 0.6), 50))._repr_html_())
    assert shown[0] == shown[1]
    assert shown[0].count("<tbody") == 2
    in_cell(monkeypatch, 3)
    assert card.check("arms", 3)._repr_html_().count("<tbody") == 1


def test_a_sentence_is_kept_and_one_that_fails_is_printed(card, monkeypatch, tmp_path, capsys):
    card.holds("A is ahead.", True)
    card.holds("B is ahead.", False)
    card.holds("A is ahead.", True)
    assert capsys.readouterr().out == "Not with this seed: B is ahead.\n"
    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    card.save()
    rows = read_measurements(tmp_path / "scorecard" / "crepon2024-fast.csv")
    assert rows["measured"].tolist() == [1.0, 0.0]
    assert rows["reason"].to_dict() == {
        f"{SENTENCE}0": "A is ahead.",
        f"{SENTENCE}1": "B is ahead.",
    }


@pytest.mark.parametrize(
    ("name", "measured", "others", "message"),
    [
        ("arm", 3, None, "name = 'arm'; expected one of .*did you mean 'arms'"),
        ("arms", 3, {"raw": 4.0}, "other readings of arms = raw; expected none"),
        ("samples", 98.0, None, "samples was measured as 98 .*expected an interval"),
    ],
)
def test_a_check_that_does_not_fit_its_claim_is_refused(card, name, measured, others, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        card.check(name, measured, others)
