"""An experiment of your own: a session asks for samples, and you tell it their rewards.

`session` has the class: a beginning and a list of events, from which all else follows. `loading`
restores a saved session from its events. All rewards come from the caller: only a plan simulates,
and it changes nothing.
"""

from pareto_lab.session.loading import load_session
from pareto_lab.session.session import Session

__all__ = ["Session", "load_session"]
