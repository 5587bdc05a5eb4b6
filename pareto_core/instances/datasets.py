"""Instances from the tables in ``data/``.

Every table is a file in ``data/`` whose first lines describe its content, source and terms. Wheels
include the tables, so nothing is downloaded.
"""

import csv
import dataclasses
import functools
import itertools

import numpy as np

from pareto_core.checks.arguments import check_choice, check_count, check_number
from pareto_core.checks.environment import DATA
from pareto_core.geometry.polyhedron import Polyhedron, hypercube, ordered_cone, orthant, simplex
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import BERNOULLI

__all__ = ["read_table"]

LINEAR_VARIANCE = (0.25, 0.25)  # of the noise in the program of Kone et al. (2025, linear)
DIGITS_TESTED = 719  # images to test in each split
MOSCORE_SIZES = {3: (20, 50, 100), 4: (20, 50)}  # numbers of arms, by number of objectives
MOSCORE_PROBLEMS = 10  # of each size
LINEAR_DATA = {  # source, label of an arm, and objectives to be low, unless they are reversed
    "noc": (
        "NoC data of Almer et al. 2011",
        "width {:g}, complexity {:g}, fifo {:g}, multiplier {:g}",
        ("log2 energy", "log2 inverse run time"),
    ),
    "energy_efficiency": (
        "energy efficiency data of Tsanas & Xifara 2012",
        "building {k}",
        ("heating load", "cooling load"),
    ),
}
LINEAR_NAMES = {  # of the instances: their data
    "noc": "noc",
    "noc_misspecified": "noc",
    "energy_efficiency": "energy_efficiency",
    "energy_efficiency_misspecified": "energy_efficiency",
    "energy_efficiency_reversed": "energy_efficiency",
    "energy_efficiency_reversed_misspecified": "energy_efficiency",
}
COV_BOOST = {
    "cov_boost": "Crepon et al. 2024, Tables 2 and 3, as printed (data/cov_boost.csv)",
    "cov_boost_full_precision": "github.com/cyrille-kone/psips at commit 0b78a2f, src/xp.hpp "
    "(data/cov_boost_full_precision.csv)",
}
SNW_TENFOLD = {"snw_tenfold": 1.0, "snw_tenfold_area_maximised": -1.0}  # sign of the area
SW_LLVM = {  # sign of both objectives, and their names
    "sw_llvm": (1.0, ("performance", "negative memory footprint")),
    "sw_llvm_reversed": (-1.0, ("negative run time", "second column, maximised")),
}
CONSTRAINED = {
    "constrained_simplex": simplex(3),
    "constrained_hypercube": hypercube(3),
    "constrained_ordered": ordered_cone(3),
    "constrained_orthant": orthant([0, 0]),
}
FROZEN = {  # means that were drawn or computed once: their source, and the names of the instances
    "held_out_instances": (
        "drawn once from the law of held-out instances",
        [
            *(f"held_out_{number}" for number in range(1, 21)),
            *(f"many_arms_{number}" for number in (20, 30, 50)),
        ],
    ),
    "ege_instances": (
        "EgeExp instances of the program of arXiv 2606.18785",
        [f"ege_{name}" for name in ("1", "2", "5", "6_new", "7", "8")],
    ),
    "psips_instances": (
        "program of arXiv 2411.04939",
        ["five_arms", "five_coins", "line_of_arms", "random_arms"],
    ),
    "paretoinfer_instances": (
        "articles of the R package paretoinfer 0.1.0, 1 minus the losses",
        [f"paretoinfer_{name}" for name in ("six", "convex", "concave", "disconnected", "ties")],
    ),
}


def read_table(name: str) -> np.ndarray:
    """Rows of a table of numbers in ``data/``, whose first lines describe its columns."""
    check_choice(name, "name", sorted(path.stem for path in DATA.glob("*.csv")))
    _, *rows = _lines(name)
    return np.array(rows, dtype=float)


def _lines(name):
    """Lines of a table as lists of strings: the names of its columns, then its rows."""
    with open(DATA / f"{name}.csv", encoding="utf-8", newline="") as stream:
        return list(csv.reader(line for line in stream if not line.startswith("#")))


def _rows(name):
    """Rows of a table as dictionaries of strings, by the names of the columns."""
    names, *rows = _lines(name)
    return [dict(zip(names, row, strict=True)) for row in rows]


def _numbers(rows, names):
    """Array of the named columns of some rows."""
    return np.array([[row[name] for name in names] for row in rows], dtype=float)


