"""Session files: restored sessions continue in the same way, and damage is detected."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from references.sessions import CHEAP, rewrite, state_of, used

import pareto_core as pc
import pareto_lab as lab

NAMED = {"arms": ["A", "µ", "C"], "objectives": {"yield": "max", "fever": "min", "price": "min"}}
DESIGNS = {
    "deviations": {"standard_deviation": [1.0, 2.0, 1 / 3]},
    "each arm": {"standard_deviation": np.arange(1, 10).reshape(3, 3) / 3},
    "unknown": {"standard_deviation": "unknown"},
    "mixture": {"standard_deviation": {"fever": "unknown", "price": 0, "yield": 1 / 3}},
    "bounds": {"bounds": [(0, 1), (2, 30), (1 / 3, 0.5)]},
    "covariance": {"covariance": np.eye(3) + 1 / 3},
    "covariances": {"covariance": np.arange(1, 4)[:, None, None] * (np.eye(3) + 1 / 3)},
    "costs": {"standard_deviation": 1.0, "costs": {"A": 1 / 3, "µ": 2.0, "C": 1.0}},
    "units": {"standard_deviation": 1.0, "units": {"fever": "°C"}},
    "features": {"standard_deviation": 1.0, "features": np.eye(3) / 3},
    "region": {"standard_deviation": 1.0, "polyhedron": pc.Polyhedron([[1 / 3, 0, 1]], [0.1])},
}
READERS = {"features": pc.GEGE(), "region": pc.ECAPE(), "unknown": pc.TrackAndStop()}


@pytest.mark.parametrize("name", DESIGNS)
def test_every_design_is_restored(name, tmp_path):
    session = lab.Session(READERS.get(name, pc.Certified()), **NAMED, **DESIGNS[name])
    session.save(tmp_path / "session.json")
    design = lab.load_session(tmp_path / "session.json").design
    parts = {part: value for part, value in vars(session.design).items() if part != "problem"}
    for part, value in parts.items():
        np.testing.assert_array_equal(getattr(design, part), value, err_msg=part)


def refuse(path, message):
    with pytest.raises(ValueError, match=message) as caught:
        lab.load_session(path)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("part", [0.0, 0.5, 0.99])
def test_a_truncated_file_is_refused(part, tmp_path):
    begun().save(tmp_path / "session.json")
    text = (tmp_path / "session.json").read_text()
    (tmp_path / "session.json").write_text(text[: int(part * len(text))])
    refuse(tmp_path / "session.json", "truncated")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.5", "0.6", "checksum"),
        ('"version":8', '"version":9', "version 9 of the format; expected 8"),
        ('"version":8', '"version":8.0', "version 8.0"),
        ("pareto_core session", "another program", "is not a session file"),
    ],
)
def test_an_altered_file_is_refused(old, new, message, tmp_path):
    begun().save(tmp_path / "session.json")
    text = (tmp_path / "session.json").read_text()
    assert old in text
    (tmp_path / "session.json").write_text(text.replace(old, new))
    refuse(tmp_path / "session.json", message)


@pytest.mark.parametrize("content", [b"[]", b"\xff\xfe\x00", b"[" * 10**5, b"arm,x\n"])
def test_a_foreign_file_is_refused_and_not_overwritten(content, tmp_path):
    (tmp_path / "table").write_bytes(content)
    refuse(tmp_path / "table", "not a session file")
    with pytest.raises(ValueError, match="is not a session file"):
        lab.Session(CHEAP, 4, 2, 1.0).save(tmp_path / "table")
    assert (tmp_path / "table").read_bytes() == content


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such folder"):
        lab.Session(CHEAP, 4, 2, 1.0).save(tmp_path / "folder" / "session.json")
    assert os.listdir(tmp_path) == []


def begun(tubes="pqrs", first=0.5, **settings):
    """A session with waiting rewards."""
    algorithm = settings.pop("algorithm", pc.Certified())
    session = lab.Session(algorithm, 4, 2, **{"standard_deviation": 1.0, **settings})
    rewards = [first, 1.0, 3.0, 4.0]
    table = {"arm": [0, 0, 1, 1], 0: rewards, 1: rewards, "tube": [*tubes]}
    session.tell_all(table, id="tube")
    return session


def bounded(most=9.0):
    """The same session, but for the noise, of which a bound follows from the range of rewards."""
    return begun(standard_deviation=None, bounds=(-9.0, most))


def correlated(covariance=0.5):
    """The same session, but for the noise, whose covariance is known."""
    return begun(standard_deviation=None, covariance=[[1.0, covariance], [covariance, 1.0]])


def changed(method, *arguments, **given):
    """The same session after one more call."""
    session = begun()
    getattr(session, method)(*arguments, **given)
    return session


def hidden():
    """The remaining rewards are those of `begun`, but a different one was told."""
    session = begun(first=0.4)
    session.withdraw(0, [0.4, 0.4], instead=[0.5, 0.5])
    return session


@pytest.mark.parametrize(
    ("kept", "other"),
    [
        (begun, lambda: lab.Session(pc.Certified(), 4, 2, 1.0)),
        (begun, lambda: begun(algorithm=pc.Certified(delta=0.2))),
        (begun, lambda: begun(standard_deviation=2.0)),
        (bounded, lambda: bounded(8.0)),
        (correlated, lambda: correlated(0.4)),
        (begun, lambda: begun(first=0.6)),
        (begun, lambda: begun("pqrt")),
        (begun, hidden),
        (lambda: changed("withdraw", 0, [0.5, 0.5], instead=[0.6, 0.6]), begun),
        (lambda: changed("retire", 3, "sold out", still_counts=True), begun),
        (lambda: begun(budget=30), begun),
        (lambda: begun(budget=40), lambda: begun(budget=30)),
        (lambda: changed("add_arm", made_from_data=False), begun),
        (lambda: changed("ask_many", 10), begun),
    ],
)
def test_a_different_session_is_not_overwritten(kept, other, tmp_path):
    path = tmp_path / "session.json"
    kept().save(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="holds a different session, or observations"):
        other().save(path)
    assert path.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == [f".{path.name}.lock", path.name]


FILES = Path(__file__).with_name("files")


@pytest.mark.parametrize(
    "name",
    ["version_7.json", "version_7_late.json"],  # as version 0.9.0 wrote them
)
def test_a_file_of_the_first_published_version_is_read(name, tmp_path):
    """Missing and withdrawn rewards, and rewards of a retired arm that were told later."""
    path = tmp_path / name
    path.write_bytes((FILES / name).read_bytes())
    session, old = lab.load_session(path), json.loads(path.read_text())["content"]
    plain = [[arm, [None if x != x else x for x in reward]] for arm, reward in used(session)]
    assert plain == old["observations"]
    (retired,) = session.retired
    assert (retired.arm, retired.samples) == ("C", old["retired"][0][3])
    assert [each.reason for each in session.withdrawn] == [each[5] for each in old["withdrawn"]]
    assert session.outstanding.tolist() == old["outstanding"]
    assert session.spent == np.dot(old["costs"] or [1] * 3, np.add(old["paid"], old["outstanding"]))
    ids = [name for _, _, name in old["journal"]]
    assert session.data().drop_duplicates("number")["id"].tolist() == ids
    session.save(path)
    assert state_of(lab.load_session(path)) == state_of(session)


@pytest.mark.parametrize(("is_forced", "exploration"), [(True, "square_root"), (False, "none")])
def test_the_exploration_of_earlier_files_is_read(is_forced, exploration, tmp_path):
    """Version 0.9.0 had a flag."""
    path, algorithm = tmp_path / "session.json", pc.TopTwoIDS(exploration=exploration)
    session = lab.Session(algorithm, 3, 2, 1.0)
    session.save(path)
    parameters = json.loads(path.read_text())["content"]["parameters"]
    del parameters["exploration"]
    rewrite(path, parameters={**parameters, "forced_exploration": is_forced})
    assert lab.load_session(path).algorithm == algorithm
