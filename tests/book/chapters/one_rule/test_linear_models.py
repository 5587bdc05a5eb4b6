"""The table of algorithms for linear models."""

import numpy as np
import pandas as pd
import pytest

import pareto_core as pc
from pareto_book.chapters.one_rule.linear_models import (
    least_ratio,
    linear_entrants,
    linear_instances,
    linear_table,
    show_linear,
)
from pareto_book.records.measurements import Measurement


def test_instances_have_features_and_the_noise_of_the_chapter():
    for instance in linear_instances().values():
        assert instance.features is not None
        np.testing.assert_array_equal(instance.variance, [0.25, 0.25])


@pytest.mark.compiled
def test_each_row_is_what_the_algorithm_needs():
    instance = pc.Instance(
        [[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5]],
        features=[[1, 0], [0, 1], [-0.5, -0.5]],
        covariance=0.25 * np.eye(2),
    )
    table = linear_table({"three": instance}, (0.1, 0.01), runs=3, seed=4, n_jobs=1)
    assert table["delta"].tolist() == [0.1] * 4 + [0.01] * 4
    time = pc.characteristic_time(instance.means_standardised, features=instance.features).time
    for _, row in table.iterrows():
        algorithm = linear_entrants(instance)[row["algorithm"]].with_delta(row["delta"])
        alone = pc.simulate(algorithm, instance, 3, 4, progress=False)
        assert row["samples"].value == alone.samples.mean()
        assert row["errors"].value == np.mean(~alone.correct)
        ratio = alone.samples.mean() / (time * np.log(1 / row["delta"]))
        assert row["over T* ln(1/δ)"].value == pytest.approx(ratio, rel=0.01)
        assert row["stopped"] == 1


def test_the_least_ratio_is_that_of_the_closest_rival():
    frame = pd.DataFrame(
        {
            "instance": ["a"] * 3,
            "algorithm": ["TopTwoIDS", "GEGE", "PAL"],
            "samples": [
                Measurement(100.0, (80.0, 125.0), 10),
                Measurement(300.0, (250.0, 400.0), 10),
                Measurement(500.0, (450.0, 550.0), 10),
            ],
        }
    )
    assert least_ratio(frame) == Measurement(3.0, (2.0, 5.0), 10)


def test_runs_that_did_not_stop_are_not_shown():
    frame = pd.DataFrame({"instance": ["a"], "delta": [0.1], "stopped": [0.5]})
    with pytest.raises(RuntimeError, match="did not stop"):
        show_linear(frame)
