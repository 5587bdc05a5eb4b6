"""Where an instance's numbers come from.

Tables that the papers print are small files of the repository. Data sets that are
not the project's to ship are looked up in the folder that ``PARETO_DATA_DIR``
names, then downloaded once, from an address pinned to a commit, into the user's
cache. Every such file is checked against its SHA-256 before it is used.
"""

import dataclasses
import hashlib
import itertools
import os
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import platformdirs

from pareto_core._checks import check_choice
from pareto_core._paths import DATA
from pareto_core.geometry.polyhedron import Polyhedron, hypercube, ordered_cone, orthant, simplex
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import BERNOULLI

__all__ = ["dataset_path", "instance_names", "load_instance"]

PATIENCE = 5  # seconds a download may wait for the server
LINEAR_VARIANCE = (0.25, 0.25)  # of the noise in the program of Kone et al. (2025, linear)
LINEAR_DATA = {
    "noc": "NoC data of Almer et al. 2011 (cyrille-kone/linear_psi, data/noc_CM_log.csv)",
    "energy_efficiency": "energy efficiency data of Tsanas & Xifara 2012 "
    "(UCI, DOI 10.24432/C51307)",
}


class Source(NamedTuple):
    """A data set that is not shipped: its file name, address and SHA-256."""

    file: str
    address: str
    sha256: str


_GITHUB = "https://raw.githubusercontent.com"
SOURCES = {
    "noc": Source(
        "noc_CM_log.csv",
        f"{_GITHUB}/cyrille-kone/linear_psi/b290b8ea96eb651e13cfa2f769a3acb1c31c763d"
        "/data/noc_CM_log.csv",
        "6df784c53d285d8e83a4467a5d2732779b78ea45101e82e7b5cf4b998f2870f4",
    ),
    "snw": Source(
        "sort_256.csv",
        f"{_GITHUB}/Bilkent-CYBORG/PaVeBa/e2bdb0aef8e411871983d59dfa0e8ad4e8ea338b/data/snw.csv",
        "9b6d38b882976cf6572710aca4aee5c77979585cc59aacec97b9394c0409b10b",
    ),
    "sw_llvm": Source(
        "llvm_input.csv",
        f"{_GITHUB}/FlashRepo/epsilon-PAL/f23bc6e9872296e7726b4c2c7b3b51807647e6cd"
        "/train_data/llvm_input.csv",
        "1171ccdda2d32ac38a86e6fff1a3fca85a9f82093e8da0c3c465fb2a60f337cc",
    ),
    "energy_efficiency": Source(
        "ENB2012_data.csv",
        f"{_GITHUB}/pharmbio/SCPRegression/c81780ec84318a604179f6c51aedca3ac6e0534e"
        "/data/ENB2012_data.csv",
        "6d6a39ff73c55463cf31f2aaae890501a7d803349b547e219227c8fb7a6d9899",
    ),
}
_unreachable = set()


def instance_names():
    """Names that `load_instance` knows, in a fixed order."""
    return tuple(_LOADERS)


def load_instance(name):
    """Load an instance by name.

    Parameters
    ----------
    name : str
        One of the following. ``"cov_boost"`` is the table of vaccine responses as Crepon
        et al. (2024) print it (Tables 2 and 3), rounded and with two entries that disagree
        with the data; ``"cov_boost_full_precision"`` holds the same responses unrounded.
        ``"snw"`` holds 206 designs of sorting networks, by the logarithms of their area
        (negated) and throughput, with three features; ``"snw_tenfold"`` has both times 10, as
        the text of Chen et al. (2024) has it, ``"snw_tenfold_area_maximised"`` without the
        sign of the area, and ``"snw_tenfold_quiet"`` with a noise variance of 0.1, the two
        readings that its results agree with. ``"sw_llvm"`` holds 1024 compiler
        settings as 16 operating points with 64 recorded observations each (Auer et al.
        2016, Section 8), every objective scaled to mean 0 and variance 1 over all
        settings; ``"sw_llvm_reversed"`` reads both objectives the other way round, as
        the released program of PAL does.

        Linear instances, all with noise of variance 0.25 per objective: ``"noc"`` holds 259
        network-on-chip designs and ``"energy_efficiency"`` 768 buildings, with the features
        of each divided by their norm and the means that a linear fit to the data gives
        (Kone et al. 2025, linear, Section 5.1 and Appendix I). The suffix
        ``"_misspecified"`` stands for the data as they are, which no linear model fits.
        Energy loads are negated, as they should be low; ``"energy_efficiency_reversed"``
        and ``"energy_efficiency_reversed_misspecified"`` maximise them.
        ``"snw_linearised"`` is the linear fit, with intercept, to the sorting networks.

        With a feasible region (Kone et al. 2025, constrained): ``"secukinumab"``, doses by
        efficacy and freedom from adverse events, Bernoulli rewards; ``"cov_boost_igg"``,
        vaccines with an anti-spike IgG of at least 8.25; ``"constrained_simplex"``,
        ``"constrained_hypercube"``, ``"constrained_ordered"`` and ``"constrained_orthant"``
        resemble instances of that paper whose means are not published.

    Returns
    -------
    Instance
        With its provenance, which says so if it is a stand-in for data that were not
        to be had.

    Raises
    ------
    ValueError
        If the name is unknown; the nearest known name is suggested.
    """
    return _LOADERS[check_choice(name, "name", _LOADERS)]()


