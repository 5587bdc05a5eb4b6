"""A tournament of K keys: which is the least, and which are at most a level.

The tree is one array. Entry i holds the lesser of entries 2i and 2i + 1, so that entry 1 is
the least of all; the last half are the leaves, the keys in order. A change takes O(log K), and
so does every key found.
"""

import numpy as np

from pareto_core.compiling.kernels import kernel

LARGEST_KEY = np.finfo(float).max


def tournament_leaves(n_keys):
    """How many leaves a tree of so many keys has: the next power of two."""
    return 1 << (n_keys - 1).bit_length()


@kernel
def build_tournament(tree):
    """Make the tree that fits its leaves."""
    for place in range(tree.shape[0] // 2 - 1, 0, -1):
        tree[place] = min(tree[2 * place], tree[2 * place + 1])


@kernel
def set_key(tree, index, key):
    """Change one key."""
    place = tree.shape[0] // 2 + index
    tree[place] = key
    while place > 1:
        place >>= 1
        least = min(tree[2 * place], tree[2 * place + 1])
        if tree[place] == least:
            return
        tree[place] = least


@kernel
def least_key(tree):
    """Index of the least key, the first of equal ones."""
    leaves = tree.shape[0] // 2
    place = np.int64(1)
    while place < leaves:
        place *= 2
        if tree[place + 1] < tree[place]:
            place += 1
    return place - leaves


@kernel
def next_key(tree, index, level):
    """First index, from this one on, of a finite key of at most ``level``; -1 if there is none."""
    level = min(level, LARGEST_KEY)
    leaves = tree.shape[0] // 2
    if index >= leaves:
        return np.int64(-1)
    place = np.int64(leaves + index)
    while tree[place] > level:
        while place & 1:
            place >>= 1
        if place == 0:
            return np.int64(-1)
        place += 1
    while place < leaves:
        place *= 2
        if tree[place] > level:
            place += 1
    return place - leaves
