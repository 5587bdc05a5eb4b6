"""Events of a session file, each of which is checked against the state before it."""

from pareto_core.checks.arguments import check_count, check_flag, check_probability, shown
from pareto_lab.experiment import events
from pareto_lab.experiment.arrivals import with_new_arm
from pareto_lab.experiment.identifiers import Row, check_identifier, new_rows
from pareto_lab.experiment.names import check_names

SOURCE = "file"  # of the samples


def restored_event(saved, state):
    """The event that a file describes by its kind and values; a ValueError if it is impossible."""
    kind, *values = saved
    if kind not in EVENTS:
        raise ValueError(f"event {shown(kind)}; expected one of {', '.join(EVENTS)}")
    return EVENTS[kind](state, *values)


def _asked(state, arms):
    return events.Asked([_arm(state, arm) for arm in _checked_list(arms, "arms")])


def _told(state, rewards):
    rows = [_row(state, *reward[:2], reward[3]) for reward in _checked_list(rewards, "rewards")]
    times = [events.check_time(time) for _, _, time, _ in rewards]
    if len(new_rows(rows, state)) < len(rows):
        raise ValueError("a sample was told twice; expected each identifier with one reward")
    pairs = zip(rows, times, strict=True)
    return events.Told(
        [events.Reward(row.arm, row.reward, time, row.identifier) for row, time in pairs]
    )


def _row(state, arm, reward, identifier):
    number = _arm(state, arm)
    reward = _reward(state, number, reward)
    if identifier is not None:
        identifier = check_identifier(identifier, "identifier")
    return Row(SOURCE, number, reward, identifier)


def _withdrawn(state, arm, rank, instead, counted, reason):
    number = _arm(state, arm)
    rank = check_count(rank, "rank", 0, len(state.told[number]) - 1)
    if not state.told[number][rank].counts:
        raise ValueError(f"reward {rank} of arm {number} is withdrawn twice")
    right = None if instead is None else _reward(state, number, instead)
    check_flag(counted, "counted")
    return events.Withdrawn(number, rank, right, counted, events.check_withdrawal_reason(reason))


def _retired(state, arm, reason, still_counts):
    number = _arm(state, arm)
    events.check_retirement_words(reason, still_counts)
    state.check_retirement(number)
    return events.Retired(number, reason, still_counts)


def _resumed(state, order, retirements, samples):
    found = [_retired(state, *each) for each in _checked_list(retirements, "retired")]
    if len({each.arm for each in found}) < len(found):
        raise ValueError(f"retired = {shown(retirements)}; expected every arm once")
    samples = [check_count(each, "samples", at_least=0) for each in samples]
    return events.Resumed([_arm(state, arm) for arm in order], found, samples)


def _added(state, name, delta, features, cost):
    event = events.Added(name, delta, features, cost)
    with_new_arm(state.algorithm, state.whole, event)
    return event


def _raised(state, budget):
    return events.Raised(state.check_raise(budget))


EVENTS = {
    "asked": _asked,
    "told": _told,
    "withdrawn": _withdrawn,
    "retired": _retired,
    "added": _added,
    "raised": _raised,
    "resumed": _resumed,
}


def _arm(state, arm):
    return check_count(arm, "arm", 0, state.design.n_arms - 1)


def _reward(state, arm, reward):
    return state.design.check_sample(arm, _checked_list(reward, "reward"))


def _checked_list(value, name):
    if not isinstance(value, list):
        raise ValueError(f"{name} = {shown(value)}; expected a list")
    return value


def restored_predecessors(saved):
    """Predecessors from a session file."""
    return tuple(
        events.Predecessor(
            tuple(arms if isinstance(arms[0], int) else check_names(arms, "arms")),
            None if delta is None else check_probability(delta, "delta"),
            check_count(rewards, "rewards", at_least=0),
        )
        for arms, delta, rewards in _checked_list(saved, "predecessors")
    )


def refuse_other_run(state, content):
    """Refuse a file with contradictions, or whose algorithm does not act as it did."""
    for arm, rewards in enumerate(state.rewards):
        state.refuse_contradiction(arm, len(rewards), None)
    kind, run = type(state.algorithm).__name__, state.run
    used = _checked_list(content["used"], "used")
    for number, arm in enumerate(used, start=1):
        if number > len(run.order):
            asks = f"{kind} stops or waits before it"
        elif run.order[number - 1] != arm:
            asks = f"{kind} asks for arm {run.order[number - 1]}"
        else:
            continue
        raise ValueError(
            f"observation {number} is of arm {shown(arm)}, but {asks}; the file was changed, or "
            "the algorithm has changed since"
        )
    if len(run.order) > len(used):
        raise ValueError(f"used has {len(used)} observations, but {kind} uses {len(run.order)}")
    found = {"next_arm": run.wanted(), "ended_by": state.ended_by}
    if content["next_arm"] is None:
        del found["next_arm"]
    for name, value in found.items():
        if content[name] != value:
            raise ValueError(
                f"{name} = {shown(content[name])}, but after the observations of the file it is "
                f"{value!r}"
            )
