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

READINGS = {"“raw”; as printed": Measurement(120, (118, 122.4567), 50), "doubled": 240}


@pytest.fixture
def card(monkeypatch, tmp_path):
    """A card of a chapter with three claims."""
    monkeypatch.setattr(paths, "DATA", tmp_path)
    monkeypatch.delenv("PARETO_BOOK_FILES", raising=False)
    count = COUNT | {"others": list(READINGS)}
    write_claims(tmp_path / "published" / "crepon2024.csv", [NUMBER, STATEMENT, count])
    return Scorecard("crepon2024", "fast")


def test_an_unknown_profile_is_refused():
    with pytest.raises(ValueError, match=r"^profile = 'ful'; expected one of fast, full"):
        Scorecard("crepon2024", "ful")


def test_a_check_shows_what_was_published_and_measured_and_the_verdict(card):
    shown = repr(card.check("samples", Measurement(98.0, (96.0, 101.0), 50)))
    assert shown.startswith("Table 1: mean samples\n  published 100, measured 98 [96, 101]: ")
    assert "reproduced" in shown and "within 10 %" in shown
    html = card.check("arms", 4, READINGS)._repr_html_()
    assert 'class="verdict differs"' in html and ">4<" in html


def test_checks_of_one_cell_are_one_table_and_a_second_run_shows_the_same(card, monkeypatch):
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)  # of which IPython may warn
    shell = InteractiveShell()
    shell.user_ns |= {"claims": module, "few": Measurement(0.5, (0.4, 0.6), 50)}
    shell.user_ns["many"] = Measurement(100.0, (99.0, 101.0), 50)
    with mock.patch.object(module, "get_ipython", lambda: shell):
        shell.run_cell("card = claims.Scorecard('crepon2024', 'fast')")
    shown = [
        shell.run_cell(code, store_history=False).result._repr_html_()
        for code in ["card.check('samples', many)\ncard.check('fewer', few)"] * 2
        + ["card.check('samples', many)"]
    ]
    assert shown[0] == shown[1]
    assert [each.count("<tbody") for each in shown] == [2, 2, 1]


def test_what_was_checked_is_read_as_it_was(card, monkeypatch, tmp_path, capsys):
    third = 1 / 3
    card.check("fewer", Measurement(third, (0.25, 2.0), 40))
    shown = card.check("arms", 3, READINGS)
    assert "“raw”; as printed: 120 [118, 122.5]; doubled: 240" in repr(shown)
    card.holds("A is ahead.", True)
    card.holds("B is ahead.", False)
    card.holds("A is ahead.", True)
    assert capsys.readouterr().out == "Not with this seed: B is ahead.\n"
    card.save()
    assert [path.name for path in tmp_path.iterdir()] == ["published"]  # no folder is named
    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    card.save()
    found = read_measurements(tmp_path / "scorecard" / "crepon2024-fast.csv")
    assert list(found.loc["fewer", ["measured", "low", "high", "runs"]]) == [third, 0.25, 2.0, 40]
    assert found.loc["arms", "measured"] == 3
    assert found.loc["arms", ["low", "high", "runs"]].isna().all()
    assert found.loc["arms", "others"] == {
        "“raw”; as printed": [120.0, 118.0, 122.4567],
        "doubled": 240.0,
    }
    sentences = found.loc[[f"{SENTENCE}0", f"{SENTENCE}1"]]
    assert sentences["sentence"].tolist() == ["A is ahead.", "B is ahead."]
    assert sentences["measured"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("name", "measured", "message"),
    [
        ("arm", 3, "name = 'arm'; expected one of .*did you mean 'arms'"),
        ("arms", 3, "other readings of arms = none; expected “raw”"),
        ("samples", 98.0, "samples was measured as 98 .*expected an interval"),
        ("samples", Measurement(np.nan, None, None), "value of samples"),
        ("samples", Measurement(1.5, (1.6, 2.0), 40), r"interval of samples = \[1.6, 2\]; exp"),
        ("samples", Measurement(1.5, (1.25, 2.0), None), "runs of samples = None"),
    ],
)
def test_a_check_that_does_not_fit_its_claim_is_refused(card, name, measured, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        card.check(name, measured)
