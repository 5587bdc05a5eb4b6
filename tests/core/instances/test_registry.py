"""Every instance through one door: names, names with parameters, and a reader's function."""

import dataclasses

import numpy as np
import pytest
from references.instances import required_values

import pareto_core as pc
from pareto_core.instances.registry import as_instance

MODULE = """
import pareto_core as pc
NOT_A_FUNCTION = 3

def arms(n=2, rng=None):
    return pc.Instance(rng.standard_normal((n, 2)), name="mine")

def nothing():
    return None
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module of the reader's, in the current folder."""
    (tmp_path / "mine_of_the_reader.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return "mine_of_the_reader"


def same(first, second):
    return all(
        np.array_equal(getattr(first, field.name), getattr(second, field.name))
        for field in dataclasses.fields(pc.Instance)
        if field.name not in ("observations", "polyhedron")
    )


@pytest.mark.parametrize("name", pc.instance_names())
def test_every_name_can_be_loaded(name):
    values = required_values(name)
    call = f"{name}({', '.join(map(repr, values.values()))})" if values else name
    instance = pc.load_instance(call)
    assert instance.n_arms >= 2
    assert same(instance, pc.load_instance(name, **values))
    if not values:
        assert instance.name == name  # as the documentation of Instance says


def test_parameters_in_the_name_and_by_keyword_are_the_same():
    rng = np.random.default_rng(2)
    expected = pc.generators.spherical_front(5, 3, rng, 1.0)
    for found in (
        pc.load_instance("spherical_front(5, 3, radius=1.0, seed=2)"),
        pc.load_instance("spherical_front(5, 3, 1.0)", seed=2),
        pc.load_instance("spherical_front", n_front=5, n_objectives=3, radius=1.0, seed=2),
    ):
        assert same(found, expected)


def test_seed_is_zero_by_default():
    expected = pc.generators.staircase_front(5, np.random.default_rng(0))
    assert same(pc.load_instance("staircase_front(5)"), expected)
    assert same(pc.load_instance("staircase_front(5, seed=0)"), expected)
    assert not same(pc.load_instance("staircase_front(5, seed=1)"), expected)


def test_a_function_of_the_reader_s_own(module):
    instance = pc.load_instance(f"{module}:arms(n=3, seed=7)")
    assert instance.name == "mine"
    expected = np.random.default_rng(7).standard_normal((3, 2))
    assert (instance.means == expected).all()
    assert same(pc.load_instance(f"{module}:arms", n=3, seed=7), instance)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (":NOT_A_FUNCTION", "is 3; expected a function"),
        (":nothing", "returned None; expected an Instance"),
        (":arms(m=3)", r"unexpected keyword argument 'm'; expected .*:arms\(n=2, \*, seed=0\)"),
        (":missing", "can't be imported: .*missing"),
        ("_elsewhere:arms", "can't be imported: No module named"),
    ],
)
def test_a_wrong_function_of_the_reader_s_is_named(module, name, message):
    with pytest.raises(ValueError, match=rf"^name = '{module}.*{message}"):
        pc.load_instance(module + name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("two_stage_hard", r"missing a required argument: 'epsilon'; .* two_stage_hard\(epsilon\)"),
        ("two_stage_hard(0.1, 2)", r"too many positional arguments; .* two_stage_hard\(epsilon\)"),
        ("staircase_front(5, rng=1)", r"keyword argument 'rng'; expected .*, seed=0\)"),
        ("ege_2(seed=1)", r"keyword argument 'seed'; expected ege_2\(\)"),
        ("two_stage_hard(x)", r"expected parameters that are Python literals, such as two_stage"),
        ("two_stage_hard(", r"expected \"module:function\" or one of .*two_stage_hard"),
        ("cov_bost", "did you mean 'cov_boost'"),
        ("cov_boost_precision", "did you mean 'cov_boost_full_precision'"),
        *(
            (name, 'expected "module:function" or one of constrained_hypercube, .*, cov_boost, ')
            for name in ("", None, 3, ["cov_boost"])
        ),
    ],
)
def test_wrong_parameters_are_named(name, message):
    with pytest.raises(ValueError, match=f"^name = .*{message}"):
        pc.load_instance(name)


def test_values_out_of_range_are_named():
    with pytest.raises(ValueError, match=r"^epsilon = 0.7; expected a number below 0.5"):
        pc.load_instance("two_stage_hard(0.7)")
    with pytest.raises(ValueError, match=r"^seed = -1; expected an integer"):
        pc.load_instance("staircase_front(5, seed=-1)")
    with pytest.raises(ValueError, match=r"with epsilon = 0.2; expected one of"):
        pc.load_instance("two_stage_hard(epsilon=0.1)", epsilon=0.2)


def test_an_instance_is_taken_as_it_is():
    instance = pc.Instance([[0.0], [1.0]])
    assert as_instance(instance) is instance
    assert same(as_instance("snw"), pc.load_instance("snw"))
    with pytest.raises(ValueError, match=r"^instance = 3; expected an Instance"):
        as_instance(3)