def dataset_path(name):
    """Find the file of a data set that is not shipped.

    Parameters
    ----------
    name : {"noc", "snw", "sw_llvm", "energy_efficiency"}
        Name of the data set.

    Returns
    -------
    pathlib.Path or None
        The verified file; None when neither ``PARETO_DATA_DIR`` nor the cache has it
        and one short try to download it failed. The process does not try again.

    Raises
    ------
    ValueError
        If the name is unknown, ``PARETO_DATA_DIR`` is not a folder, or a file's SHA-256
        is wrong; the message names the file and both hashes.
    """
    source = SOURCES[check_choice(name, "name", SOURCES)]
    given = os.environ.get("PARETO_DATA_DIR")
    if given:
        folder = Path(given)
        if not folder.is_dir():
            raise ValueError(f"PARETO_DATA_DIR = {given!r}; expected an existing folder")
        if (folder / source.file).exists():
            return _verified(folder / source.file, source)
    cached = platformdirs.user_cache_path("pareto_core") / "data" / source.file
    if not cached.exists() and (name in _unreachable or not _download(source, cached)):
        _unreachable.add(name)
        return None
    return _verified(cached, source)


def _download(source, target):
    """Fetch a file once; return whether it arrived."""
    with warnings.catch_warnings():  # its progress bar wants widgets that nobody will see
        warnings.simplefilter("ignore")
        import pooch
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(f".{os.getpid()}.part")
    try:
        pooch.HTTPDownloader(timeout=PATIENCE)(source.address, partial, None)
        partial.replace(target)
    except OSError:
        return False
    finally:
        partial.unlink(missing_ok=True)
    return True


def _verified(path, source):
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != source.sha256:
        raise ValueError(
            f"{path} is not the expected file: its SHA-256 is {found}, expected "
            f"{source.sha256}; remove it or put the right one in its place"
        )
    return path


def _load_cov_boost(name, provenance):
    table = pd.read_csv(DATA / f"{name}.csv", comment="#")
    objectives = ("igg", "nt50", "cellular")
    arms = table[table["arm"] != "variance"]
    return Instance(
        arms[list(objectives)].to_numpy(float),
        variance=table.loc[table["arm"] == "variance", list(objectives)].to_numpy(float)[0],
        name=name,
        labels=tuple(arms["prime"] + " + " + arms["booster"]),
        objectives=("anti-spike IgG", "NT50", "cellular response"),
        provenance=provenance,
    )


def _read_table(name):
    """Table of numbers in ``data/``."""
    return pd.read_csv(DATA / f"{name}.csv", comment="#").to_numpy(float)


def _load_snw():
    path = dataset_path("snw")
    if path is None:
        designs, coefficients = _read_table("snw_designs"), _read_table("snw_coefficients")
        means = coefficients[0] + designs @ coefficients[1:]
        provenance = (
            "stand-in for the SNW data: a linear fit at its 206 designs "
            "(data/snw_designs.csv, data/snw_coefficients.csv)"
        )
    else:
        table = np.loadtxt(path, delimiter=";")
        designs, means = table[:, :3], table[:, 3:] * [-1, 1]
        provenance = "SNW data of Zuluaga et al. 2012 (Bilkent-CYBORG/PaVeBa, data/snw.csv)"
    return Instance(
        means,
        features=designs,
        name="snw",
        labels=tuple(f"design {k}" for k in range(len(means))),
        objectives=("negative log2 area", "log2 throughput"),
        provenance=provenance,
    )


