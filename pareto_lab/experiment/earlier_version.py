"""Session files of version 7, which had counts and queues in place of events.

In them, an unknown variance is in each objective the same for all arms.
"""

from pareto_core.confidence.noise_kinds import EQUAL, UNKNOWN

EARLIER = 7
MOST_REQUESTS = 10**7  # samples, which are listed one by one


def upgraded(old, names):
    """The content of a file of version 7 with the names that `session_file` has."""
    noise, covariance = old.get("noise"), old.get("covariance")
    deviation = old["standard_deviation"] if noise is None else noise
    is_elsewhere = old["bounds"] is not None or covariance is not None
    return {name: old[name] for name in names if name in old} | {
        "parameters": _with_equal(old["parameters"]),
        "standard_deviation": None if is_elsewhere and deviation == 1 else _with_equal(deviation),
        "covariance": covariance,
        "events": _events(old),
        "used": [arm for arm, _ in old["observations"]],
    }


def _with_equal(given):
    """A value of a file with the kind of unknown noise that it means, also within it."""
    if isinstance(given, dict):
        return {name: _with_equal(each) for name, each in given.items()}
    if isinstance(given, list):
        return [_with_equal(each) for each in given]
    return EQUAL if given == UNKNOWN else given


def _events(old):
    """Events after which the rewards, the requests and the retired arms are those of the file."""
    firsts = _first_rewards(old)
    ranks = [[*range(len(rewards))] for rewards in firsts]
    queues = [iter(rewards) for rewards in firsts]
    told = [[arm, next(queues[arm], None), *rest] for arm, *rest in old["journal"]]
    if len(told) != sum(map(len, firsts)):
        raise ValueError(f"journal has {len(told)} entries; expected one for each reward")
    withdrawn = []
    for arm, _, instead, place, counted, reason in old["withdrawn"]:
        withdrawn.append(["withdrawn", arm, ranks[arm][place], instead, counted, reason])
        if instead is None:
            del ranks[arm][place]
    for number, rewards in zip(old["paid"], firsts, strict=True):
        if number > len(rewards):
            raise ValueError(f"paid = {number}; expected at most the rewards of the arm")
    order = [arm for arm, _ in old["observations"]]
    retired = [[*each[:3]] for each in old["retired"]], [each[3] for each in old["retired"]]
    return [
        ["asked", _arms(old["paid"])],
        ["told", told],
        *withdrawn,
        *([["resumed", order, *retired]] if old["retired"] else []),
        ["asked", _arms(old["outstanding"])],
    ]


def _arms(counts):
    """Each arm as often as it was requested."""
    if sum(counts) > MOST_REQUESTS:
        raise ValueError(f"{sum(counts)} requests; expected at most {MOST_REQUESTS}")
    return [arm for arm, number in enumerate(counts) for _ in range(number)]


def _first_rewards(old):
    """Rewards of each arm in the order told, as they were before all withdrawals."""
    rewards = [[] for _ in old["waiting"]]
    for arm, reward in old["observations"]:
        rewards[arm].append(reward)
    rewards = [used + queue for used, queue in zip(rewards, old["waiting"], strict=True)]
    for arm, reward, instead, place, *_ in reversed(old["withdrawn"]):
        if instead is None:
            rewards[arm].insert(place, reward)
        else:
            rewards[arm][place] = reward
    return rewards
