"""Files of kept answers are read as written, and an error names a damaged file."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pareto_book.kept_runs.budgets.files import (
    KeptAnswers,
    read_answers,
    write_answers,
)

ABOUT = {"instance": "here", "seed": 3, "versions": {}}


def random_answers(name, shape, n_arms, n_answers, rng):
    """Answers that are drawn from a few distinct ones, some of which no run gives."""
    answers = np.unique(rng.random((n_answers, n_arms)) < 0.5, axis=0)
    which = rng.integers(len(answers), size=shape)
    return KeptAnswers("here", name, f"{name}()", tuple(range(1, shape[0] + 1)), 3, answers, which)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(1, 30)), min_size=1, max_size=4),
    st.integers(2, 20),
    st.integers(1, 400),
    st.integers(0, 99),
)
def test_a_file_is_read_as_it_was_written(tmp_path_factory, shapes, n_arms, n_answers, seed):
    path = tmp_path_factory.mktemp("kept") / "here.npz"
    rng = np.random.default_rng(seed)
    kept = [random_answers(f"{k}", shape, n_arms, n_answers, rng) for k, shape in enumerate(shapes)]
    write_answers(path, ABOUT, kept)
    about, found = read_answers(path)
    assert about == ABOUT
    for ours, theirs in zip(found, kept, strict=True):
        for field in ("instance", "name", "algorithm", "budgets", "seed"):
            assert getattr(ours, field) == getattr(theirs, field)
        np.testing.assert_array_equal(ours.answers[ours.which], theirs.answers[theirs.which])
        optimal = theirs.answers[0]
        wrong = (theirs.answers[theirs.which] != optimal).any(axis=2)
        np.testing.assert_array_equal(ours.wrong(optimal), wrong)
    times = np.bincount(np.concatenate([each.which.ravel() for each in found]))
    assert len(times) == len(found[0].answers)
    assert (np.diff(times) <= 0).all() and times.min() > 0


def written(folder):
    path = folder / "here.npz"
    kept = random_answers("one", (2, 5), 4, 3, np.random.default_rng(0))
    write_answers(path, ABOUT, [kept])
    return path


@pytest.mark.parametrize("damage", [lambda b: b[:-30], lambda b: b"", lambda b: b"text"])
def test_a_damaged_file_is_named(tmp_path, damage):
    path = written(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=r"here\.npz is damaged"):
        read_answers(path)


@pytest.mark.parametrize(
    "change", [{"which": np.zeros(3, np.uint8)}, {"which": np.full(10, 9, np.uint8)}]
)
def test_a_file_that_is_not_whole_is_refused(tmp_path, change):
    path = written(tmp_path)
    with np.load(path) as arrays:
        content = dict(arrays)
    np.savez(path, **{**content, **change})
    with pytest.raises(ValueError, match=r"here\.npz is damaged"):
        read_answers(path)