def _load_cov_boost(name):
    objectives = ("igg", "nt50", "cellular")
    *arms, variance = _rows(name)  # the last row holds the variances
    return Instance(
        _numbers(arms, objectives),
        variance=_numbers([variance], objectives)[0],
        name=name,
        labels=tuple(f"{arm['prime']} + {arm['booster']}" for arm in arms),
        objectives=("anti-spike IgG", "NT50", "cellular response"),
        provenance=COV_BOOST[name],
    )


def _load_snw():
    table = read_table("snw")
    return Instance(
        table[:, 3:] * [-1, 1],
        features=table[:, :3],
        name="snw",
        labels=tuple(f"design {k}" for k in range(len(table))),
        objectives=("negative log2 area", "log2 throughput"),
        provenance="SNW data of Zuluaga et al. 2012 (data/snw.csv)",
    )


def _load_snw_tenfold(name):
    """The readings of Chen et al. (2024, Appendix A.2)."""
    snw, sign = _load_snw(), SNW_TENFOLD[name]
    return dataclasses.replace(
        snw,
        means=10 * snw.means * [sign, 1],
        name=name,
        objectives=(f"{10 * -sign:g} log2 area", "10 log2 throughput"),
        provenance=f"{snw.provenance}; logarithms times 10, noise variance 1",
    )


def _load_sw_llvm(name):
    table, (sign, objectives) = read_table("sw_llvm"), SW_LLVM[name]
    values = sign * table[:, 11:] * [1, -1]
    scaled = (values - values.mean(axis=0)) / values.std(axis=0)
    point = table[:, 7:11] @ [8, 4, 2, 1]
    features = np.array(list(itertools.product((0.0, 1.0), repeat=4)))
    return Instance.from_observations(
        [scaled[point == k] for k in range(16)],
        features=features,
        name=name,
        labels=tuple("".join(str(int(bit)) for bit in row) for row in features),
        objectives=objectives,
        provenance="SW-LLVM data of Zuluaga et al. 2013 (data/sw_llvm.csv): 64 observations at "
        "each setting of features 7 to 10, dealt out without replacement",
    )


def _load_linear(name):
    """Instance with the features of a data set: a linear fit, or the measured objectives."""
    data = LINEAR_NAMES[name]
    source, label, lows = LINEAR_DATA[data]
    sign = 1.0 if "reversed" in name else -1.0
    table = read_table(data)
    settings, measured = table[:, :-2], table[:, -2:]
    features = settings / np.linalg.norm(settings, axis=1, keepdims=True)
    if name.endswith("_misspecified"):
        means = sign * measured
        how = f"as measured (data/{data}.csv)"
    else:
        means = sign * features @ read_table(f"{data}_coefficients")
        how = f"as given by a linear fit (data/{data}_coefficients.csv)"
    return Instance(
        means,
        variance=LINEAR_VARIANCE,
        features=features,
        name=name,
        labels=tuple(label.format(*row, k=k) for k, row in enumerate(settings)),
        objectives=lows if sign > 0 else tuple(f"negative {low}" for low in lows),
        provenance=f"{source}, {how}",
    )


def _load_digits():
    groups = {}
    for row in _rows("digits_scores"):
        groups.setdefault(row["classifier"], []).append(row)
    names = ("correct", "training_ms", "prediction_us")
    scores = [_numbers(rows, names) for rows in groups.values()]
    return Instance.from_observations(
        [np.column_stack([each[:, 0] / DIGITS_TESTED, -np.log10(each[:, 1:])]) for each in scores],
        name="digits",
        labels=tuple(groups),
        objectives=(
            "accuracy",
            "negative log10 training time in ms",
            "negative log10 prediction time in µs",
        ),
        provenance="scores of classifiers of scikit-learn on 400 random splits of its digits "
        "(data/digits_scores.csv)",
    )


def _load_secukinumab():
    doses = _rows("secukinumab")
    response, adverse = _numbers(doses, ("acr20", "adverse_event")).T
    return Instance(
        np.column_stack([response, (1 - adverse).round(3)]),
        noise=BERNOULLI,
        polyhedron=orthant([0.35, 0.45]),
        name="secukinumab",
        labels=tuple(dose["arm"] for dose in doses),
        objectives=("ACR20 response", "no adverse event"),
        provenance="stand-in for the doses of Kone et al. (2025, constrained), as our copy of the "
        "paper has lost its rates and thresholds: rates at week 16 of NCT00928512 "
        "(data/secukinumab.csv); the thresholds 0.35 and 0.45 are ours, chosen to fit what the "
        "text says",
    )


