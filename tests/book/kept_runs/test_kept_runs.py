"""Files of kept runs: what is written is read, and what is damaged is named."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.kept_runs import kept

from pareto_book.kept_runs.kept_runs import COLUMNS, file_of, read_kept, write_kept

ABOUT = {"place": "here", "question": "Pareto set", "seed": 3, "max_samples": 100}


def assert_same(found, expected):
    for name in ("place", "name", "algorithm", "delta", "seed", "microseconds"):
        assert getattr(found, name) == getattr(expected, name)
    for name, kind in COLUMNS.items():
        values = getattr(found, name)
        assert values.dtype == kind
        np.testing.assert_array_equal(values, getattr(expected, name))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 50), min_size=1, max_size=5))
def test_what_is_written_is_read(tmp_path_factory, sizes):
    path = tmp_path_factory.mktemp("kept") / "here.npz"
    expected = [kept(f"algorithm {k}", 10.0**-k, runs) for k, runs in enumerate(sizes, 1)]
    write_kept(path, ABOUT, expected)
    about, found = read_kept(path)
    assert about == ABOUT
    for ours, theirs in zip(found, expected, strict=True):
        assert_same(ours, theirs)
    assert [each.name for each in path.parent.iterdir()] == ["here.npz"]


def test_the_same_runs_give_the_same_file(tmp_path):
    for name in ("a.npz", "b.npz"):
        write_kept(tmp_path / name, ABOUT, [kept()])
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def truncated(content):
    return content[: len(content) // 2]


def garbled(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :]


@pytest.mark.parametrize("damage", [truncated, garbled, lambda content: b"", lambda content: b"hm"])
def test_a_damaged_file_is_named(tmp_path, damage):
    path = tmp_path / "here.npz"
    write_kept(path, ABOUT, [kept(runs=2000)])
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=r"here\.npz"):
        read_kept(path)


@pytest.mark.parametrize("change", [{"format": 2}, {"lines": []}])
def test_a_file_of_another_kind_is_named(tmp_path, change):
    path = tmp_path / "here.npz"
    write_kept(path, ABOUT, [kept()])
    with np.load(path) as arrays:
        columns = dict(arrays)
    columns["about"] = np.array(json.dumps(json.loads(str(columns["about"])) | change))
    np.savez(path, **columns)
    with pytest.raises(ValueError, match=r"here\.npz"):
        read_kept(path)


def test_names_of_files_are_plain():
    assert file_of("COV-BOOST, IgG") == "cov_boost__igg.npz"
