"""Reports: they contain all results, and no name can break their markup."""

import html.parser
import json
import re
import sys

import numpy as np
import pytest

import pareto_core as pc
import pareto_lab as lab

NAMES = [
    "plain",
    "<b>&amp;</b>",
    "a | b \\",
    "\"two\" 'one'",
    "naïve $x$ *y* 疫苗",
    "</svg><script>",
]
OBJECTIVES = {"gain <&>": "max", "fever": "min"}
VOID = {"meta", "br", "use", "path"}


class Page(html.parser.HTMLParser):
    """Text, tables and attributes of a page, all of whose tags are closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.tables = [], [], [], []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if self.open and self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data


def told(algorithm=None, number=30, **settings):
    session = lab.Session(
        algorithm or pc.TrackAndStop(delta=1e-9),
        arms=NAMES,
        objectives=OBJECTIVES,
        units={"fever": "°C"},
        **{"standard_deviation": 1.0, **settings},
    )
    rng = np.random.default_rng(1)
    arms = np.repeat(np.arange(len(NAMES)), number)
    rewards = rng.uniform(0, 3, (len(NAMES), 2))[arms] + rng.standard_normal((arms.size, 2))
    columns = dict(zip(OBJECTIVES, rewards.T, strict=True))
    if number:
        session.tell_all({"arm": np.array(NAMES)[arms], **columns})
    return session


def page_of(session, tmp_path, **request):
    session.report(tmp_path / "report.html", **request)
    return Page((tmp_path / "report.html").read_text(encoding="utf-8"))


def text_of(session, tmp_path, **request):
    """The text of the report."""
    return page_of(session, tmp_path, **request).text


def rounded(number):
    return f"{number:.6g}"


def test_the_page_needs_no_other_file(tmp_path):
    page = page_of(told(), tmp_path)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    outside = [(name, value) for name, value in page.attributes if "//" in (value or "")]
    assert all(name.startswith("xmlns") for name, value in outside)
    assert all(v.startswith("#") for name, v in page.attributes if name.endswith("href"))
    assert ("charset", "utf-8") in page.attributes
    assert page.tags.count("svg") == 1
    assert "url(" not in re.sub(r"url\(#\w+\)", "", page.text)


def test_the_table_has_every_number_of_the_status(tmp_path):
    session = told()
    status, data = session.status(), page_of(session, tmp_path).tables[0]
    assert data[0][5:] == ["mean gain <&>", "interval", "mean fever [°C]", "interval"]
    assert [row[0] for row in data[1:]] == NAMES
    for k, row in enumerate(data[1:]):
        statement, reasons, samples, used = row[1:5]
        assert (statement, reasons) == (status.statements[k], status.reasons[k])
        assert (int(samples), int(used)) == (status.samples[k], session.pulls[k])
        for c in range(2):
            assert row[5 + 2 * c] == rounded(status.means[k, c])
            assert row[6 + 2 * c] == " to ".join(map(rounded, status.boxes[k, c]))


@pytest.mark.slow
def test_the_report_has_design_and_provenance(tmp_path):
    algorithm = pc.Certified(delta=np.float64(0.1))
    session = told(
        algorithm, costs=[1, 2, 3, 4, 5, 6.5], budget=800, standard_deviation=[1.0, 0.25]
    )
    session.save(tmp_path / "session.json")
    digest = json.loads((tmp_path / "session.json").read_text())["sha256"]
    page = page_of(session, tmp_path, delta=0.03)
    for part in (
        "not dominated by another arm?",
        "State of the session: running.",
        "delta=0.1, ",
        "1 in gain <&>, 0.25 in fever [°C]",
        "Spent: 0; the budget is 800.",
        "often they are looked at, is at most 0.03,",
        "independent (rule joint)",
        f"SHA-256 of the content of the session's file: {digest}.",
        f"Python {sys.version.split()[0]}, pareto-core ",
        f"numpy {np.__version__}",
    ):
        assert part in page.text
    objectives, costs = page.tables[1:]
    assert objectives[1:] == [["gain <&>", "more is better", ""], ["fever", "less is better", "°C"]]
    assert costs[-1] == [NAMES[-1], "6.5"]


def test_the_same_session_gives_the_same_file(tmp_path):
    session = told()
    session.save(tmp_path / "session.json")
    session.report(tmp_path / "a.html")
    lab.load_session(tmp_path / "session.json").report(tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_a_withdrawal_is_reported_in_one_row(tmp_path):
    session = told()
    reward = session._state.rewards[0][2]
    session.withdraw("plain", reward, instead=[1.5, 2.5], reason="a <tube>\nand\x00 a | pipe")
    page = page_of(session, tmp_path)
    assert "No reward was withdrawn because of its value." in page.text
    table = page.tables[1]
    told_of = ", ".join(map(rounded, reward))
    assert table[1][:3] == ["plain", told_of, "1.5, 2.5"]
    assert table[1][4] == "a <tube> and  a | pipe"


@pytest.mark.slow
def test_the_report_states_how_the_session_ended(tmp_path):
    short = lab.Session(pc.TrackAndStop(), 2, 1, 1.0, budget=2)
    assert "none yet, because some arms have no reward" in text_of(short, tmp_path)
    for arm in (0, 1):
        short.tell(arm, [0.0])
    assert "ended: the budget is used up" in text_of(short, tmp_path)
    text = text_of(told(pc.UniformSampling(budget=6)), tmp_path)
    for part in ("ended: the algorithm has stopped", "Answer of the algorithm: ", "its own risk"):
        assert part in text


@pytest.mark.slow
def test_other_questions_have_reports(tmp_path):
    region = pc.Polyhedron([[0.0, 2.0], [1.0, -1.0]], [3.5, 4.0])
    session = told(pc.ECAPE(delta=1e-9), polyhedron=region)
    text = text_of(session, tmp_path)
    assert "Feasible means: 2 × fever ≤ 3.5." in text
    assert "Feasible means: 1 × gain <&> + -1 × fever ≤ 4." in text
    assert "infeasible: " in text
    best = told(pc.MOBAI(delta=1e-9))
    text = text_of(best, tmp_path)
    for name, arms in best.status().candidates.items():
        assert f"Candidates for the best arm in objective {name}: {', '.join(arms)}." in text
    assert "may be correlated in any way" in text


@pytest.mark.slow
def test_the_report_states_the_noise_model(tmp_path):
    text = text_of(told(), tmp_path, standard_deviation="unknown", rule="pairs")
    assert "Gaussian, of unknown variance" in text
    assert "may be correlated in any way" in text
    within = told(standard_deviation=None, bounds=[(-9, 9), (-20, 30)])
    assert "are within -9 and 9 in gain <&>, -20 and 30 in fever" in text_of(within, tmp_path)
    correlated = told(
        pc.Certified(rule="pairs"),
        standard_deviation=None,
        covariance=[[1.0, 0.5], [0.5, 1.0]],
    )
    assert "which the algorithm uses: [[1.0, 0.5], [0.5, 1.0]]." in text_of(correlated, tmp_path)
