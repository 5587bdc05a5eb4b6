"""What the book's room says when a library that it needs is missing."""

import importlib
import sys

import pandas as pd
import pytest

from pareto_core.publishing.tables import show_table

MESSAGE = r"^{} is not installed, .*; call pip install 'pareto-core\[book\]'$"


def test_a_table_needs_ipython(monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython.display", None)
    with pytest.raises(ImportError, match=MESSAGE.format(r"IPython\.display")):
        show_table(pd.DataFrame({"mean": [1.0]}), "Numbers.")


@pytest.mark.parametrize("missing", ["docutils.nodes", "psutil"])
def test_the_summary_needs_what_the_book_does(missing, monkeypatch):
    for name in ("pareto_core.publishing.summary", "pareto_core.publishing.stamps"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=MESSAGE.format(missing.replace(".", r"\."))):
        importlib.import_module("pareto_core.publishing.summary")
