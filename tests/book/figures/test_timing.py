"""Programs are called in turn, and the time of each call is measured separately."""

import time

import pytest

from pareto_book.figures.timing import seconds_side_by_side, shortest_time


def test_the_slower_program_takes_longer_on_every_batch():
    def work(seconds):
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass

    calls = []

    def short(batch):
        calls.append(("short", batch))
        work(0.001)

    def long(batch):
        calls.append(("long", batch))
        work(0.01)

    seconds = seconds_side_by_side([short, long], [(1,), (2,)])
    assert seconds.shape == (2, 2)
    assert (seconds[:, 0] >= 0.001).all()
    assert (seconds[:, 1] >= 0.01).all()
    assert (seconds[:, 1] > seconds[:, 0]).all()
    # one warm-up call of each program, then the timed calls in turn
    assert calls == [("short", 1), ("long", 1)] + [
        (name, batch) for batch in (1, 2) for name in ("short", "long")
    ]


def test_the_shortest_of_several_calls_counts():
    durations = iter([0.02, 0.001, 0.01])

    def work(*arguments, **options):
        end = time.thread_time() + next(durations)
        while time.thread_time() < end:
            pass
        return arguments, options

    seconds, result = shortest_time(work, 1, repeats=3, key="value")
    assert 0.001 <= seconds < 0.01
    assert result == ((1,), {"key": "value"})
    assert next(durations, None) is None


@pytest.mark.parametrize("repeats", [0, -1, 1.5])
def test_an_invalid_number_of_calls_is_refused(repeats):
    with pytest.raises(ValueError, match="repeats"):
        shortest_time(int, repeats=repeats)
