"""A reader's own experiment: an algorithm asks, the reader measures and tells.

Begin with `session`, what a reader does, and `standing`, what it says; `status` is what is certain,
`reasons` puts it into words, `pictures` draws it, and `report` writes all down, with its
`assumptions`, on one of the `pages` of HTML or Markdown.
`design` is what an experiment is, `course` what was told and what the algorithm made of it,
`ledger` what it costs, `samples` which samples were told already, and `guard` lets threads in one
at a time. `session_file` says what is kept of a session, `restoring` takes it up again by a
`replay`, `commands` does both from a shell, whose `terminal` shows it; and `explanation` gives an
algorithm's reasons. Rewards come from the reader alone: nothing is simulated here.
"""

from pareto_core.sessions.design import ExperimentDesign
from pareto_core.sessions.explanation import explain
from pareto_core.sessions.restoring import load_session
from pareto_core.sessions.samples import Receipt
from pareto_core.sessions.session import Session
from pareto_core.sessions.status import Status
from pareto_core.sessions.withdrawal import Withdrawal

__all__ = [
    "ExperimentDesign",
    "Receipt",
    "Session",
    "Status",
    "Withdrawal",
    "explain",
    "load_session",
]
