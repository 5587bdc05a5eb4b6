"""An experiment from the content of its file, each event checked against the state before it."""

from pareto_core.algorithms.registry import algorithms_by_name
from pareto_core.checks.arguments import (
    check_choice,
    check_count,
    check_flag,
    check_probability,
    shown,
)
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_lab.experiment import events
from pareto_lab.experiment.arrivals import with_new_arm
from pareto_lab.experiment.identifiers import Row, check_identifier, new_rows
from pareto_lab.experiment.names import check_names
from pareto_lab.experiment.session_file import as_read, kinds_of, write
from pareto_lab.experiment.starting import started
from pareto_lab.experiment.state import State

SOURCE = "file"  # of the samples


def start_of(content, kinds):
    """How the session of a file began; `kinds` are the algorithms that it may name."""
    algorithm = _algorithm(content, kinds)
    region, objectives, units = (content[name] for name in ("polyhedron", "objectives", "units"))
    deviation = content["standard_deviation"]
    noise = (deviation, content["bounds"], content["covariance"])
    if algorithm.noise.is_stated and deviation == 1:
        noise = (None, *noise[1:])
    start = started(
        algorithm,
        (content["n_arms"], content["n_objectives"]),
        (
            content["arms"],
            None if objectives is None else dict(objectives),
            _by_name(units, content["n_objectives"], objectives),
        ),
        noise,
        content["features"],
        None if region is None else Polyhedron(*region),
        content["costs"],
        content["budget"],
        content["seed"],
    )
    return start._replace(predecessors=_predecessors(content["predecessors"]))


def _algorithm(content, kinds):
    """The algorithm of a name and parameters, which may include algorithms."""
    parameters = dict(content["parameters"])
    for name, value in parameters.items():
        if isinstance(value, dict) and set(value) == {"algorithm", "parameters"}:
            parameters[name] = _algorithm(value, kinds)
    if "forced_exploration" in parameters:  # until version 0.9.0
        is_forced = parameters.pop("forced_exploration")
        parameters["exploration"] = "square_root" if is_forced else "none"
    return kinds[check_choice(content["algorithm"], "algorithm", kinds)](**parameters)


def _by_name(units, n_objectives, objectives):
    """Units of objectives by their names, or by their numbers."""
    if units is None:
        return None
    names = range(n_objectives) if objectives is None else [name for name, _ in objectives]
    return dict(zip(names, units, strict=True))


def restored_events(start, content):
    """The events of a file, after which the algorithm has done what it says, and the state."""
    state, found = State(start), []
    for saved in content["events"]:
        found.append(_restored_event(saved, state))
        state.apply(found[-1])
    _refuse_other_run(state, content)
    return found, state


def write_restorable(content, algorithm, path):
    """Write a content to a file that is `locked`, unless it could not be restored from it."""
    package = algorithms_by_name()
    kinds = {kind.__name__: kind for kind in kinds_of(algorithm)}
    try:
        start = start_of(content, {**kinds, **package})
        if not kinds.keys() <= package.keys():
            restored_events(start, content)
        found = as_read(start.algorithm.hyper_parameters())
        if found != content["parameters"]:
            raise ValueError(f"its parameters become {shown(found)}")
    except Exception as error:  # the caller's own code may raise anything
        raise ValueError(
            f"algorithm = {shown(algorithm)} can't be restored from a file: {error}"
        ) from error
    write(content, path)


def _restored_event(saved, state):
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
    number, reward = _arm(state, arm), _reward(state, reward)
    if identifier is not None:
        identifier = check_identifier(identifier, "identifier")
    return Row(SOURCE, number, reward, identifier)


def _withdrawn(state, arm, rank, instead, counted, reason):
    number = _arm(state, arm)
    rank = check_count(rank, "rank", 0, len(state.told[number]) - 1)
    if not state.told[number][rank].counts:
        raise ValueError(f"reward {rank} of arm {number} is withdrawn twice")
    right = None if instead is None else _reward(state, instead)
    check_flag(counted, "counted")
    events.check_reason(reason, may_be_empty=True)
    return events.Withdrawn(number, rank, right, counted, reason)


def _retired(state, arm, reason, still_counts):
    number = _arm(state, arm)
    state.check_retirement(number, reason, still_counts)
    return events.Retired(number, reason, still_counts)


def _resumed(state, order, retirements, samples):
    found = [_retired(state, *each) for each in _checked_list(retirements, "retired")]
    if len({each.arm for each in found}) < len(found):
        raise ValueError(f"retired = {shown(retirements)}; expected every arm once")
    samples = [check_count(each, "samples", at_least=0) for each in samples]
    return events.Resumed([_arm(state, arm) for arm in order], found, samples)


def _added(state, name, delta, features, cost):
    event = events.Added(name, delta, features, cost)
    with_new_arm(state.algorithm, state.design, event)
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


def _reward(state, reward):
    return state.design.check_reward(_checked_list(reward, "reward"))


def _checked_list(value, name):
    if not isinstance(value, list):
        raise ValueError(f"{name} = {shown(value)}; expected a list")
    return value


def _predecessors(saved):
    """Predecessors from a session file."""
    return tuple(
        events.Predecessor(
            tuple(arms if isinstance(arms[0], int) else check_names(arms, "arms")),
            None if delta is None else check_probability(delta, "delta"),
            check_count(rewards, "rewards", at_least=0),
        )
        for arms, delta, rewards in _checked_list(saved, "predecessors")
    )


def _refuse_other_run(state, content):
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
            "the algorithm has changed since, or draws from another stream than the rng of start"
        )
    if len(run.order) > len(used):
        raise ValueError(f"used has {len(used)} observations, but {kind} uses {len(run.order)}")
    found = {"next_arm": run.wanted(), "ended_by": state.ended_by}
    if content["next_arm"] is None:
        del found["next_arm"]
    if content["ended_by"] == "retired":  # an earlier version ended some that can be decided
        del found["ended_by"]
    for name, value in found.items():
        if content[name] != value:
            raise ValueError(
                f"{name} = {shown(content[name])}, but after the observations of the file it is "
                f"{value!r}"
            )
