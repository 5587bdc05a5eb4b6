"""Session files: restored sessions continue in the same way, and damage is detected."""

import dataclasses
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from references.sessions import (
    ALGORITHMS,
    CHEAP,
    FEATURES,
    name_of,
    new_session,
    one_at_a_time,
    queues_of_rewards,
    state_of,
    used,
)

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.experiment import session_file

DEAR = [
    pytest.param(each, marks=pytest.mark.compiled) if isinstance(each, pc.WidestBox) else each
    for each in ALGORITHMS
]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", DEAR, ids=name_of)
def test_a_session_restored_after_every_sample_continues_in_the_same_way(algorithm, tmp_path):
    rng, rewards, told = np.random.default_rng(1), queues_of_rewards(1), np.zeros(4, int)
    kept, restored = new_session(algorithm), new_session(algorithm)
    path = tmp_path / "session.json"
    late = 0
    while not kept.finished or kept.outstanding.any():
        restored.save(path)
        restored = lab.load_session(path)
        assert restored.algorithm == algorithm
        assert state_of(restored) == state_of(kept)
        if not kept.finished:
            n = int(rng.integers(1, 5))
            assert restored.ask_many(n) == kept.ask_many(n)
            if rng.random() < 0.3:
                assert restored.ask() == kept.ask()
        late += kept.finished
        arm = int(rng.choice(np.flatnonzero(kept.outstanding)))
        for session in (kept, restored):
            session.tell(arm, rewards[arm, told[arm]])
        told[arm] += 1
    restored.save(path)
    assert state_of(lab.load_session(path)) == state_of(kept)
    assert used(lab.load_session(path)) == used(kept)
    assert kept.samples + kept.waiting.sum() == told.sum()
    assert kept.waiting.sum() >= late


def test_every_bit_of_every_number_is_saved(tmp_path):
    awkward = [[1 / 3, -0.0], [5e-324, 1.7e149], [-1e-300, np.nextafter(1, 2)], [1e22, 0.1 + 0.2]]
    algorithm = pc.UniformSampling(budget=np.int64(12), delta=np.float64(0.1))
    session = lab.Session(algorithm, 4, 2, 1 / 3)
    for reward in awkward:
        session.tell(session.ask(), reward)
    session.save(tmp_path / "session.json")
    restored = lab.load_session(str(tmp_path / "session.json"))
    for (_, reward), expected in zip(used(restored), awkward, strict=True):
        assert np.array(reward).tobytes() == np.array(expected).tobytes()
    assert restored.design.standard_deviation == 1 / 3
    assert restored.algorithm == algorithm


def test_features_and_region_are_saved(tmp_path):
    region = pc.Polyhedron([[1 / 3, 0.0]], [0.1])
    lab.Session(pc.GEGE(), 4, 2, 1.0, features=FEATURES / 3).save(tmp_path / "linear.json")
    assert (lab.load_session(tmp_path / "linear.json").design.features == FEATURES / 3).all()
    lab.Session(pc.ECAPE(), 4, 2, 1.0, polyhedron=region).save(tmp_path / "constrained.json")
    assert lab.load_session(tmp_path / "constrained.json").design.polyhedron == region


def half_way(path, algorithm=CHEAP):
    """A saved session with used, waiting and outstanding samples."""
    session = lab.Session(algorithm, 4, 2, 1.0)
    session.ask_many(9)
    for arm, reward in ((0, 0.25), (2, 0.5), (0, 0.75), (0, 1.0), (1, 1.25), (1, 1.5)):
        session.tell(arm, [reward, -reward])
    session.ask()
    session.save(path)
    return session


def rewrite(path, change):
    """Change the content of a file, and correct its checksum."""
    document = json.loads(path.read_text())
    change(document["content"])
    document["sha256"] = session_file.digest(document["content"])
    path.write_text(json.dumps(document))


def is_refused(path, message):
    with pytest.raises(ValueError, match=message) as caught:
        lab.load_session(path)
    assert str(caught.value).startswith(str(path))
    return True


@pytest.mark.parametrize("part", [0.0, 0.01, 0.5, 0.99])
def test_a_truncated_file_is_refused(part, tmp_path):
    half_way(tmp_path / "session.json")
    text = (tmp_path / "session.json").read_text()
    (tmp_path / "session.json").write_text(text[: int(part * len(text))])
    assert is_refused(tmp_path / "session.json", "truncated")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.25", "0.26", "checksum"),
        ('"next_arm":1', '"next_arm":2', "checksum"),
        ('"version":8', '"version":9', "version 9 of the format; expected 8"),
        ('"version":8', '"version":6', "version 6 of the format; expected 8"),
        ('"version":8', '"version":null', "version None"),
        ("pareto_core session", "another program", "is not a session file"),
        ('"delta":0.1', '"delta":0.2', "checksum"),
    ],
)
def test_an_altered_file_is_refused(old, new, message, tmp_path):
    half_way(tmp_path / "session.json")
    text = (tmp_path / "session.json").read_text()
    changed = text.replace(old, new)
    assert changed != text
    (tmp_path / "session.json").write_text(changed)
    assert is_refused(tmp_path / "session.json", message)


