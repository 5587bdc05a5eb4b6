"""What the book says of itself rests on rows, and a row that fails stops the build."""

import re

import pytest
from references.claim_files import COUNT, write_blocks, write_claims
from references.held_sentences import HELD

from pareto_book import paths
from pareto_book.claims import own_tables
from pareto_book.claims.claims import chapters_with_claims, load_claims
from pareto_book.claims.own_claims import OwnClaim, load_own_claims
from pareto_book.claims.own_sentences import all_sentences, sentence_of, sentences_of
from pareto_book.claims.own_tables import own_rows_of
from pareto_book.records.scorecard import Scorecard
from pareto_book.records.stamps import executed_path, rows_path

CHAPTERS = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))
OWN = [claim for chapter in CHAPTERS for claim in load_own_claims(chapter)]
ROW = {
    "id": "ratio_small",
    "measured": "ratio",
    "quantity": "samples of A over those of B",
    "rests_on": "runs",
    "criterion": "<= 2",
    "written": "before",
    "changed_by": "A needed more than twice as many",
}


# Rows


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"quantity": ""}, "quantity is empty"),
        ({"rests_on": "luck"}, "rests_on = 'luck'"),
        ({"written": "often"}, "written = 'often'"),
        ({"criterion": "digits"}, "criterion = 'digits'; expected an inequality"),
        ({"criterion": "small"}, "criterion = 'small'"),
    ],
)
def test_an_invalid_row_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        OwnClaim(**{**ROW, **changes})


NAN = float("nan")


@pytest.mark.parametrize(
    ("measurement", "fault"),
    [
        ((1.5, NAN, NAN, None), ""),
        ((2.5, NAN, NAN, None), "2.5 is not <= 2"),
        ((1.5, 1.2, 1.9, 20), ""),
        ((1.5, 1.2, 2.1, 20), "1.5 [1.2, 2.1] is not <= 2"),
        ((2.5, 2.2, 2.9, 20), "2.5 [2.2, 2.9] is not <= 2"),
        ((1.5, 1.2, 1.9, 19), "19 runs; expected at least 20"),
    ],
)
def test_the_whole_interval_has_to_satisfy_the_criterion(measurement, fault):
    assert OwnClaim(**ROW).fault(*measurement) == fault


@pytest.fixture
def book(monkeypatch, tmp_path):
    """A chapter with one row of its own, and a page that rests on it."""
    for name in ("BUILD", "DATA", "NOTEBOOKS", "ROOT"):
        monkeypatch.setattr(paths, name, tmp_path)
    monkeypatch.setenv("PARETO_BOOK_FILES", str(tmp_path))
    write_blocks(tmp_path / "this_book" / "overview.toml", [ROW])
    (tmp_path / "published").mkdir()
    (tmp_path / "overview.md").write_text(
        "# Overview\n\nA needs no more than B. {row}`ratio_small`\n"
    )
    return tmp_path


def measure(name, *measurement):
    """Have the chapter record one measurement, and put it where the driver puts it."""
    card = Scorecard("overview", "fast")
    card.record(name, *measurement)
    card.save()
    target = rows_path(executed_path("overview", "fast"))
    target.parent.mkdir(parents=True, exist_ok=True)
    (paths.BUILD / "scorecard" / "overview-fast.csv").replace(target)


def test_a_claim_is_joined_with_what_was_measured(book):
    measure("ratio", 1.5, (1.4, 1.6), 40)
    (row,) = own_rows_of("overview", {})
    assert (row.claim, row.chapter) == (OwnClaim(**ROW), "overview")
    assert list(row.measurement) == [1.5, 1.4, 1.6, 40]


def test_a_claim_that_fails_stops_the_build_and_names_the_sentence(book):
    measure("ratio", 1.5, (1.4, 2.6), 40)
    with pytest.raises(ValueError, match=r"'ratio_small' .*fails(?s:.*)overview: A needs no more"):
        own_rows_of("overview", {})


def test_a_chapter_has_to_measure_what_a_claim_rests_on(book):
    measure("other", 1.5)
    with pytest.raises(ValueError, match=r"overview has not measured 'ratio'.* of other"):
        own_rows_of("overview", {})


def test_a_claim_needs_a_sentence(book):
    measure("ratio", 1.5)
    (book / "overview.md").write_text("# Overview\n")
    with pytest.raises(ValueError, match="no sentence rests on claim 'ratio_small'"):
        own_rows_of("overview", {})


def test_a_claim_may_rest_on_the_rows_of_its_chapter(book):
    claim = ROW | {"measured": "stand_in_share", "rests_on": "rows", "criterion": "= 0.5"}
    write_blocks(book / "this_book" / "overview.toml", [claim])
    claims = [COUNT, COUNT | {"id": "others", "stand_in": "the means"}]
    write_claims(book / "published" / "overview.csv", claims)
    card = Scorecard("overview", "fast")
    for each in claims:
        card.record(each["id"], 3)
    card.save()
    target = rows_path(executed_path("overview", "fast"))
    target.parent.mkdir(parents=True)
    (paths.BUILD / "scorecard" / "overview-fast.csv").replace(target)
    (row,) = own_rows_of("overview", {})
    assert row.measurement["measured"] == 0.5


