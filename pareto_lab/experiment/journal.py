"""The journal of an experiment: the order in which rewards were told, and when."""

import collections
import datetime
import os
from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_count, shown
from pareto_lab.experiment.identifiers import check_identifier
from pareto_lab.experiment.missing_values import plain_reward

FORM_OF_TIMES = "%Y-%m-%dT%H:%M:%SZ"  # in UTC
USED, WAITING, REPLACED, WITHDRAWN = "used", "waiting", "replaced", "withdrawn"


class Entry(NamedTuple):
    """The fact that a reward was told; its values are in the ledger."""

    arm: int
    time: str | None  # in `FORM_OF_TIMES`; None if it is unknown
    identifier: str | None


class ToldReward(NamedTuple):
    """A reward that was told, or the one that replaced it.

    A sample whose reward was replaced has several of these, with the same number.
    """

    number: int  # of the sample in the order told, from 1
    arm: int
    reward: np.ndarray  # (d,)
    identifier: str | None
    time: str | None
    state: str
    reason: str  # of the withdrawal
    position: int | None  # among the rewards of the arm that count; None if it does not count


def now():
    """The time as the journal writes it; that of ``SOURCE_DATE_EPOCH`` if it is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    clock = datetime.datetime.now(datetime.UTC)
    if epoch is not None:  # so that a page that is built twice comes out the same
        clock = datetime.datetime.fromtimestamp(int(epoch), datetime.UTC)
    return clock.strftime(FORM_OF_TIMES)


def completed(journal, ledger):
    """The journal with an entry for each reward that has none, and with the known identifiers.

    An interruption may have prevented an entry. Those missing are in the order in which the
    algorithm used the rewards, followed by those that wait, arm by arm, and by those that were
    withdrawn. Times are then unknown, and identifiers belong to the first rewards of their values.

    Parameters
    ----------
    journal : sequence of Entry
    ledger : Ledger

    Returns
    -------
    list of Entry
    """
    missing = _numbers_told(ledger) - collections.Counter(entry.arm for entry in journal)
    run, entries = ledger.queued_run, list(journal)
    waiting = (arm for arm, queue in enumerate(run.queues) for _ in queue)
    for arm in (*(arm for arm, _ in run.used), *waiting, *missing.elements()):
        if missing[arm] > 0:
            missing[arm] -= 1
            entries.append(Entry(arm, None, None))
    return _identified(entries, ledger)


def _identified(entries, ledger):
    """The entries, with an identifier exactly where the reward was told with one."""
    ids, values = ledger.identifiers, _values_of(entries, _first_rewards(ledger))
    told = {
        name: collections.deque([*ids.former.get(name, ()), last])
        for name, last in ids.latest.items()
    }
    found, free = [], collections.defaultdict(collections.deque)
    for k, (entry, own) in enumerate(zip(entries, values, strict=True)):
        is_right = bool(told.get(entry.identifier)) and told[entry.identifier][0] == own
        if is_right:
            told[entry.identifier].popleft()
        else:
            free[own].append(k)
        found.append(entry if is_right else entry._replace(identifier=None))
    for name, left in told.items():
        for own in left:
            k = free[own].popleft()
            found[k] = found[k]._replace(identifier=name)
    return found


def _values_of(entries, firsts):
    """Arm and first reward of each entry, in the form of `Sample.values`."""
    queues = [iter(rewards) for rewards in firsts]
    return [(entry.arm, plain_reward(next(queues[entry.arm]))) for entry in entries]


def restored_journal(content, ledger):
    """The journal of a file.

    Parameters
    ----------
    content : list
        Triples of arm, time and identifier, in the order told.
    ledger : Ledger
        With all rewards, withdrawals and identifiers of the file.

    Returns
    -------
    list of Entry

    Raises
    ------
    ValueError
        If an entry is invalid, or the entries are not those of the rewards of the file.
    """
    if not isinstance(content, list) or not all(
        isinstance(entry, list) and len(entry) == len(Entry._fields) for entry in content
    ):
        raise ValueError(f"journal = {shown(content)}; expected lists of arm, time and identifier")
    last = ledger.design.n_arms - 1
    journal = [
        Entry(
            check_count(arm, "arm", 0, last),
            _checked_time(time),
            None if identifier is None else check_identifier(identifier, "identifier"),
        )
        for arm, time, identifier in content
    ]
    told = _numbers_told(ledger)
    if collections.Counter(entry.arm for entry in journal) != told:
        raise ValueError(
            f"journal has {len(journal)} entries; expected one for each of the {told.total()} "
            "rewards that were told, of the same arms"
        )
    if completed(journal, ledger) != journal:
        raise ValueError("journal has other identifiers than the rewards; expected the same")
    return journal


def _numbers_told(ledger):
    """How many rewards were told for each arm, including withdrawn ones."""
    run, find = ledger.queued_run, ledger.design.find
    counts = run.run.record.counts + run.waiting()
    lost = [find(each.arm) for each in ledger.withdrawn if each.instead is None]
    return +(collections.Counter(dict(enumerate(counts.tolist()))) + collections.Counter(lost))


def _checked_time(text):
    try:
        if text is not None:
            datetime.datetime.strptime(text, FORM_OF_TIMES)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"time = {shown(text)} in the journal; expected null or a time as 2026-01-31T23:59:59Z"
        ) from error
    return text


def told_rewards(ledger):
    """Everything that was told, in the order told; see `ToldReward`.

    Parameters
    ----------
    ledger : Ledger

    Returns
    -------
    list of ToldReward
        A reward that was replaced comes before its replacement.
    """
    firsts = _first_rewards(ledger)
    changes, left = _changes(ledger, firsts)
    counts, positions = ledger.queued_run.run.record.counts, [0] * len(firsts)
    rows, ranks = [], [0] * len(firsts)
    journal = completed(ledger.journal, ledger)
    for number, (arm, time, identifier) in enumerate(journal, start=1):
        rank = ranks[arm]
        ranks[arm] += 1
        reward, head = firsts[arm][rank], (number, arm)
        for each in changes[arm].get(rank, ()):
            state = WITHDRAWN if each.instead is None else REPLACED
            rows.append(ToldReward(*head, reward, identifier, time, state, each.reason, None))
            reward = None if each.instead is None else np.array(each.instead, dtype=float)
        if rank in left[arm]:
            position = positions[arm]
            positions[arm] += 1
            state = USED if position < counts[arm] else WAITING
            rows.append(ToldReward(*head, reward, identifier, time, state, "", position))
    return rows


def _first_rewards(ledger):
    """Rewards of each arm in the order told, as they were before all withdrawals.

    Raises
    ------
    ValueError
        If a withdrawn reward had more rewards before it than were told.
    """
    rewards = ledger.told()
    for each in reversed(ledger.withdrawn):
        own, wrong = rewards[ledger.design.find(each.arm)], np.array(each.reward, dtype=float)
        most = len(own) - (each.instead is not None)
        if each.place > most:
            raise ValueError(f"place = {each.place} of a withdrawn reward; expected at most {most}")
        if each.instead is None:
            own.insert(each.place, wrong)
        else:
            own[each.place] = wrong
    return rewards


def _changes(ledger, firsts):
    """Withdrawals by arm and rank of the reward, and for each arm the ranks that count."""
    left = [list(range(len(rewards))) for rewards in firsts]
    changes = [{} for _ in firsts]
    for each in ledger.withdrawn:
        arm = ledger.design.find(each.arm)
        rank = left[arm][each.place]
        changes[arm].setdefault(rank, []).append(each)
        if each.instead is None:
            del left[arm][each.place]
    return changes, [set(ranks) for ranks in left]