def _load_snw_tenfold(name, sign=1.0, variance=1.0):
    """The readings of Chen et al. (2024, Appendix A.2)."""
    snw = _load_snw()
    return dataclasses.replace(
        snw,
        means=10 * snw.means * [sign, 1],
        variance=np.full(2, variance),
        name=name,
        objectives=(f"{10 * -sign:g} log2 area", "10 log2 throughput"),
        provenance=f"{snw.provenance}; logarithms times 10, noise variance {variance:g}",
    )


def _load_sw_llvm(name, sign):
    path = dataset_path("sw_llvm")
    features = np.array(list(itertools.product((0.0, 1.0), repeat=4)))
    names = {
        "name": name,
        "features": features,
        "labels": tuple("".join(str(int(bit)) for bit in row) for row in features),
        "objectives": (
            ("performance", "negative memory footprint")
            if sign > 0
            else ("negative run time", "second column, maximised")
        ),
    }
    if path is None:
        points = pd.read_csv(DATA / "sw_llvm_points.csv", comment="#")
        return Instance(
            sign * points[["mean_1", "mean_2"]].to_numpy(),
            variance=points[["deviation_1", "deviation_2"]].to_numpy() ** 2,
            provenance="stand-in for the SW-LLVM data: Gaussian rewards with the means and "
            "deviations of its 16 operating points (data/sw_llvm_points.csv)",
            **names,
        )
    table = np.loadtxt(path, delimiter=";")
    objectives = sign * table[:, 11:13] * [1, -1]
    scaled = (objectives - objectives.mean(axis=0)) / objectives.std(axis=0)
    point = table[:, 7:11] @ [8, 4, 2, 1]
    return Instance.from_observations(
        [scaled[point == k] for k in range(16)],
        provenance="SW-LLVM data of Zuluaga et al. 2013 (FlashRepo/epsilon-PAL, "
        "train_data/llvm_input.csv): 64 observations at each setting of features 7 to 10, "
        "dealt out without replacement",
        **names,
    )


def _load_snw_linearised():
    designs = _read_table("snw_designs")
    features = np.column_stack([np.ones(len(designs)), designs])
    return Instance(
        features @ _read_table("snw_coefficients"),
        variance=LINEAR_VARIANCE,
        features=features,
        name="snw_linearised",
        labels=tuple(f"design {k}" for k in range(len(designs))),
        objectives=("negative log2 area", "log2 throughput"),
        provenance="linear fit, with intercept, to the SNW data (data/snw_designs.csv, "
        "data/snw_coefficients.csv)",
    )


def _load_noc(name):
    designs = _read_table("noc_designs")
    labels = ("width {:g}, complexity {:g}, fifo {:g}, multiplier {:g}".format(*d) for d in designs)
    objectives = ("negative log2 energy", "negative log2 inverse run time")
    return _load_linear(name, "noc", -1.0, designs, tuple(labels), objectives)


def _load_energy_efficiency(name, sign):
    shapes = _read_table("energy_efficiency_shapes")
    glazings = [(0.0, 0.0), *itertools.product((0.1, 0.25, 0.4), range(1, 6))]
    settings = [
        (*shape, orientation, *glazing)
        for glazing in glazings
        for shape in shapes
        for orientation in (2, 3, 4, 5)
    ]
    labels = tuple(f"building {k}" for k in range(len(settings)))
    loads = ("heating load", "cooling load")
    objectives = tuple(f"negative {load}" for load in loads) if sign < 0 else loads
    return _load_linear(name, "energy_efficiency", sign, np.array(settings), labels, objectives)


def _load_linear(name, data, sign, settings, labels, objectives):
    """Instance with the features of a data set: linearised, or with its own objectives."""
    features = settings / np.linalg.norm(settings, axis=1, keepdims=True)
    means = sign * features @ _read_table(f"{data}_coefficients")
    fit = f"linear fit to the data (data/{data}_coefficients.csv)"
    provenance = f"{LINEAR_DATA[data]}: {fit}"
    if name.endswith("_misspecified"):
        path = dataset_path(data)
        if path is None:
            provenance = f"stand-in for the {LINEAR_DATA[data]}: {fit}"
        else:
            skip, separator = (1, ";") if data == "noc" else (0, ",")
            table = np.loadtxt(path, delimiter=separator, skiprows=skip)
            means, provenance = sign * table[:, -2:], f"{LINEAR_DATA[data]}, as they are"
    return Instance(
        means,
        variance=LINEAR_VARIANCE,
        features=features,
        name=name,
        labels=labels,
        objectives=objectives,
        provenance=provenance,
    )