def test_an_invalid_block_is_refused_by_file_and_name(book):
    write_blocks(book / "this_book" / "overview.toml", [ROW | {"written": "often"}])
    with pytest.raises(ValueError, match=r"^this_book/overview\.toml, \[ratio_small\]: written = "):
        load_own_claims("overview")


def test_a_chapter_may_claim_nothing(book):
    assert load_own_claims("another") == []


# Sentences


def test_a_line_is_a_sentence_and_its_rows():
    found = sentence_of(
        "arena", "- **A** needs 2.3 times as many. {row}`one` {row}`crepon2024/two`"
    )
    assert found.text == "**A** needs 2.3 times as many."
    assert found.rows == ("one", "crepon2024/two")


def test_sentences_of_the_readme_end_at_their_markers(tmp_path):
    path = tmp_path / "README.md"
    path.write_text(
        "# A\n\n- One is 2.5 times\n  two. <!-- row: one --> <!-- row: two --> Three.\n- Four.\n"
        "- Five. <!-- row: one --> <!-- row: two -->\n"
    )
    assert [(each.text, each.rows) for each in sentences_of(path)] == [
        ("# A", ()),
        ("One is 2.5 times two.", ("one", "two")),
        ("Three.", ()),
        ("Four.", ()),
        ("Five.", ("one", "two")),
    ]


def test_every_marker_names_a_row_and_every_row_has_a_sentence():
    own = {claim.id for claim in OWN}
    assert len(own) == len(OWN), "an id appears in two chapters"
    published = {f"{name}/{each}" for name in chapters_with_claims() for each in load_claims(name)}
    named = {row for sentence in all_sentences() for row in sentence.rows}
    assert named <= own | published, named - own - published
    assert own <= named, own - named


NUMBER = re.compile(r"\{glue:|(?<![\w.])\d")
NOT_SAID = re.compile(r"\$[^$]*\$|\{(?!glue)[\w:]+\}`[^`]*`|\[[^\]]*\]\([^)]*\)|(?<!\})`[^`]*`")
CONCLUSIONS = {  # sections all of whose numbers rest on rows
    "arena": ("Which algorithm", "A rule of the book's own", "What the arena adds to the papers"),
    "intro": ("Which algorithm",),
    "kone2025constrained": ("What we add to the paper",),
    "own_experiment": ("Can it be trusted?",),
}


def in_short(text):
    """The box at the head of a chapter."""
    return "".join(
        re.findall(r"```\{admonition\} In short\n:class: note\n(.*?)```", text, re.DOTALL)
    )


def section(text, heading):
    """A section of a page, without its code."""
    found = re.search(
        rf"^###? {re.escape(heading)}.*?\n(.*?)(?=^###? |\Z)", text, re.DOTALL | re.MULTILINE
    )
    assert found, heading
    return re.sub(r"^```.*?^```$", "", found[1], flags=re.DOTALL | re.MULTILINE)


def concluded_on(page):
    """Sentences of a page that have to rest on rows where they state a number."""
    if page == "README":
        path = paths.ROOT / "README.md"
        found = re.search(
            r"## What it found\n(.*?)\n## ", path.read_text(encoding="utf-8"), re.DOTALL
        )
        there = " ".join(re.sub(r"<!--.*?-->", "", found[1]).split())
        return [each for each in sentences_of(path) if each.text in there]
    text = (paths.NOTEBOOKS / f"{page}.md").read_text(encoding="utf-8")
    parts = [in_short(text), *(section(text, heading) for heading in CONCLUSIONS.get(page, ()))]
    return [sentence_of(page, line) for part in parts for line in part.splitlines()]


@pytest.mark.parametrize("page", ["README", *CHAPTERS])
def test_what_a_page_concludes_rests_on_rows(page):
    bare = [
        each.text
        for each in concluded_on(page)
        if not each.rows
        and not any(held in each.text for sentences in HELD.values() for held in sentences)
        and not each.text.startswith(("(fig:", "!"))
        and NUMBER.search(NOT_SAID.sub("", each.text))
    ]
    assert bare == []


@pytest.mark.parametrize(
    ("formula", "plain"),
    [
        (r"At $\delta=10^{-50}$ it is $\log(1/\delta)T^\star$.", "At δ=10⁻⁵⁰ it is log(1/δ)T⋆."),
        (r"$\sum_i\Delta_i^{-2}$, two, $5^{64}$", "Σ_iΔ_i⁻², two, 5⁶⁴"),
        ("No formula.", "No formula."),
    ],
)
def test_formulas_are_written_without_tex(formula, plain):
    assert own_tables._plain_formulas(formula) == plain
