"""An experiment of your own: an algorithm asks, you measure and tell.

Begin with `session`. `standing` is what it says of itself, `guard` lets threads in one at a time,
`restoring` loads a saved session by a `replay`, `explanation` gives the reasons of an algorithm,
and `commands` does all of it from a shell. Rewards come from the caller alone: nothing is
simulated here.
"""

from pareto_lab.session.explanation import explain
from pareto_lab.session.restoring import load_session
from pareto_lab.session.session import Session

__all__ = ["Session", "explain", "load_session"]
