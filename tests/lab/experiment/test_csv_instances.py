"""Instances from CSV files of means and of observations."""

from pathlib import Path

import numpy as np
import pytest

import pareto_core as pc
import pareto_lab as lab
from pareto_lab.experiment.csv_instances import named_instance

MEANS = "label,response,safety\nA,0.5,0.9\nB,0.7,0.6\nC,0.4,0.5\n"
OBSERVATIONS = """# two vaccines
arm,response,safety

B,1.0,2.0
A,3.0,4.0
B,2.0,3.0
"""


@pytest.fixture
def write(tmp_path):
    """Write a file, and return its path."""

    def write(text, name="arms.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


def test_means_with_labels(write):
    path = write(MEANS)
    for name in (path, str(path)):
        instance = lab.read_instance(name)
        assert instance.means.tolist() == [[0.5, 0.9], [0.7, 0.6], [0.4, 0.5]]
        assert instance.variance.tolist() == [1.0, 1.0]
        assert instance.labels == ("A", "B", "C")
        assert instance.objectives == ("response", "safety")
        assert (instance.name, instance.provenance) == ("arms", f"means in {path}")


def test_only_lines_above_the_names_of_the_columns_are_comments(write):
    instance = lab.read_instance(write("# from a trial\n\nlabel,a\n#1,0.5\n#2,0.7\n"))
    assert instance.labels == ("#1", "#2")


@pytest.mark.parametrize(
    "text",
    [
        "label;response;safety\nA;0,5;0,9\nB;0,7;0,6\nC;4e-1;,5\n",
        "# safety, in all\n\nlabel;response;safety\nA;0.5;0.9\nB;0.7;0.6\nC;.4;0.5\n",
    ],
)
def test_semicolons_between_columns(text, write):
    instance = lab.read_instance(write(text))
    assert instance.means.tolist() == [[0.5, 0.9], [0.7, 0.6], [0.4, 0.5]]
    assert instance.labels == ("A", "B", "C")
    assert instance.objectives == ("response", "safety")


def test_labels_keep_their_commas(write):
    instance = lab.read_instance(write("label;a\n1,5;0,5\nB;0,7\n"))
    assert instance.labels == ("1,5", "B")


def test_means_without_labels(write):
    instance = lab.read_instance(write("response,safety\n0.5,0.9\n 0.7 ,6e-1\n"))
    assert instance.means.tolist() == [[0.5, 0.9], [0.7, 0.6]]
    assert instance.labels == ("arm 0", "arm 1")


def test_an_index_that_pandas_writes_holds_the_labels(write):
    instance = lab.read_instance(write("\ufeff,response\r\nA,1\r\nB,2\r\n"))
    assert instance.labels == ("A", "B")
    assert instance.means.tolist() == [[1.0], [2.0]]


def test_noise_is_a_parameter_of_means(write):
    path = write(MEANS)
    assert lab.read_instance(path, variance=[0.25, 4]).variance.tolist() == [0.25, 4.0]
    assert named_instance(f"{path}(noise='bernoulli')").noise == "bernoulli"
    region = pc.orthant([0.45, 0.0])
    assert lab.read_instance(path, polyhedron=region).constrained_pareto_set.tolist() == [0, 1]


def test_observations_are_drawn_without_replacement(write):
    path = write(OBSERVATIONS)
    instance = lab.read_instance(path)
    assert instance.noise == "pool"
    assert instance.labels == ("B", "A")  # in the order of their first lines
    assert [group.tolist() for group in instance.observations] == [[[1, 2], [2, 3]], [[3, 4]]]
    assert instance.objectives == ("response", "safety")
    assert instance.provenance == f"observations in {path}"
    runs = pc.simulate(pc.UniformSampling(budget=3), instance, 1, progress=False)
    np.testing.assert_array_equal(runs.means[0][1], [3.0, 4.0])


def test_a_path_may_have_spaces_and_parentheses(tmp_path, write):
    path = write(MEANS, "my arms (2).CSV")
    assert named_instance(path).name == "my arms (2)"
    assert named_instance(f"{path}(variance=[1, 2])").variance.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": expected a line of column names, and a line for each row"),
        ("response,safety\n", ": expected a line of column names, and a line for each row"),
        (
            ",arm,a\n0,A,1\n1,B,2\n",
            ", ',arm,a'; expected the column arm in the first place",
        ),
        ("0.5,0.9\n0.7,0.6\n", ", '0.5,0.9'; expected names of the columns, not numbers"),
        ("# c\n\n# d\na\n1\n# 2\n", ", line 6: '# 2' in column 'a'; expected a finite number"),
        ("Unnamed: 0,a\n0,1\n1,2\n", ", 'Unnamed: 0,a'; expected a name for each column"),
        ("a,\n1,2\n3,4\n", ", 'a,'; expected a name for each column"),
        ("label,a\n,1\nB,2\n", ", line 2: ',1'; expected the name of an arm"),
        ("a|b\n1|2\n3|4\n", r", line 2: '1\|2' in column 'a\|b'; expected a finite number, or 'la"),
        ("a,b\n1,2\n3,x\n", ", line 3: 'x' in column 'b'; expected a finite number$"),
        ("name,b\nA,1\nB,2\n", ", line 2: 'A' in column 'name'; expected a finite number, or 'la"),
        ("arm,b\nA,1\nB,2\n", ": no arm has two lines of observations; expected several .*'label'"),
        ("arm,b\nA,1\nA,2\n", ": observations of 1 arms; expected at least 2 arms"),
        ('label,a\n"A\n1",1\nB,2\n', r": labels = \['A\\n1', 'B'\]; expected 2 names on one line"),
        ('a,b\n1,"2\n', ".*"),
    ],
)
def test_a_wrong_file_is_named_with_the_line(text, message, write):
    path = write(text)
    with pytest.raises(ValueError, match=f"^{path}{message}"):
        lab.read_instance(path)


def test_text_that_is_not_utf_8_is_named(tmp_path):
    path = tmp_path / "arms.csv"
    path.write_bytes(b"label,b\n\xff,1\n")
    with pytest.raises(ValueError, match=f"^{path} is not a CSV file in UTF-8"):
        lab.read_instance(path)


def test_arguments_that_do_not_fit_the_file_are_named(write):
    means, observations = write(MEANS), write(OBSERVATIONS, "seen.csv")
    with pytest.raises(ValueError, match=f"^{means}: variance = .*; expected 2 positive numbers"):
        lab.read_instance(means, variance=[1.0])
    for name, value in (("variance", [1, 1]), ("covariance", [[1]]), ("noise", "uniform")):
        with pytest.raises(ValueError, match=f"^{observations}: {name} for a file of observ.*None"):
            lab.read_instance(observations, **{name: value})
    with pytest.raises(ValueError, match=r"keyword argument 'varianc'; expected .*arms.csv\(vari"):
        named_instance(f"{means}(varianc=1)")
    with pytest.raises(FileNotFoundError, match=r"missing\.csv"):
        lab.read_instance(Path("missing.csv"))


def test_a_file_of_means_takes_a_covariance_for_each_arm(write):
    covariance = np.array([np.eye(2), 2 * np.eye(2), [[1.0, 0.5], [0.5, 1.0]]])
    path = write("label,a,b\nx,1,2\ny,0,5\nz,-1,0\n")
    np.testing.assert_array_equal(
        lab.read_instance(path, covariance=covariance).covariance, covariance
    )
