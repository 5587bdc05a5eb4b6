"""Statements about the arms of an experiment: as numbers, text, plots and reports.

`status` holds what is certain about each arm, which `arm_statements` puts into words, with the
`data_warnings` that come first. `plot` draws a status, and `terminal` prints the state of a
session. `experiment_report` adds the design, the data and the `assumptions`, and fills the
template `report.html`.
"""

from pareto_lab.statements.status import Status

__all__ = ["Status"]
