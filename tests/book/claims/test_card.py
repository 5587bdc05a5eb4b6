"""What a chapter's card shows and records."""

from unittest import mock

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from references.claim_files import COUNT, NUMBER, STATEMENT, write_claims

from pareto_book import paths
from pareto_book.claims import card as module
from pareto_book.claims.card import SENTENCE, Scorecard, read_measurements
from pareto_book.records.measurements import Measurement


@pytest.fixture
def card(monkeypatch, tmp_path):
    """A card of a chapter with three claims."""
    monkeypatch.setattr(paths, "DATA", tmp_path)
    write_claims(tmp_path / "published" / "crepon2024.csv", [NUMBER, STATEMENT, COUNT])
    return Scorecard("crepon2024", "fast")


def test_a_check_shows_what_was_published_and_measured_and_the_verdict(card):
    shown = repr(card.check("samples", Measurement(98.0, (96.0, 101.0), 50)))
    assert shown.startswith("Table 1: mean samples\n  published 100, measured 98 [96, 101]: ")
    assert "reproduced" in shown and "within 10 %" in shown
    html = card.check("arms", 4)._repr_html_()
    assert 'class="verdict differs"' in html and ">4<" in html


def test_checks_of_one_cell_are_one_table_and_a_second_run_shows_the_same(card):
    shell = InteractiveShell()
    shell.user_ns |= {"claims": module, "fewer": Measurement(0.5, (0.4, 0.6), 50)}
    with mock.patch.object(module, "get_ipython", lambda: shell):
        shell.run_cell("card = claims.Scorecard('crepon2024', 'fast')")
    shown = [
        shell.run_cell(code, store_history=False).result._repr_html_()
        for code in ["card.check('arms', 3)\ncard.check('fewer', fewer)"] * 2
        + ["card.check('arms', 3)"]
    ]
    assert shown[0] == shown[1]
    assert [each.count("<tbody") for each in shown] == [2, 2, 1]


def test_a_sentence_is_kept_and_one_that_fails_is_printed(card, monkeypatch, tmp_path, capsys):
    card.holds("A is ahead.", True)
    card.holds("B is ahead.", False)
    card.holds("A is ahead.", True)
    assert capsys.readouterr().out == "Not with this seed: B is ahead.\n"
    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    card.save()
    rows = read_measurements(tmp_path / "scorecard" / "crepon2024-fast.csv")
    assert rows["measured"].tolist() == [1.0, 0.0]
    assert rows["sentence"].to_dict() == {
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


def saved(card, monkeypatch, tmp_path):
    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    card.save()
    return read_measurements(tmp_path / "scorecard" / "crepon2024-fast.csv")


def test_measurements_are_read_as_they_were_checked(card, monkeypatch, tmp_path):
    third = 1 / 3
    card.check("fewer", Measurement(third, (0.25, 2.0), 40))
    card.check("arms", 3)
    found = saved(card, monkeypatch, tmp_path)
    assert list(found.loc["fewer", ["measured", "low", "high", "runs"]]) == [third, 0.25, 2.0, 40]
    assert found.loc["arms", "measured"] == 3
    assert found.loc["arms", ["low", "high", "runs"]].isna().all()


def test_other_readings_are_read_as_they_were_checked(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "DATA", tmp_path)
    claim = COUNT | {"others": ["“raw”; as printed", "doubled"]}
    write_claims(tmp_path / "published" / "crepon2024.csv", [claim])
    card = Scorecard("crepon2024", "fast")
    others = {"“raw”; as printed": Measurement(120, (118, 122.4567), 50), "doubled": 240}
    shown = card.check("arms", 3, others)
    assert "“raw”; as printed: 120 [118, 122.5]; doubled: 240" in repr(shown)
    expected = {"“raw”; as printed": [120.0, 118.0, 122.4567], "doubled": 240.0}
    assert saved(card, monkeypatch, tmp_path).loc["arms", "others"] == expected


def test_nothing_is_written_unless_a_folder_is_named(card, monkeypatch, tmp_path):
    monkeypatch.delenv("PARETO_BOOK_FILES", raising=False)
    card.save()
    assert [path.name for path in tmp_path.iterdir()] == ["published"]


def test_an_unknown_chapter_or_profile_is_refused():
    with pytest.raises(ValueError, match=r"chapter = 'crepon2042'; .*did you mean 'crepon2024'"):
        Scorecard("crepon2042", "fast")
    with pytest.raises(ValueError, match="profile = 'ful'; expected one of fast, full"):
        Scorecard("crepon2024", "ful")


@pytest.mark.parametrize(
    ("measurement", "message"),
    [
        (Measurement(np.nan, None, None), "value of arms"),
        (Measurement(1.5, (1.6, 2.0), 40), r"interval of arms = \[1.6, 2\]; expected one that"),
        (Measurement(1.5, (np.nan, np.nan), 1), "interval of arms"),
        (Measurement(1.5, (1.25, 2.0), None), "runs of arms = None"),
        (Measurement(1.5, (1.25, 2.0), 0), "runs of arms = 0"),
    ],
)
def test_an_incomplete_measurement_is_refused(card, measurement, message):
    with pytest.raises(ValueError, match=message):
        card.check("arms", measurement)
