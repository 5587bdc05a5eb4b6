"""A reader's own experiment: an algorithm asks, the reader measures and tells.

Begin with `session`. `session_file` says what is kept of one, `restoring` takes it up again,
and `explanation` gives an algorithm's reasons. Rewards come from the reader alone: nothing is
simulated here.
"""

from pareto_core.sessions.explanation import explain
from pareto_core.sessions.restoring import load_session
from pareto_core.sessions.session import Session

__all__ = ["Session", "explain", "load_session"]