def _load_cov_boost_igg():
    covid = _load_cov_boost("cov_boost_full_precision")
    return dataclasses.replace(
        covid,
        polyhedron=Polyhedron([[-1.0, 0.0, 0.0]], [-8.25]),
        name="cov_boost_igg",
        provenance=f"{covid.provenance}; feasible from an anti-spike IgG of 8.25",
    )


def _load_moscore(n_objectives=3, n_arms=20, problem=0):
    """Problem of MOSCORE with ten optimal arms; the objectives, minimised there, are negated."""
    check_count(n_objectives, "n_objectives", at_least=3, at_most=4)
    check_count(n_arms, "n_arms")
    if n_arms not in MOSCORE_SIZES[n_objectives]:
        raise ValueError(
            f"n_arms = {n_arms!r} with n_objectives = {n_objectives!r}; expected one of "
            f"{', '.join(map(str, MOSCORE_SIZES[n_objectives]))}"
        )
    check_count(problem, "problem", at_least=0, at_most=MOSCORE_PROBLEMS - 1)
    size = (n_objectives, n_arms, problem)
    systems, rates = read_table("moscore_systems"), read_table("moscore_rates")
    means = systems[(systems[:, :3] == size).all(axis=1), 4 : 4 + n_objectives]
    correlation = rates[(rates[:, :3] == size).all(axis=1), 3].item()
    return Instance(
        -means,
        covariance=np.where(np.eye(n_objectives), 1.0, correlation),
        name="moscore",
        labels=tuple(f"system {k}" for k in range(n_arms)),
        objectives=tuple(f"negative objective {c + 1}" for c in range(n_objectives)),
        provenance=f"problem {problem} of {n_arms} systems in {n_objectives} objectives of the "
        "program of Applegate et al. 2020 (data/moscore_systems.csv)",
    )


def _means_of(table, name):
    """First row and means of one of the instances of a table."""
    rows = [row for row in _rows(table) if row["instance"] == name]
    objectives = [key for key in rows[0] if key.startswith("objective") and rows[0][key]]
    return rows[0], _numbers(rows, objectives)


def _load_constrained(name):
    first, means = _means_of("constrained_instances", name)
    return Instance(
        means,
        variance=np.full(means.shape[1], float(first["deviation"]) ** 2),
        polyhedron=CONSTRAINED[name],
        name=name,
        provenance="stand-in for an instance of Kone et al. (2025, constrained), who draw its "
        "means and do not print them: chosen to resemble the printed results "
        "(data/constrained_instances.csv)",
    )


def _load_frozen(table, name):
    """Instance of a table whose means were drawn or computed once."""
    first, means = _means_of(table, name)
    noise, variance = first["noise"], first["variance"]
    return Instance(
        means,
        variance=None if noise == BERNOULLI else np.full(means.shape[1], float(variance)),
        noise=noise,
        name=name,
        provenance=f"{FROZEN[table][0]} (data/{table}.csv)",
    )


def _load_five_arms(correlation=0.0):
    """Five arms of which any two rewards of a sample are correlated."""
    if not -1 < check_number(correlation, "correlation") < 1:
        raise ValueError(f"correlation = {correlation!r}; expected a number between -1 and 1")
    arms = _load_frozen("psips_instances", "five_arms")
    if not correlation:
        return arms
    return Instance(
        arms.means,
        covariance=[[1.0, correlation], [correlation, 1.0]],
        name=arms.name,
        provenance=f"{arms.provenance}, with correlation {correlation:g}",
    )


def _each(load, names):
    """Loaders of instances that differ by their name."""
    return {name: functools.partial(load, name) for name in names}


MAKERS = {
    **_each(_load_cov_boost, COV_BOOST),
    "cov_boost_igg": _load_cov_boost_igg,
    "digits": _load_digits,
    "moscore": _load_moscore,
    "secukinumab": _load_secukinumab,
    **_each(_load_constrained, CONSTRAINED),
    **_each(_load_linear, LINEAR_NAMES),
    "snw": _load_snw,
    **_each(_load_snw_tenfold, SNW_TENFOLD),
    **_each(_load_sw_llvm, SW_LLVM),
    **{
        name: functools.partial(_load_frozen, table, name)
        for table, (_, names) in FROZEN.items()
        for name in names
    },
    "five_arms": _load_five_arms,
}
"""Functions that make the instances, by name."""
