"""Tables of numbers that others published: what they hold, and where it is from."""

import hashlib
import re
import tomllib
from typing import NamedTuple

import pytest
from packaging.licenses import canonicalize_license_expression

from pareto_book import paths
from pareto_core.instances.datasets import read_table


class Original(NamedTuple):
    """The file that a table was taken from."""

    file: str
    sha256: str
    separator: str = ";"
    header: str = ""


FROM = {
    "noc": Original(
        "noc_CM_log.csv",
        "6df784c53d285d8e83a4467a5d2732779b78ea45101e82e7b5cf4b998f2870f4",
        header="width;complexity;fifo;multiplier;energy;inv_runtime\n",
    ),
    "snw": Original(
        "sort_256.csv", "9b6d38b882976cf6572710aca4aee5c77979585cc59aacec97b9394c0409b10b"
    ),
    "sw_llvm": Original(
        "llvm_input.csv", "1171ccdda2d32ac38a86e6fff1a3fca85a9f82093e8da0c3c465fb2a60f337cc"
    ),
    "energy_efficiency": Original(
        "ENB2012_data.csv",
        "6d6a39ff73c55463cf31f2aaae890501a7d803349b547e219227c8fb7a6d9899",
        separator=",",
    ),
}
NAMES = [*FROM, "moscore_systems", "moscore_rates"]


def parts_of(name):
    """The comment lines of a table, the line that names the columns, and the rows."""
    lines = (paths.DATA / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    assert lines[: len(comments)] == comments
    columns, *rows = lines[len(comments) :]
    return "\n".join(comments), columns, rows


@pytest.mark.parametrize("name", FROM)
def test_table_is_the_file_that_it_was_taken_from_to_the_byte(name):
    original = FROM[name]
    _, _, rows = parts_of(name)
    text = "".join(f"{row.replace(',', original.separator)}\n" for row in rows)
    again = (original.header + text).encode()
    assert hashlib.sha256(again).hexdigest() == original.sha256


@pytest.mark.parametrize("name", NAMES)
def test_table_says_what_it_holds_and_where_it_is_from(name):
    comments, columns, rows = parts_of(name)
    assert read_table(name).shape == (len(rows), len(columns.split(",")))
    for column in columns.split(","):
        assert re.search(rf"\b{column}\b", comments) or column.startswith("feature_"), column
    for part in ("Columns", "Publication: ", "Taken from: github.com/", "Terms: "):
        assert f"# {part}" in comments
    if name in FROM:
        assert re.search(r" at commit [0-9a-f]{40}\b", comments)
        assert f"# SHA-256 of that file: {FROM[name].sha256}\n" in comments


def test_the_licence_of_the_package_joins_the_terms_of_its_tables():
    notice = (paths.DATA / "NOTICE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)\.csv` \| `([\w.-]+)` \| ", notice, re.MULTILINE)
    tables = {path.stem for path in paths.DATA.glob("*.csv")}
    assert sorted(name for name, _ in rows) == sorted(tables)
    project = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    terms = project["license"].split(" AND ")
    assert terms == ["MIT", *sorted({each for _, each in rows} - {"MIT"})]
    assert canonicalize_license_expression(project["license"]) == project["license"]
    explained = re.findall(r"^`(LicenseRef-[\w.-]+)`\n: ", notice, re.MULTILINE)
    assert sorted(explained) == [each for each in terms if each.startswith("LicenseRef-")]


@pytest.mark.parametrize("name", [*FROM, "noc_coefficients"])
def test_numbers_lie_row_by_row_in_memory(name):
    # the last digits of sums over the rows depend on it
    table = read_table(name)
    assert table.dtype == float
    assert table.flags.c_contiguous


def test_unknown_table_suggests_the_nearest():
    with pytest.raises(ValueError, match=r"name = 'llvm'.*did you mean 'sw_llvm'"):
        read_table("llvm")


def test_a_table_with_text_is_refused():
    with pytest.raises(ValueError):
        read_table("cov_boost")
