"""Malicious session files with a valid checksum."""

import json
import os
import stat

import pytest

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.experiment import session_file

CHEAP = pc.UniformSampling(budget=12)
HOSTILE = (
    None,
    True,
    -1,
    1.5,
    10**14,
    10**400,
    float("nan"),
    float("inf"),
    1e308,
    "1",
    [],
    [None],
    ["1", "2"],
    {"a": 1},
)


def saved(path):
    """Save a session with every kind of event and values in every field; return the content."""
    session = lab.Session(
        pc.Certified(pc.UniformSampling()),
        arms=["A", "B", "C", "D"],
        objectives={"yield": "max", "cost": "min"},
        units={"cost": "h"},
        costs=[1.0, 2.0, 1.0, 1.0],
        budget=30.0,
        standard_deviation=1.0,
    )
    session.ask_many(9)
    for arm, reward in (("A", 0.25), ("C", 0.5), ("A", 0.75), ("B", 1.25), ("A", 1.5)):
        session.tell(arm, [reward, -reward], id=f"{arm} {reward}")
    session.withdraw("A", [1.5, -1.5], instead=[1.0, -1.0], reason="scale")
    session.withdraw("A", [1.0, -1.0])
    session.retire("D", "sold out", still_counts=True)
    session.add_arm("E", made_from_data=False, cost=1.0)
    session.raise_budget(40.0)
    session.ask()
    session.save(path)
    return json.loads(path.read_text())["content"]


def write(path, content):
    document = {"format": session_file.FORMAT, "version": session_file.VERSION}
    document |= {"sha256": session_file.digest(content), "content": content}
    path.write_text(json.dumps(document))


def places(content, path=()):
    """Paths of all values of a content, at any depth."""
    items = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


def replaced(content, place, value):
    changed = json.loads(json.dumps(content))
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("events", 0, 0), "lost", "event 'lost'; expected one of asked, told"),
        (("events", 0, 1, 0), 4, "arm = 4; expected at most 3"),
        (("events", 1, 1, 0, 2), "noon", "time = 'noon'; expected null or a time"),
        (("events", 1, 1, 0, 3), "", "identifier = '' is empty"),
        (("events", 3, 1, 0, 3), "A 0.25", "sample 'A 0.25' is arm A, .* told before as"),
        (("events", 6, 2), 3, "rank = 3; expected at most 2"),
        (("events", 7, 4), 1, "counted = 1; expected"),
        (("events", 7, 5), None, "reason = None; expected a str"),
        (("events", 8, 1), 4, "arm = 4; expected at most 3"),
        (("events", 8), ["resumed", [], [[3, "why", True]], []], "argument 2 is shorter"),
        (("events", 8), ["resumed", [], [[3, "why", True]], [-1]], "samples = -1; expected"),
        (("events", 8), ["resumed", [], [[3, "why", True]] * 2, [0, 0]], "expected every arm once"),
        (("events", 9), ["retired", 3, "why", True], "arm = 'D' is retired already"),
        (("used", 0), 1, "observation 1 is of arm 1, but Certified asks for arm 0"),
        (("used",), [0], "used has 1 observations, but Certified uses "),
        (("algorithm",), "Session", "algorithm = 'Session'"),
        (("parameters", "speed"), 2, "speed"),
        (("unknown",), 1, "expected parameters, algorithm"),
        (("next_arm",), 3, "next_arm = 3, but after the observations"),
        (("ended_by",), "budget", "ended_by = 'budget', but after the observations"),
        (("predecessors",), {}, r"predecessors = \{\}; expected a list"),
    ],
)
def test_what_is_wrong_is_named(place, value, message, tmp_path):
    content, path = saved(tmp_path / "session.json"), tmp_path / "hostile.json"
    write(path, replaced(content, place, value))
    with pytest.raises(ValueError, match=message) as caught:
        lab.load_session(path)
    assert str(caught.value).startswith(str(path))


@pytest.mark.slow
@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: f"{value!r:.12}")
def test_any_value_at_any_position_is_refused_or_harmless(value, tmp_path):
    """If such a file is restored, its session can be saved and restored again."""
    content = saved(tmp_path / "session.json")
    path = tmp_path / "hostile.json"
    for place in places(content):
        changed = replaced(content, place, value)
        if changed == content and repr(changed) == repr(content):
            continue
        write(path, changed)
        try:
            session = lab.load_session(path)
        except ValueError as error:
            assert str(error).startswith(str(path)), (place, error)
            continue
        session.save(tmp_path / "again.json")
        assert lab.load_session(tmp_path / "again.json").ask() == session.ask(), place
        (tmp_path / "again.json").unlink()


def test_a_session_is_not_saved_over_a_hostile_file(tmp_path):
    content = saved(tmp_path / "session.json")
    session = lab.load_session(tmp_path / "session.json")
    for place, value in ((("events", 1, 1, 0), "0"), (("events",), None)):
        write(tmp_path / "hostile.json", replaced(content, place, value))
        with pytest.raises(ValueError, match="holds a different session"):
            session.save(tmp_path / "hostile.json")


def test_a_planted_link_is_not_followed(tmp_path):
    target = tmp_path / "diary"
    target.write_text("mine")
    for name in (".mine.json.partial", ".mine.json.0.partial"):
        (tmp_path / name).symlink_to(target)
    lab.Session(CHEAP, 4, 2, 1.0).save(tmp_path / "mine.json")
    assert target.read_text() == "mine"
    assert lab.load_session(tmp_path / "mine.json").samples == 0


def test_a_file_that_is_not_writable_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "mine.json"
    session = lab.Session(CHEAP, 4, 2, 1.0)
    session.save(path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for anyone but root after chmod 444
    session.tell(session.ask(), [0.0, 1.0])
    with pytest.raises(PermissionError, match="not writable"):
        session.save(path)
    assert path.read_bytes() == before


def test_a_file_keeps_its_mode(tmp_path):
    path, session = tmp_path / "mine.json", lab.Session(CHEAP, 4, 2, 1.0)
    session.save(path)
    for mode in (0o600, 0o644):
        path.chmod(mode)
        session.save(path)
        assert stat.S_IMODE(path.stat().st_mode) == mode


def test_pipes_loops_and_folders_are_refused(tmp_path):
    pipe, loop, folder = (tmp_path / name for name in ("pipe", "loop", "folder"))
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    folder.mkdir()
    for call in (lab.load_session, lab.Session(CHEAP, 4, 2, 1.0).save):
        for path in (pipe, folder):
            with pytest.raises(ValueError, match=rf"{path.name} is not a regular file"):
                call(path)
        with pytest.raises(OSError, match="Too many levels of symbolic links"):
            call(loop)
