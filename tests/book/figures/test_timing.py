"""Programs are called in turn, and the time of each call is measured separately."""

import time

from pareto_book.figures.timing import seconds_side_by_side


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
