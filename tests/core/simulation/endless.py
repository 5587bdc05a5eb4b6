"""Algorithms that never stop, and notes of the threads that run them, for interrupted processes."""

import os
import threading
import uuid
from pathlib import Path
from typing import NamedTuple

import numpy as np

import pareto_core as pc

FOLDER = Path(os.environ.get("NOTES", "."))  # of one file for each run that has begun
INSTANCE = pc.Instance([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])


def note():
    """Note that a run has begun, in which process and thread."""
    (FOLDER / f"{os.getpid()}-{threading.get_ident()}-{uuid.uuid4().hex}").touch()


def is_first():
    """Whether no other run has asked this before."""
    try:
        FOLDER.with_name("first").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


class Parameters(NamedTuple):
    work: int


class State(NamedTuple):
    record: pc.Record


@pc.kernel
def in_turn(parameters, state):
    """Arms in turn, after some work: a millisecond for 100,000 steps."""
    x = 0.5
    for _ in range(parameters.work):
        x = np.sin(x + 1.0)
    return (state.record.time[0] + (x > 2.0)) % state.record.counts.size


@pc.kernel
def never(parameters, state):
    return False


@pc.kernel
def nothing_found(parameters, state, answer):
    answer[:] = False


class Compiled(pc.Algorithm):
    select = staticmethod(in_turn)
    stop = staticmethod(never)
    recommend = staticmethod(nothing_found)

    def __init__(self, work=0):
        self.work = work

    def parameters(self, problem):
        return Parameters(self.work)

    def start(self, problem, rng):
        note()
        return State(pc.empty_record(problem))


class Python(pc.PythonAlgorithm):
    """Never stops; with ``fails`` one of the runs raises after some time."""

    def __init__(self, fails=False):
        self.fails = fails

    def start(self, problem, rng):
        note()
        return self.fails and is_first()

    def select(self, record, memory):
        if memory and record.time > 1000:
            raise ValueError("failed on purpose")
        return record.time % record.counts.size

    def stop(self, record, memory):
        return False

    def recommend(self, record, memory):
        return np.zeros(record.counts.size, bool)
