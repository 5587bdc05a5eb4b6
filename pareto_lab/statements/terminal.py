"""A session as text in a terminal: its state and its answer."""

from pareto_core.checks.arguments import counted
from pareto_core.geometry.partition import Partition
from pareto_core.questions import BEST_ARMS
from pareto_lab.experiment.names import listed, shortened

ENDS = {
    None: "running",
    "answer": "ended: the algorithm has stopped",
    "budget": "ended: the budget is used up",
    "retired": "ended: no further sample could decide an arm, because of retired arms",
}


def representation_of(session):
    """The session in four lines: its algorithm, design and state."""
    design = session.design
    pairs = zip(design.objectives, design.directions, strict=True)
    objectives = [f"{name} ({direction})" for name, direction in pairs]
    return "\n".join(
        (
            f"<Session of {shortened(session.algorithm)}",
            f" {design.n_arms} arms: {listed(design.arms)}",
            f" {counted(design.n_objectives, 'objective')}: {listed(objectives)}",
            f" {session.samples} rewards used, {session.waiting.sum()} waiting, "
            f"{session.outstanding.sum()} outstanding; {ENDS[session.ended_by]}>",
        )
    )


def state_of(session):
    """Whether the session goes on, and which samples it has asked for, in one line."""
    if session.ended_by is not None:
        return ENDS[session.ended_by]
    pairs = zip(session.design.arms, session.outstanding, strict=True)
    texts = [f"{arm} ({number})" for arm, number in pairs if number]
    return f"running; samples asked for: {', '.join(texts) or 'none'}"


def answer_of(session):
    """The recommendation in words."""
    found = session.recommendation
    if found is None:
        return "none yet, because some arms have no reward"
    if isinstance(found, Partition):
        pairs = found._asdict().items()
    elif session.algorithm.question is BEST_ARMS:
        pairs = zip(session.design.objectives, found[:, None], strict=True)
    else:
        return joined(found)
    return "; ".join(f"{name}: {joined(arms)}" for name, arms in pairs)


def joined(arms):
    """Arms in words."""
    return ", ".join(map(str, arms)) or "none"
