"""What the commands print with ``--json``: one object, and nothing else.

Numbers that are not finite are null. Arms are names, or numbers if they have no names. The objects
of the commands are:

=====================  =============================================================================
ask                    ``arms`` to sample, in order; and ``ended_by``: null, or how the session
                       ended, such as ``"answer"``
tell, tell-all         the state: ``ended_by``; numbers of rewards ``used`` and ``waiting``; an
                       object ``outstanding`` of arms and numbers of samples; ``spent``;
                       ``budget``, may be null; ``withdrawn``, the number of withdrawn rewards; and
                       besides ``counted`` and ``skipped``, the numbers of rewards that were new and
                       known
withdraw, retire       the state; ``raise-budget`` and ``add-arm`` print it, too
status                 the state; ``algorithm``, ``question``; ``delta``, ``rule`` of statements;
                       ``arms``: for each ``arm``, ``statement``, ``reasons``, ``samples``, objects
                       ``means`` and ``intervals`` by objective; ``answer``, ``is_final``;
                       ``remarks``: each ``text`` and ``is_warning``
plan                   ``experiments``, ``seed``, ``budget``, ``max_samples``, ``until``: the rows
                       of `Plan.table`; ``remarks``
report                 ``file``
=====================  =============================================================================
"""

from typing import Any

from pareto_core.geometry.partition import Partition
from pareto_lab.session.session import Session

__all__ = ["answer_object", "state_object"]


def state_object(session: Session) -> dict[str, Any]:
    """The state of a session; see the top of this module."""
    return {
        "ended_by": session.ended_by,
        "used": session.samples,
        "waiting": session.waiting.sum(),
        "outstanding": _outstanding(session),
        "spent": session.spent,
        "budget": session.budget,
        "withdrawn": len(session.withdrawn),
    }


def _outstanding(session):
    """Numbers of samples by arm."""
    pairs = zip(session.design.arms, session.outstanding, strict=True)
    return {arm: number for arm, number in pairs if number}


def answer_object(session: Session) -> Any:
    """The recommendation: a list of arms, or an object of such lists; None before there is one."""
    found = session.recommendation
    if isinstance(found, Partition):
        return {name: list(arms) for name, arms in found._asdict().items()}
    return None if found is None else list(found)
