"""Slow version of PEAK's evidence: every pair of candidates, in plain Python."""

import itertools
import math

CELLS = 1000


def capital(rewards, mean):
    """Capital of one arm against a mean."""
    found, total = 1, 0
    for i, reward in enumerate(rewards):
        guess = (total + type(mean)(1) / 2) / (i + 1)
        found *= 1 + (guess - mean) * (reward - mean) * 100 / 26
        total += reward
    return found


def evidence(rewards_of_each, step=1):
    """ln of the least average over means under which another arm is as good as the leader."""
    grid = [g / CELLS for g in range(0, CELLS + 1, step)]
    capitals = [[capital(rewards, mean) for mean in grid] for rewards in rewards_of_each]
    averages = [sum(each) / max(len(each), 1) for each in rewards_of_each]
    leader = averages.index(max(averages))
    least = math.inf
    for k in set(range(len(capitals))) - {leader}:
        others = sum(min(capitals[j]) for j in range(len(capitals)) if j not in (k, leader))
        pairs = itertools.combinations_with_replacement(range(len(grid)), 2)
        both = min(capitals[leader][a] + capitals[k][b] for a, b in pairs)
        least = min(least, both + others)
    return math.log(least / len(capitals))
