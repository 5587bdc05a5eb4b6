"""Limits of detection: what is beyond a limit is recorded as the limit, and what that proves."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as some

import pareto_core as pc
import pareto_lab as lab

NAMES = {"arms": ["A", "B", "C"], "objectives": {"residue": "min", "yield": "max"}}
LIMITS = {"residue": (0.01, None)}
PROVEN = [
    pc.Certified(),
    pc.Certified(pc.APE(), rule="pairs_subsets"),
    pc.Certified(epsilon=0.5),
    pc.TrackAndStop(threshold="proven"),
    pc.TopTwoIDS(threshold="proven_correlated"),
    pc.TopTwoIDS(threshold="proven", problem="best_arm_per_objective"),
    pc.UniformSampling(threshold="proven"),
    pc.MOBAI(threshold="proven"),
    pc.SeparateTopTwo(threshold="proven"),
]
OTHERS = [
    pc.TrackAndStop(),
    pc.APE(),
    pc.UniformSampling(budget=9),
    pc.MOBAI(),
    pc.SeparateTopTwo(),
    pc.EGE(budget=24),
]


def remark_on_limits(session):
    (text,) = [each.text for each in session.status().remarks if "Limits of" in each.text]
    return text


def new(algorithm=None, deviation=(0.1, 1.0), limits=LIMITS, **rest):
    algorithm = algorithm or pc.Certified(pc.UniformSampling())
    given = {**NAMES, "limits": limits, **rest}
    return lab.Session(algorithm, standard_deviation=deviation, **given)


@pytest.mark.parametrize("algorithm", PROVEN, ids=repr)
def test_values_beyond_a_limit_are_recorded_as_the_limit_and_counted(algorithm):
    session = new(algorithm)
    values = ["<0.01", 0.002, 0.3]
    if algorithm.measures_separately:
        arms, objectives = ["A"] * 4, ["residue"] * 3 + ["yield"]
        session.tell_all({"arm": arms, "objective": objectives, "value": [*values, 0.001]})
    else:
        session.tell_all({"arm": ["A"] * 3, "residue": values, "yield": [0.001] * 3})
    status = session.status()
    assert status.at_limit.tolist() == [[2, 0], [0, 0], [0, 0]]
    np.testing.assert_allclose(status.means[0], [(0.01 + 0.01 + 0.3) / 3, 0.001])
    assert "2 of arm A in residue" in remark_on_limits(session)
    assert status.table["residue, at a limit"].tolist() == [2, 0, 0]


@pytest.mark.parametrize("algorithm", OTHERS, ids=repr)
def test_algorithms_without_a_proven_rule_are_refused(algorithm):
    with pytest.raises(ValueError, match=r"limits = .* has no proof for recorded values"):
        new(algorithm)


def test_unknown_variances_are_refused_where_there_are_limits():
    gaussian = pc.Certified(pc.UniformSampling(), variance="unknown")
    for algorithm, deviation in (
        (gaussian, "unknown"),
        (pc.APE(), "unknown"),
        (None, {"residue": "unknown", "yield": 1.0}),
    ):
        with pytest.raises(ValueError, match=r"limits = .* of unknown variance"):
            new(algorithm, deviation)
    session = new(deviation={"residue": 0.1, "yield": "unknown"})
    with pytest.raises(ValueError, match="limits of detection"):
        session.status(standard_deviation="unknown")
    assert new(deviation={"residue": 0, "yield": 1.0}).design.limits[0] == (0.01, np.inf)


def test_features_and_regions_are_refused():
    features = np.eye(3)
    with pytest.raises(ValueError, match="not linear"):
        new(pc.Certified(pc.TopTwoIDS(linear=True)), features=features)
    constrained = pc.TopTwoIDS(threshold="proven", problem="constrained_pareto_set")
    with pytest.raises(ValueError, match="with a polyhedron"):
        new(constrained, polyhedron=pc.orthant([0.0, -9.0]))


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({}, "expected a mapping"),
        ((0.01, None), "expected a mapping"),
        ({"residu": (0.01, None)}, "did you mean 'residue'"),
        ({"residue": 0.01}, "expected a pair"),
        ({"residue": (0.01,)}, "expected a pair"),
        ({"residue": (None, None)}, "one of the two places"),
        ({"residue": (2.0, 1.0)}, "low < high"),
        ({"residue": (1.0, 1.0)}, "low < high"),
        ({"residue": ("0.01", None)}, "finite numbers, or None"),
        ({"residue": (np.nan, None)}, "finite numbers, or None"),
        ({"residue": (-np.inf, 1.0)}, "finite numbers, or None"),
        ({"residue": (True, None)}, "finite numbers, or None"),
    ],
)
def test_wrong_limits_are_refused(limits, message):
    with pytest.raises(ValueError, match=message):
        new(limits=limits)


def test_limits_lie_within_bounds():
    algorithm = pc.Certified(pc.UniformSampling())
    given = {**NAMES, "bounds": {"residue": (0, 1), "yield": (0, 9)}}
    session = lab.Session(algorithm, **given, limits=LIMITS)
    session.tell("A", [0.0, 1.0])
    assert session.status().at_limit[0].tolist() == [1, 0]
    for limits in ((0, None), (None, 1.5)):
        with pytest.raises(ValueError, match="between its bounds"):
            lab.Session(algorithm, **given, limits={"residue": limits})


def test_texts_that_name_another_number_are_refused():
    session = new(limits={"residue": (0.01, 5)})
    session.tell("A", {"residue": "> 5", "yield": 1.0})
    session.tell("B", ["<1e-2", 2.0])
    assert session.means[:2].tolist() == [[5.0, 1.0], [0.01, 2.0]]
    for text in ("<0.02", ">0.01", "<", "<0.0_1", "< 5", "<nan"):
        with pytest.raises(ValueError, match="reward of residue = "):
            session.tell("C", [text, 1.0])
    with pytest.raises(ValueError, match="no lower limit"):
        session.tell("C", [1.0, "<0.01"])
    for text in ("0.01", "-", "below"):
        with pytest.raises(ValueError, match="expected real numbers"):
            session.tell("C", [text, 1.0])
    with pytest.raises(ValueError, match=r"no lower limit for it \(limits=\)"):
        new(limits=None).tell("A", ["<0.01", 1.0])
    assert session.samples == 2


@pytest.mark.parametrize(
    "text",
    [
        "arm,residue,yield\nA,<0.01,2.5\nB,0.2,\n",
        "arm;residue;yield\nA;<0,01;2,5\nB;0,2;\n",
        "arm;residue;yield\nA;< 0.01;2.5\nB;0.2;\n",
    ],
)
def test_tables_say_what_is_beyond_a_limit(tmp_path, text):
    path = tmp_path / "days.csv"
    path.write_text(text)
    frame = pd.DataFrame({"arm": ["A", "B"], "residue": ["<0.01", 0.2], "yield": [2.5, None]})
    for table in (path, frame):
        session = new()
        session.tell_all(table)
        assert session.means[:2].tolist() == [[0.01, 2.5], [0.2, 0.0]]
        assert session.status().missing.tolist() == [[0, 0], [0, 1], [0, 0]]


def test_a_sample_is_the_same_however_its_value_was_written():
    session = new()
    session.tell("A", ["<0.01", 1.0], id="t1")
    session.tell("A", [0.003, 1.0], id="t1")
    session.withdraw("A", [0.0, 1.0], instead=[0.5, 1.0], reason="decimal point")
    assert session.means[0].tolist() == [0.5, 1.0]
    assert session.data()["residue"].tolist() == [0.01, 0.5]


def test_sessions_with_limits_are_restored_continued_and_reported(tmp_path):
    session = new()
    session.tell("A", ["<0.01", 1.0])
    session.save(tmp_path / "mine.json")
    again = lab.load_session(tmp_path / "mine.json")
    again.tell("B", ["<0.01", 2.0])
    again.save(tmp_path / "mine.json")
    assert lab.load_session(tmp_path / "mine.json").status().at_limit.tolist() == [
        [1, 0],
        [1, 0],
        [0, 0],
    ]
    assert again.successor([*"ABCD"], use_rewards=True).design.limits == session.design.limits
    again.add_arm("D", made_from_data=False)
    assert again.design.limits == session.design.limits
    again.report(tmp_path / "mine.html")
    report = (tmp_path / "mine.html").read_text()
    for words in (
        "Limits of detection: residue below 0.01.",
        "about the means of the recorded values",
        "were fixed before the first sample",
        "residue at a limit",
    ):
        assert words in report


def test_a_file_with_other_limits_is_a_different_session(tmp_path):
    new().save(tmp_path / "mine.json")
    with pytest.raises(ValueError, match="different session"):
        new(limits={"residue": (0.02, None)}).save(tmp_path / "mine.json")


def test_numbered_objectives_have_limits_too(tmp_path):
    session = lab.Session(pc.Certified(), 2, 2, 1.0, limits={1: (None, 3.0)})
    session.tell(0, [9.0, 9.0])
    session.save(tmp_path / "mine.json")
    session = lab.load_session(tmp_path / "mine.json")
    assert session.means[0].tolist() == [9.0, 3.0]
    assert "objective 1 above 3" in remark_on_limits(session)


def test_noise_of_each_arm_is_said_to_change_the_order():
    session = new(deviation=np.full((3, 2), 0.1))
    assert "may be a different one" in remark_on_limits(session)


def test_recorded_values_do_not_show_that_a_statement_is_generous():
    rng = np.random.default_rng(0)
    values = {"arm": [*"ABC"] * 300, "residue": rng.normal(-3, 0.1, 900)}
    session = new()
    session.tell_all({**values, "yield": rng.normal(0, 0.1, 900)})
    test = session.status().variance_test
    assert test.upper_bounds[0] == np.inf
    assert test.is_generous.tolist() == [False, True]


# What is proven

LAWS = some.lists(
    some.tuples(some.floats(-3, 3), some.floats(0.01, 1)), min_size=1, max_size=6
).map(lambda pairs: tuple(map(np.array, zip(*pairs, strict=True))))


def log_moment(values, masses, u):
    masses = masses / masses.sum()
    return scipy.special.logsumexp(u * (values - masses @ values), b=masses)


@pytest.mark.slow
@settings(max_examples=200)
@given(LAWS, some.floats(-3, 3), some.floats(0, 3), some.floats(-9, 9))
def test_cutting_values_off_adds_no_noise(law, low, width, u):
    values, masses = law
    cut = np.clip(values, low, low + width)
    assert log_moment(cut, masses, u) <= log_moment(values, masses, u) + 1e-9


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(some.floats(-2, 2), some.floats(0.1, 2), some.floats(0.01, 3), some.floats(-0.9, 0.9))
def test_cutting_correlated_values_off_adds_no_noise_to_a_sum(mean, theta, width, correlation):
    grid = np.linspace(-7, 7, 281)
    x, g = np.meshgrid(grid, grid)
    y = correlation * x + np.sqrt(1 - correlation**2) * g
    masses = np.exp(-(x**2 + g**2) / 2)
    total = np.maximum(x, mean) + theta * np.clip(y, -width, width)
    bound = (1 + max(correlation, 0)) * (1 + theta**2) / 2
    assert log_moment(total.ravel(), masses.ravel(), 1.0) <= bound + 1e-6


def recorded_mean(mean, deviation):
    """Mean of a normal variable of which negative values are recorded as 0."""
    z = np.divide(mean, deviation)
    return mean * scipy.stats.norm.cdf(z) + deviation * scipy.stats.norm.pdf(z)


@given(some.floats(-5, 5), some.floats(0.01, 3))
def test_the_same_gaussian_noise_keeps_the_order_and_other_noise_may_reverse_it(mean, more):
    assert 0 < recorded_mean(mean + more, 1.0) - recorded_mean(mean, 1.0) <= more
    assert recorded_mean(0.1, 0.1) == pytest.approx(0.108, abs=5e-4)  # of an arm with mean 0.1
    assert recorded_mean(0.0, 1.0) == pytest.approx(0.399, abs=5e-4)  # of an arm with mean 0


def wrong_statements(limits, rng, looks=12, heap=30):
    """Whether a status was wrong about the means of recorded values, at any time."""
    means = rng.normal(size=(3, 2)) * rng.choice([0.1, 1.0])
    session = lab.Session(
        pc.Certified(pc.UniformSampling(), 1e-9, check_every=1000),
        arms=[*"ABC"],
        objectives=[*"xy"],
        standard_deviation=1.0,
        limits=limits,
    )
    truth = means.copy()
    if limits is not None:
        truth[:, 0] = recorded_mean(means[:, 0], 1.0)
    lead = truth[:, None] - truth
    is_dominated = ((lead >= 0).all(axis=2) & (lead > 0).any(axis=2)).any(axis=0)
    for _ in range(looks):
        best = session.means.sum(axis=1).argmax()
        arms = np.where(rng.random(heap) < 0.5, best, np.arange(heap) % 3)
        values = means[arms] + rng.normal(size=(heap, 2))
        if limits is None:  # a value below the limit is lost instead
            values[values[:, 0] < 0, 0] = np.nan
        names = np.array([*"ABC"])[arms]
        session.tell_all({"arm": names.tolist(), "x": values[:, 0], "y": values[:, 1]})
        status = session.status(delta=0.1)
        said = status.statements
        is_wrong = (
            is_dominated[said == "certainly optimal"].any()
            or not is_dominated[said == "certainly dominated"].all()
            or (truth < status.boxes[..., 0]).any()
            or (truth > status.boxes[..., 1]).any()
        )
        if is_wrong:
            return True
    return False


@pytest.mark.slow
def test_statements_about_recorded_values_keep_their_risk():
    """And those of users who leave out what is below the limit do not."""
    rng = np.random.default_rng(0)
    wrong = [wrong_statements({"x": (0.0, None)}, rng) for _ in range(60)]
    assert scipy.stats.binomtest(sum(wrong), 60, 0.1, "greater").pvalue > 1e-3
    lost = [wrong_statements(None, rng) for _ in range(20)]
    assert scipy.stats.binomtest(sum(lost), 20, 0.1, "greater").pvalue < 1e-3


def test_dependent_objectives_may_add_up_to_more_noise_than_before():
    """Noise without correlation, below the vector bound, whose recorded values exceed it."""
    noise = np.array([[1.5, -1.5], [-1.5, 1.5], [0.75, 0.75], [-0.75, -0.75]])
    noise = np.sign(noise) * np.sqrt(np.abs(noise))
    probabilities = np.array([1, 1, 2, 2]) / 6
    shifts = np.stack(np.meshgrid(*[np.linspace(-5, 5, 101)] * 2), axis=-1).reshape(-1, 2)
    moments = np.exp(shifts @ noise.T) @ probabilities
    assert (np.log(moments) <= (shifts**2).sum(axis=1) / 2 + 1e-12).all()
    recorded = np.maximum(noise, -np.sqrt(0.75))
    covariance = np.cov(recorded.T, aweights=probabilities, ddof=0)
    assert np.linalg.eigvalsh(covariance).max() == pytest.approx(1.0143, abs=1e-4)


def test_half_the_limit_in_its_place_may_add_noise():
    """The number L/2 in place of what is below L: a small noise becomes a large one."""
    values, masses = np.array([0.99, 1.01]), np.ones(2)
    half = np.where(values < 1, 0.5, values)
    assert log_moment(half, masses, 2.0) > 100 * log_moment(values, masses, 2.0)


def test_every_proven_threshold_accepts_limits():
    for threshold, kind in itertools.product(
        ("proven", "proven_correlated"), (pc.TrackAndStop, pc.UniformSampling)
    ):
        assert new(kind(threshold=threshold)).design.limits is not None
