"""Experiments of your own, and comparisons of algorithms, on top of `pareto_core`."""

from importlib.util import find_spec

if missing := [name for name in ("pandas", "matplotlib") if find_spec(name) is None]:
    raise ImportError(
        f"pareto_lab needs {' and '.join(missing)}: pip install 'pareto-core[lab]'", name=missing[0]
    )

from pareto_lab.comparison import Comparison, compare
from pareto_lab.experiment import (
    ExperimentDesign,
    Predecessor,
    Receipt,
    Retirement,
    Withdrawal,
)
from pareto_lab.planning import Plan
from pareto_lab.running import run_experiment
from pareto_lab.session import Session, explain, load_session
from pareto_lab.statements import Status
from pareto_lab.tuning import Finalists

__all__ = [
    "Comparison",
    "ExperimentDesign",
    "Finalists",
    "Plan",
    "Predecessor",
    "Receipt",
    "Retirement",
    "Session",
    "Status",
    "Withdrawal",
    "compare",
    "explain",
    "load_session",
    "run_experiment",
]
