"""The words that type checkers know are those that the package accepts."""

import re
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from references.algorithms import example_of

import pareto_core as pc
import pareto_lab as lab
from pareto_core.algorithms.registry import algorithms_by_name

MEANS = [[1.0, 0.0], [0.0, 1.0]]


def words_of(function, parameter):
    """What a parameter may be by its hint: the words of one Literal, or of a union's."""
    hint = get_type_hints(function)[parameter]
    parts = [hint] if get_origin(hint) is Literal else get_args(hint)
    return {word for part in parts if get_origin(part) is Literal for word in get_args(part)}


def expected_by(call):
    """The words that the package expects, by its own message."""
    with pytest.raises(ValueError, match=r"'no such word'; expected .*one of") as caught:
        call("no such word")
    found = re.search(r"one of ([^(]*?)( \(|$)", str(caught.value))[1]
    return {each.strip("'") for each in re.findall(r"'[^']*'|[^, ][^,]*", found)}


def test_algorithms_accept_what_their_hints_say():
    wrong = []
    for name, kind in algorithms_by_name().items():
        for field, hint in get_type_hints(kind).items():
            if get_origin(hint) is Literal:
                expected = expected_by(
                    lambda word, kind=kind, field=field: example_of(kind, **{field: word})
                )
                wrong += [f"{name}.{field}"] * (expected != words_of(kind, field))
    assert wrong == []


SESSION = lab.Session(pc.APE(), 2, 1, 1.0)


@pytest.mark.parametrize(
    ("function", "arguments", "parameter"),
    [
        (pc.gaps, (MEANS,), "definition"),
        (pc.transport_cost, (MEANS, [1, 1]), "method"),
        (pc.transport_cost, (MEANS, [1, 1]), "problem"),
        (pc.characteristic_time, (MEANS,), "problem"),
        (pc.proven_evidence, ([1, 1], MEANS), "rule"),
        (pc.Certificate, (2, 2), "rule"),
        (pc.Certificate, (2, 2), "standard_deviation"),
        (pc.Instance, (MEANS,), "noise"),
        (pc.simulate, (pc.APE(), pc.Instance(MEANS), 1), "backend"),
        (SESSION.status, (), "rule"),
        (SESSION.status, (), "standard_deviation"),
    ],
)
def test_a_function_accepts_what_its_hints_say(function, arguments, parameter):
    hinted = function.__init__ if isinstance(function, type) else function
    expected = expected_by(lambda word: function(*arguments, **{parameter: word}))
    assert expected == words_of(hinted, parameter)
