"""The statement about the noise, which a session or its algorithm must make."""

import json

import pytest
from references.sessions import FEATURES, PRIORS

import pareto_core as pc
import pareto_lab as lab
from pareto_book.rivals import PAL
from pareto_lab.__main__ import main
from pareto_lab.experiment import session_file

NEW = ("UniformSampling", "--arms", "A", "B", "C", "--objectives", "gain", "loss=min")


def test_a_session_without_a_statement_is_refused_with_the_possible_statements():
    with pytest.raises(ValueError, match="standard_deviation = None; expected a statement") as e:
        lab.Session(pc.TrackAndStop(), 3, 2)
    for words in ("one positive number", "2 of them", "(3, 2)", "'unknown'", "bounds=(low, high)"):
        assert words in str(e.value)


@pytest.mark.parametrize(
    ("algorithm", "given"),
    [
        (pc.APE(variance_bound=2.0), {}),
        (pc.WidestBox(bounds=(-1.0, 1.0)), {}),
        (PAL(hyperparameters=PRIORS), {"features": FEATURES}),
    ],
    ids=["variance_bound", "bounds", "hyperparameters"],
)
def test_an_algorithm_may_state_the_noise(algorithm, given, tmp_path):
    session = lab.Session(algorithm, 4, 2, **given)
    assert session.design.standard_deviation == 1.0
    session.save(tmp_path / "mine.json")
    assert lab.load_session(tmp_path / "mine.json", [PAL]).algorithm == algorithm


def test_a_file_with_two_statements_is_refused(tmp_path):
    for number, session in enumerate(
        [
            lab.Session(pc.APE(variance_bound=2.0), 3, 2),
            lab.Session(pc.TrackAndStop(), 3, 2, bounds=(0.0, 1.0)),
        ]
    ):
        path = tmp_path / f"{number}.json"
        session.save(path)
        content = json.loads(path.read_text())["content"]
        rewrite(path, content, standard_deviation=2.0)
        with pytest.raises(ValueError, match="expected one of the two"):
            lab.load_session(path)
    rewrite(tmp_path / "0.json", content, bounds=None, standard_deviation=[1.0, 1.0])
    assert lab.load_session(tmp_path / "0.json").design.standard_deviation.tolist() == [1.0, 1.0]


def rewrite(path, content, **changed):
    content = {**content, **changed}
    head = {"format": session_file.FORMAT, "version": session_file.VERSION}
    digest = session_file.digest(content)
    path.write_text(json.dumps({**head, "sha256": digest, "content": content}))


def test_the_shell_requires_a_statement(tmp_path, capsys):
    path = str(tmp_path / "mine.json")
    assert main(["session", "new", path, *NEW]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: --standard-deviation is missing; expected ")
    assert "unknown" in error
    assert "--bounds LOW HIGH" in error
    assert main(["session", "new", path, *NEW, "--standard-deviation", "1", "0.5"]) == 0
    own = str(tmp_path / "own.json")
    ape = ("APE", "--set", "variance_bound=2", "--arms", "3", "--objectives", "2")
    assert main(["session", "new", own, *ape]) == 0