def _load_secukinumab():
    table = pd.read_csv(DATA / "secukinumab.csv", comment="#")
    return Instance(
        np.column_stack([table["acr20"], (1 - table["adverse_event"]).round(3)]),
        noise=BERNOULLI,
        polyhedron=orthant([0.35, 0.45]),
        name="secukinumab",
        labels=tuple(table["arm"]),
        objectives=("ACR20 response", "no adverse event"),
        provenance="rates at week 16 of NCT00928512 (data/secukinumab.csv); the thresholds 0.35 "
        "and 0.45 are ours, chosen to fit what the text of Kone et al. (2025, constrained) says",
    )


def _load_cov_boost_igg():
    covid = load_instance("cov_boost_full_precision")
    return dataclasses.replace(
        covid,
        polyhedron=Polyhedron([[-1.0, 0.0, 0.0]], [-8.25]),
        name="cov_boost_igg",
        provenance=f"{covid.provenance}; feasible from an anti-spike IgG of 8.25",
    )


def _load_constrained(name, region):
    table = pd.read_csv(DATA / "constrained_instances.csv", comment="#")
    rows = table[table["instance"] == name].dropna(axis=1)
    means = rows.iloc[:, 2:].to_numpy(float)
    return Instance(
        means,
        variance=np.full(means.shape[1], rows["deviation"].iloc[0] ** 2),
        polyhedron=region,
        name=name,
        provenance="chosen to resemble the printed results of Kone et al. (2025, constrained), "
        "whose own means are not published (data/constrained_instances.csv)",
    )


_LOADERS = {
    "cov_boost": lambda: _load_cov_boost(
        "cov_boost", "Crepon et al. 2024, Tables 2 and 3, as printed (data/cov_boost.csv)"
    ),
    "cov_boost_full_precision": lambda: _load_cov_boost(
        "cov_boost_full_precision",
        "github.com/cyrille-kone/psips at commit 0b78a2f, src/xp.hpp "
        "(data/cov_boost_full_precision.csv)",
    ),
    "cov_boost_igg": _load_cov_boost_igg,
    "secukinumab": _load_secukinumab,
    "constrained_simplex": lambda: _load_constrained("constrained_simplex", simplex(3)),
    "constrained_hypercube": lambda: _load_constrained("constrained_hypercube", hypercube(3)),
    "constrained_ordered": lambda: _load_constrained("constrained_ordered", ordered_cone(3)),
    "constrained_orthant": lambda: _load_constrained("constrained_orthant", orthant([0, 0])),
    "noc": lambda: _load_noc("noc"),
    "noc_misspecified": lambda: _load_noc("noc_misspecified"),
    "energy_efficiency": lambda: _load_energy_efficiency("energy_efficiency", -1.0),
    "energy_efficiency_misspecified": lambda: _load_energy_efficiency(
        "energy_efficiency_misspecified", -1.0
    ),
    "energy_efficiency_reversed": lambda: _load_energy_efficiency(
        "energy_efficiency_reversed", 1.0
    ),
    "energy_efficiency_reversed_misspecified": lambda: _load_energy_efficiency(
        "energy_efficiency_reversed_misspecified", 1.0
    ),
    "snw": _load_snw,
    "snw_linearised": _load_snw_linearised,
    "snw_tenfold": lambda: _load_snw_tenfold("snw_tenfold"),
    "snw_tenfold_area_maximised": lambda: _load_snw_tenfold(
        "snw_tenfold_area_maximised", sign=-1.0
    ),
    "snw_tenfold_quiet": lambda: _load_snw_tenfold("snw_tenfold_quiet", variance=0.1),
    "sw_llvm": lambda: _load_sw_llvm("sw_llvm", 1.0),
    "sw_llvm_reversed": lambda: _load_sw_llvm("sw_llvm_reversed", -1.0),
}
