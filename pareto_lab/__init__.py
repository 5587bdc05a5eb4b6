"""Experiments of your own, and comparisons of algorithms, on top of `pareto_core`."""

import pareto_lab.libraries  # noqa: F401 - refuses to go on without them
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
from pareto_lab.session import Session, load_session
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
    "load_session",
    "run_experiment",
]
