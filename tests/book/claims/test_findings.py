"""What chapters without claims keep for the page of findings."""

import myst_nb
import numpy as np
import pytest
from references.claim_files import COUNT, write_blocks

from pareto_book import paths
from pareto_book.claims.claims import chapters_with_claims
from pareto_book.claims.scorecard import Findings, Scorecard
from pareto_book.claims.summary import finding_words, findings_of
from pareto_book.records.measurements import Measurement
from pareto_book.records.stamps import executed_path, rows_path


@pytest.fixture
def book(monkeypatch, tmp_path):
    """Two chapters, of which one has claims."""
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    monkeypatch.setattr(paths, "DATA", tmp_path)
    monkeypatch.setattr(paths, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(paths, "SCORECARDS", tmp_path / "build" / "scorecard")
    write_blocks(tmp_path / "published" / "replication.toml", [COUNT])
    for chapter in ("overview", "replication"):
        (tmp_path / f"{chapter}.md").write_text(f"# {chapter}\n")
    return tmp_path


def published(chapter, profile):
    """Put what was saved where the driver puts it, and read it as the page does."""
    target = rows_path(executed_path(chapter, profile))
    target.parent.mkdir(parents=True)
    (paths.SCORECARDS / f"{chapter}-{profile}.csv").rename(target)
    return findings_of(chapter, profile)


def test_findings_are_read_as_they_were_kept(book):
    findings = Findings("overview", "full")
    findings.keep("ratio", 1.5, (1.25, 2.0), runs=40)
    findings.keep("bytes", 368)
    findings.save()
    found = published("overview", "full")
    assert list(found.index) == ["ratio", "bytes"]
    assert list(found.loc["ratio"]) == [1.5, 1.25, 2.0, 40]
    assert found.loc["bytes", "measured"] == 368
    assert found.loc["bytes", ["low", "high", "runs"]].isna().all()


def test_what_is_said_in_the_text_is_kept_too(book, monkeypatch):
    said = {}
    monkeypatch.setattr(myst_nb, "glue", lambda name, number, display: said.update({name: number}))
    findings = Findings("overview", "full")
    findings.say("ratio", Measurement(1.5, (1.25, 2.0), 40))
    findings.save()
    assert said == {"ratio": 1.5, "ratio_low": 1.25, "ratio_high": 2.0}
    assert list(published("overview", "full").loc["ratio"]) == [1.5, 1.25, 2.0, 40]


def test_the_words_for_a_finding_do_not_break(book):
    findings = Findings("overview", "full")
    findings.keep("rate", 0.25, (0.125, 0.5), runs=4000)
    findings.keep("bytes", 368)
    findings.save()
    found = published("overview", "full")
    words = finding_words(found.loc["rate"], percent=True)
    assert words == "25 % [12.5, 50; 4,000 runs]".replace(" ", "\u00a0")
    assert finding_words(found.loc["bytes"]) == "368"


def test_the_last_value_of_a_name_counts(book):
    findings = Findings("overview", "fast")
    findings.keep("ratio", 1.5)
    findings.keep("ratio", 1.75)
    findings.save()
    assert list(published("overview", "fast")["measured"]) == [1.75]


def test_a_chapter_may_find_nothing(book):
    Findings("overview", "fast").save()
    assert published("overview", "fast").empty


def test_a_scorecard_keeps_findings_after_its_rows(book):
    card = Scorecard("replication", "fast")
    card.record("arms", 3)
    card.keep("ratio", 1.5, (1.25, 2.0), runs=40)
    card.save()
    assert list(published("replication", "fast").index) == ["arms", "ratio"]


@pytest.mark.parametrize(
    ("chapter", "message"),
    [
        ("overwiev", "chapter = 'overwiev'; .*did you mean 'overview'"),
        ("replication", "chapter = 'replication'; expected one without claims"),
    ],
)
def test_a_chapter_that_cannot_have_them_is_refused(book, chapter, message):
    with pytest.raises(ValueError, match=message):
        Findings(chapter, "fast")


def test_a_scorecard_needs_claims(book):
    with pytest.raises(ValueError, match="overview"):
        Scorecard("overview", "fast")


@pytest.mark.parametrize(
    ("value", "interval", "runs", "message"),
    [
        (np.nan, None, None, "value of ratio"),
        (1.5, (1.6, 2.0), 40, "interval of ratio .* expected one that holds 1.5"),
        (1.5, (np.nan, np.nan), 1, "interval of ratio"),
        (1.5, (1.25, 2.0), None, "runs of ratio = None"),
        (1.5, (1.25, 2.0), 0, "runs of ratio = 0"),
    ],
)
def test_a_finding_that_says_too_little_is_refused(book, value, interval, runs, message):
    with pytest.raises(ValueError, match=message):
        Findings("overview", "fast").keep("ratio", value, interval, runs)


def test_a_finding_is_not_named_like_a_claim(book):
    with pytest.raises(ValueError, match="not the id of a claim"):
        Scorecard("replication", "fast").keep("arms", 3)


def test_chapters_across_the_papers_have_no_claims():
    assert not {"arena", "risk", "own_experiment"} & set(chapters_with_claims())
