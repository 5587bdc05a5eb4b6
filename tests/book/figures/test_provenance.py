"""The provenance of an instance is displayed after its name or a label."""

import pytest

import pareto_core as pc
from pareto_book.figures import provenance

INSTANCE = pc.Instance([[0.0], [1.0]], name="pair", provenance="made up")


@pytest.mark.parametrize(("label", "shown"), [(None, "pair"), ("Data", "Data")])
def test_the_line_has_label_and_provenance(monkeypatch, label, shown):
    displayed = []
    monkeypatch.setattr(provenance, "display", displayed.append)
    provenance.show_provenance(INSTANCE, label)
    assert [each.data for each in displayed] == [f"*{shown}:* made up."]