@pytest.mark.parametrize("content", [b"[]", b"7", b"\xff\xfe\x00", b"[" * 10**5, b"{}", b"arm,x\n"])
def test_a_foreign_file_is_refused(content, tmp_path):
    (tmp_path / "table").write_bytes(content)
    assert is_refused(tmp_path / "table", "not a session file")


CHANGES = {
    "arm": (lambda c: c["used"].__setitem__(2, 3), "observation 3 is of arm 3, but Uniform"),
    "more": (lambda c: c["used"].extend([0] * 9), "observation 6"),
    "less": (lambda c: c["used"].pop(), "used has 4 observations, but UniformSampling uses 5"),
    "told": (lambda c: c["events"].pop(3), "observation 3"),
    "next": (lambda c: c.update(next_arm=3), "next_arm = 3, but"),
    "finished": (lambda c: c.update(ended_by="answer"), "ended_by = 'answer'"),
    "budget": (lambda c: c["parameters"].update(budget=4), "observation 2"),
    "class": (lambda c: c.update(algorithm="Session"), "algorithm = 'Session'"),
    "base": (lambda c: c.update(algorithm="Algorithm"), "algorithm = 'Algorithm'"),
    "field": (lambda c: c["parameters"].update(speed=2), "speed"),
    "value": (lambda c: c["parameters"].update(delta=2), "delta = 2"),
    "reward": (lambda c: c["events"][1][1][0].__setitem__(1, [1]), "reward"),
    "size": (lambda c: c.update(n_arms=3), "observation 4 is of arm 1"),
    "missing": (lambda c: c.pop("events"), "expected parameters, algorithm"),
    "shape": (lambda c: c.update(events=3), "can't be restored"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_file_changed_by_hand_is_detected_by_the_replay(name, tmp_path):
    half_way(tmp_path / "session.json")
    change, message = CHANGES[name]
    rewrite(tmp_path / "session.json", lambda content: None)
    lab.load_session(tmp_path / "session.json")
    rewrite(tmp_path / "session.json", change)
    assert is_refused(tmp_path / "session.json", message)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"session\.json"):
        lab.load_session(tmp_path / "session.json")


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such folder"):
        lab.Session(CHEAP, 4, 2, 1.0).save(tmp_path / "folder" / "session.json")
    assert os.listdir(tmp_path) == []


def test_a_design_is_restored(tmp_path):
    session = lab.Session(
        pc.UniformSampling(budget=4),
        arms=["A", "µ"],
        objectives={"yield": "max", "fever": "min"},
        units={"fever": "°C"},
        standard_deviation=[[1.0, 2.0], [3.0, 1 / 3]],
        costs={"A": 1 / 3, "µ": 2.0},
    )
    session.tell("A", [1.0, 2.0])
    session.save(tmp_path / "session.json")
    design = lab.load_session(tmp_path / "session.json").design
    for name, value in vars(session.design).items():
        np.testing.assert_array_equal(getattr(design, name), value, err_msg=name)


def test_a_later_state_replaces_an_earlier_one(tmp_path):
    path = tmp_path / "session.json"
    session = half_way(path)
    session.save(path)
    restored = lab.load_session(path)
    restored.tell(restored.ask(), [2.0, 2.0])
    restored.save(path)
    assert used(lab.load_session(path)) == used(restored)
    with pytest.raises(
        ValueError, match=r"session\.json holds a different session, or observations"
    ):
        session.save(path)  # lacks one observation
    assert used(lab.load_session(path)) == used(restored)


def write_fresh(path):
    lab.Session(CHEAP, 4, 2, 1.0).save(path)


def write_other_risk(path):
    half_way(path, dataclasses.replace(CHEAP, delta=0.2))


def write_other_reward(path):
    session = lab.Session(CHEAP, 4, 2, 1.0)
    session.tell(0, [0.0, 0.0])
    session.save(path)


@pytest.mark.parametrize("write", [write_fresh, write_other_risk, write_other_reward])
def test_a_different_session_is_not_overwritten(write, tmp_path):
    path = tmp_path / "session.json"
    half_way(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="a different session"):
        write(path)
    assert path.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == [f".{path.name}.lock", path.name]


def test_a_different_file_is_not_overwritten(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("precious\n")
    with pytest.raises(ValueError, match="is not a session file"):
        lab.Session(CHEAP, 4, 2, 1.0).save(table)
    assert table.read_text() == "precious\n"


def test_a_failed_write_leaves_the_earlier_file(tmp_path, monkeypatch):
    path = tmp_path / "session.json"
    session = half_way(path)
    before = path.read_bytes()

    def fail(descriptor):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    session.tell(session.ask(), [0.0, 0.0])
    with pytest.raises(OSError, match="disk full"):
        session.save(path)
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


def test_explanations_are_restored(tmp_path):
    session = one_at_a_time(new_session(pc.ECAPE()), queues_of_rewards(3))
    session.save(tmp_path / "session.json")
    restored = lab.load_session(tmp_path / "session.json")
    pd.testing.assert_frame_equal(lab.explain(restored), lab.explain(session), check_exact=True)
