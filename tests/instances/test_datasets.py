"""Tables that are shipped, and data sets that are not."""

import hashlib
import os
import sys
from types import SimpleNamespace

import numpy as np
import platformdirs
import pytest

from pareto_core import load_instance
from pareto_core.instances import datasets

CONTENT = b"1;2;3\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def test_cov_boost_is_the_table_of_the_paper():
    instance = load_instance("cov_boost")
    assert instance.means.shape == (20, 3)
    # Crepon et al. 2024, Tables 2 and 3
    np.testing.assert_array_equal(instance.means[0], [9.5, 6.86, 4.56])
    np.testing.assert_array_equal(instance.means[8], [10.43, 7.61, 4.72])
    np.testing.assert_array_equal(instance.means[11], [8.85, 6.59, 4.73])
    np.testing.assert_array_equal(instance.means[16], [7.27, 4.99, 4.02])
    np.testing.assert_array_equal(instance.means[18], [10.35, 7.77, 5.0])
    np.testing.assert_array_equal(instance.means[19], [8.29, 5.92, 3.87])
    np.testing.assert_array_equal(instance.variance, [0.70, 0.83, 1.54])
    assert instance.pareto_set.tolist() == [8, 18]
    assert len(set(instance.labels)) == 20
    assert instance.labels[8] == "BNT/BNT + m1273"
    assert instance.labels[18] == "ChAd/ChAd + m1273"
    assert len(instance.objectives) == 3
    assert "Tables 2 and 3" in instance.provenance


def test_full_precision_differs_from_the_printed_table_in_two_entries():
    printed, full = load_instance("cov_boost"), load_instance("cov_boost_full_precision")
    # what is printed with two decimals may be rounded either way at a half
    different = np.argwhere(np.abs(printed.means - full.means) > 0.00501)
    assert different.tolist() == [[7, 1], [14, 0]]
    assert (printed.means[7, 1], full.means[7, 1]) == (7.21, 7.2730926)
    assert (printed.means[14, 0], full.means[14, 0]) == (8.71, 9.68315255)
    np.testing.assert_array_equal(np.round(full.variance, 2), printed.variance)
    assert full.pareto_set.tolist() == [8, 18]
    assert full.labels == printed.labels
    assert "psips" in full.provenance


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("cov_bost", "cov_boost"),
        ("cov_boost_precision", "cov_boost_full_precision"),
        ("covboost", "cov_boost"),
    ],
)
def test_unknown_instance_suggests_the_nearest(name, near):
    with pytest.raises(ValueError, match=f"name = '{name}'.*did you mean '{near}'"):
        load_instance(name)


@pytest.mark.parametrize("name", ["", None, 3, ["cov_boost"]])
def test_name_must_be_that_of_an_instance(name):
    with pytest.raises(ValueError, match=r"expected one of constrained_hypercube, .*, cov_boost, "):
        load_instance(name)


def serve(monkeypatch, downloader):
    """Let this class stand for all of the internet."""
    monkeypatch.setitem(sys.modules, "pooch", SimpleNamespace(HTTPDownloader=downloader))


@pytest.fixture
def source(monkeypatch, tmp_path):
    """One data set of known content, an empty cache, and no network; counts the tries."""
    tries = []

    class Unreachable:
        def __init__(self, **settings):
            pass

        def __call__(self, address, target, _):
            tries.append(address)
            raise ConnectionError("no network")

    monkeypatch.setattr(
        datasets,
        "SOURCES",
        {"noc": datasets.Source("toy.csv", "https://example.org/toy.csv", SHA256)},
    )
    monkeypatch.setattr(datasets, "_unreachable", set())
    serve(monkeypatch, Unreachable)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "cache" / name)
    monkeypatch.delenv("PARETO_DATA_DIR", raising=False)
    return tries


def test_finds_a_file_in_the_folder_that_is_named(source, tmp_path, monkeypatch):
    monkeypatch.setenv("PARETO_DATA_DIR", str(tmp_path))
    (tmp_path / "toy.csv").write_bytes(CONTENT)
    assert datasets.dataset_path("noc") == tmp_path / "toy.csv"
    assert source == []


def test_refuses_an_altered_file_and_names_it_with_both_hashes(source, tmp_path, monkeypatch):
    monkeypatch.setenv("PARETO_DATA_DIR", str(tmp_path))
    altered = CONTENT + b" "
    (tmp_path / "toy.csv").write_bytes(altered)
    with pytest.raises(ValueError, match=r"toy\.csv") as error:
        datasets.dataset_path("noc")
    for part in (str(tmp_path / "toy.csv"), SHA256, hashlib.sha256(altered).hexdigest()):
        assert part in str(error.value)


def test_none_when_unreachable_and_no_second_try(source):
    assert datasets.dataset_path("noc") is None
    assert datasets.dataset_path("noc") is None
    assert source == ["https://example.org/toy.csv"]


def test_looks_in_the_cache_when_the_folder_does_not_have_it(source, tmp_path, monkeypatch):
    monkeypatch.setenv("PARETO_DATA_DIR", str(tmp_path))
    cached = tmp_path / "cache" / "pareto_core" / "data" / "toy.csv"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(CONTENT)
    assert datasets.dataset_path("noc") == cached
    assert source == []


