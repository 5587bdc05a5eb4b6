"""Files of kept runs are read as written, and an error names a damaged file."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.kept_runs import random_runs

from pareto_book.kept_runs.archives import archive_name
from pareto_book.kept_runs.run_files import COLUMNS, read_run_file, write_run_file

ABOUT = {"place": "here", "question": "Pareto set", "seed": 3, "versions": {}}


def assert_same(found, expected):
    for name in ("instance", "name", "algorithm", "delta", "seed", "microseconds"):
        assert getattr(found, name) == getattr(expected, name)
    for name, kind in COLUMNS.items():
        values = getattr(found, name)
        assert values.dtype == kind
        np.testing.assert_array_equal(values, getattr(expected, name))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 50), min_size=1, max_size=5))
def test_a_file_is_read_as_it_was_written(tmp_path_factory, sizes):
    path = tmp_path_factory.mktemp("kept") / "here.npz"
    expected = [random_runs(f"algorithm {k}", 10.0**-k, runs) for k, runs in enumerate(sizes, 1)]
    write_run_file(path, ABOUT, expected)
    about, found = read_run_file(path)
    assert about == ABOUT
    for ours, theirs in zip(found, expected, strict=True):
        assert_same(ours, theirs)
    assert [each.name for each in path.parent.iterdir()] == ["here.npz"]


def test_the_same_runs_give_the_same_file(tmp_path):
    for name in ("a.npz", "b.npz"):
        write_run_file(tmp_path / name, ABOUT, [random_runs()])
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def truncated(content):
    return content[: len(content) // 2]


def garbled(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :]


@pytest.mark.parametrize("damage", [truncated, garbled, lambda content: b"", lambda content: b"hm"])
def test_the_error_names_a_damaged_file(tmp_path, damage):
    path = tmp_path / "here.npz"
    write_run_file(path, ABOUT, [random_runs(runs=2000)])
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=r"here\.npz"):
        read_run_file(path)


@pytest.mark.parametrize("change", [{"format": 2}, {"lines": []}])
def test_the_error_names_a_file_of_a_different_format(tmp_path, change):
    path = tmp_path / "here.npz"
    write_run_file(path, ABOUT, [random_runs()])
    with np.load(path) as arrays:
        columns = dict(arrays)
    columns["about"] = np.array(json.dumps(json.loads(str(columns["about"])) | change))
    np.savez(path, **columns)
    with pytest.raises(ValueError, match=r"here\.npz"):
        read_run_file(path)


def test_file_names_have_no_special_characters():
    assert archive_name("COV-BOOST, IgG") == "cov_boost__igg.npz"
