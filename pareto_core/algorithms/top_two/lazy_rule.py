"""The sampling rule of `rule`, in time that depends on the arms that the alternative moves.

The shares of all other arms are 0, so that their targets stay, and the sums over all arms are sums
over these few. The arm furthest behind its target is the first of a tournament. The numbers and the
choices are exactly those of `rule`.
"""

from pareto_core.algorithms.constrained.tournament import least_key, set_key
from pareto_core.algorithms.top_two.case_distances import catch_up
from pareto_core.algorithms.top_two.lazy_search import find_lazily
from pareto_core.algorithms.top_two.rule import neglected_arm
from pareto_core.compiling.kernels import kernel
from pareto_core.transport.addition import blocks, write_addition
from pareto_core.transport.removal import write_removal


@kernel
def _list_changed(cases):
    """List the arms that the alternative moves, ascending."""
    response, changed = cases.response, cases.changed
    found, count = response.found[0], 0
    if found["winner"] >= 0:
        changed[0] = min(found["moved"], found["winner"])
        changed[1] = max(found["moved"], found["winner"])
        cases.n_changed[0] = 2
        return
    for f in range(found["size"] + 1):
        arm = found["moved"]
        if f < found["size"]:
            arm = response.front[f]
            if not blocks(cases.means, arm, response.point):
                continue
        position = count
        while position > 0 and changed[position - 1] > arm:
            changed[position] = changed[position - 1]
            position -= 1
        changed[position] = arm
        count += 1
    cases.n_changed[0] = count


@kernel
def _write_alternative(means, weights, cases, alternative):
    """Write the rows of the alternative that differ from the means."""
    response = cases.response
    found = response.found[0]
    for i in range(cases.n_changed[0]):
        for c in range(means.shape[1]):
            alternative[cases.changed[i], c] = means[cases.changed[i], c]
    if found["winner"] >= 0:
        write_removal(means, weights, found["moved"], found["winner"], alternative)
    else:
        size, moved = found["size"], found["moved"]
        write_addition(means, response.front, size, moved, response.point, alternative)


@kernel
def _write_shares(state, cases):
    """Write the shares of the arms that the alternative moves."""
    means, alternative, shares = state.record.means, state.alternative, state.shares
    for i in range(cases.n_changed[0]):
        shares[cases.changed[i]] = 0.0
    _list_changed(cases)
    _write_alternative(means, state.weights, cases, alternative)
    evidence = 0.0
    for i in range(cases.n_changed[0]):
        k, squares = cases.changed[i], 0.0
        for c in range(means.shape[1]):
            squares += (means[k, c] - alternative[k, c]) ** 2
        shares[k] = 0.5 * squares * state.weights[k]
        evidence += shares[k]
    if evidence == 0.0:  # all arms count alike
        cases.n_changed[0] = means.shape[0]
        for k in range(means.shape[0]):
            cases.changed[k] = k
    total = 0.0
    for i in range(cases.n_changed[0]):
        k = cases.changed[i]
        shares[k] = (shares[k] if evidence > 0.0 else 1.0) / state.costs[k]
        total += shares[k]
    for i in range(cases.n_changed[0]):
        shares[cases.changed[i]] /= total


@kernel
def _follow_shares(state, cases):
    """As `tracking.follow_sum`."""
    for i in range(cases.n_changed[0]):
        k = cases.changed[i]
        state.targets[k] += state.shares[k]
        set_key(cases.behind, k, state.weights[k] - state.targets[k])
    return least_key(cases.behind)


@kernel
def search_lazily(state):
    """Find the cheapest alternative once per sample, and return its cost."""
    found, samples = state.search[0], state.record.time[0]
    if found["samples"] != samples:
        found["cost"] = find_lazily(state.record, state.targets, state.weights, state.oracle.cases)
        found["samples"] = samples
    return found["cost"]


@kernel
def select_lazily(parameters, state):
    """As ``select`` of `rule.selection`."""
    record, cases, samples = state.record, state.oracle.cases, state.record.time[0]
    if samples < state.explored.shape[0]:
        return state.explored[samples], 1
    catch_up(record, state.targets, state.weights, cases)
    arm = neglected_arm(record, state.explored)
    if parameters.forced_exploration and arm >= 0:
        state.targets[arm] += 1.0
        set_key(cases.behind, arm, state.weights[arm] - state.targets[arm])
    else:
        if samples >= state.search[0]["due"]:
            search_lazily(state)
            _write_shares(state, cases)
            state.search[0]["due"] = samples + parameters.alternative_every
        arm = _follow_shares(state, cases)
    cases.status[0]["sampled"] = arm
    return arm, 1