def test_downloads_once_into_the_cache(source, tmp_path, monkeypatch):
    class Server:
        def __init__(self, **settings):
            assert settings["timeout"] <= 10

        def __call__(self, address, target, _):
            source.append(address)
            target.write_bytes(CONTENT)

    serve(monkeypatch, Server)
    path = datasets.dataset_path("noc")
    assert path.read_bytes() == CONTENT
    assert datasets.dataset_path("noc") == path
    assert len(source) == 1
    assert [file.name for file in path.parent.iterdir()] == ["toy.csv"]


def test_refuses_a_download_of_another_content(source, monkeypatch):
    class Server:
        def __init__(self, **settings):
            pass

        def __call__(self, address, target, _):
            target.write_bytes(b"<html>404</html>")

    serve(monkeypatch, Server)
    with pytest.raises(ValueError, match=SHA256):
        datasets.dataset_path("noc")


def test_folder_that_does_not_exist_is_an_error(source, tmp_path, monkeypatch):
    for given in (tmp_path / "missing", tmp_path / "file"):
        (tmp_path / "file").write_bytes(b"")
        monkeypatch.setenv("PARETO_DATA_DIR", str(given))
        with pytest.raises(ValueError, match=f"PARETO_DATA_DIR = '{given}'"):
            datasets.dataset_path("noc")


def test_unknown_data_set_suggests_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'sw_llvm'"):
        datasets.dataset_path("llvm")


with_real_data = pytest.mark.skipif(
    "PARETO_DATA_DIR" not in os.environ, reason="PARETO_DATA_DIR is not set"
)


@with_real_data
@pytest.mark.parametrize("name", sorted(datasets.SOURCES))
def test_the_real_files_are_those_that_are_expected(name):
    path = datasets.dataset_path(name)
    assert path.parent.samefile(os.environ["PARETO_DATA_DIR"])


def test_every_address_is_pinned_to_a_commit():
    for source in datasets.SOURCES.values():
        assert source.address.startswith("https://raw.githubusercontent.com/")
        commit = source.address.split("/")[5]
        assert len(commit) == 40
        assert int(commit, 16) > 0
        assert len(source.sha256) == 64


@with_real_data
@pytest.mark.parametrize(("name", "front"), [("sw_llvm", [9, 15]), ("sw_llvm_reversed", [0, 4])])
def test_sw_llvm_is_dealt_out_from_64_observations_of_16_points(name, front):
    instance = load_instance(name)
    assert instance.noise == "pool"
    assert [group.shape for group in instance.observations] == [(64, 2)] * 16
    everything = np.concatenate(instance.observations)
    np.testing.assert_allclose(everything.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(everything.var(axis=0), 1, rtol=1e-12)
    assert instance.pareto_set.tolist() == front
    assert instance.features.tolist() == [[int(bit) for bit in f"{k:04b}"] for k in range(16)]
    assert instance.labels[9] == "1001"
    assert "stand-in" not in instance.provenance
    assert "SW-LLVM" in instance.provenance


@with_real_data
def test_sw_llvm_is_grouped_by_its_most_informative_features():
    # Auer et al. 2016, Section 8: with these four features the squared error of a linear
    # regression is 18.6 % of the variance
    instance = load_instance("sw_llvm")
    rows = np.column_stack([np.ones(16), instance.features]).repeat(64, axis=0)
    performance = np.concatenate(instance.observations)[:, 0]
    error = np.linalg.lstsq(rows, performance, rcond=None)[1][0] / performance.size
    assert error == pytest.approx(0.186, abs=0.0005)


@with_real_data
def test_sw_llvm_reversed_is_the_other_reading():
    forward, reversed_ = load_instance("sw_llvm"), load_instance("sw_llvm_reversed")
    np.testing.assert_allclose(forward.means, -reversed_.means, atol=1e-12)
    np.testing.assert_array_equal(forward.features, reversed_.features)
    assert forward.objectives != reversed_.objectives


@pytest.fixture
def without_sw_llvm(source, monkeypatch):
    """Nothing in the cache, no folder, no network."""
    toy = datasets.Source("llvm.csv", "https://example.org/llvm.csv", SHA256)
    monkeypatch.setitem(datasets.SOURCES, "sw_llvm", toy)


@pytest.mark.parametrize(("name", "front"), [("sw_llvm", [9, 15]), ("sw_llvm_reversed", [0, 4])])
def test_stand_in_for_sw_llvm_when_it_is_out_of_reach(name, front, without_sw_llvm, source):
    instance = load_instance(name)
    assert source == ["https://example.org/llvm.csv"]
    assert "stand-in" in instance.provenance
    assert "sw_llvm_points.csv" in instance.provenance
    assert instance.name == name
    assert instance.noise == "gaussian"
    assert instance.means.shape == instance.variance.shape == (16, 2)
    assert instance.features.shape == (16, 4)
    assert instance.pareto_set.tolist() == front


@with_real_data
@pytest.mark.parametrize("name", ["sw_llvm", "sw_llvm_reversed"])
def test_stand_in_for_sw_llvm_agrees_with_the_data_to_its_last_digit(name, request):
    real = load_instance(name)
    request.getfixturevalue("without_sw_llvm")
    stand_in = load_instance(name)
    assert "stand-in" in stand_in.provenance
    np.testing.assert_allclose(stand_in.means, real.means, rtol=0, atol=0.5001e-6)
    np.testing.assert_allclose(
        np.sqrt(stand_in.variance), np.sqrt(real.variance), rtol=0, atol=0.5001e-6
    )
    assert stand_in.labels == real.labels
    assert stand_in.objectives == real.objectives
    np.testing.assert_array_equal(stand_in.features, real.features)
