"""A tournament tree of K keys that finds the smallest key, and all keys up to a level.

The tree is one array. Entry i contains the smaller of the entries 2i and 2i + 1, so entry 1 is the
smallest key; the second half of the array contains the keys in order. Changing or finding a key
takes O(log K).
"""

import numpy as np

from pareto_core.compiling.kernels import kernel

LARGEST_KEY = np.finfo(float).max


def tournament_leaves(n_keys):
    """Number of leaves of a tree with ``n_keys`` keys: the next power of two."""
    return 1 << (n_keys - 1).bit_length()


@kernel
def build_tournament(tree):
    """Fill the inner nodes from the leaves."""
    for node in range(tree.shape[0] // 2 - 1, 0, -1):
        tree[node] = min(tree[2 * node], tree[2 * node + 1])


@kernel
def set_key(tree, index, key):
    """Change one key."""
    node = tree.shape[0] // 2 + index
    tree[node] = key
    while node > 1:
        node >>= 1
        least = min(tree[2 * node], tree[2 * node + 1])
        if tree[node] == least:
            return
        tree[node] = least


@kernel
def least_key(tree):
    """Index of the smallest key, the first one on ties."""
    leaves = tree.shape[0] // 2
    node = np.int64(1)
    while node < leaves:
        node *= 2
        if tree[node + 1] < tree[node]:
            node += 1
    return node - leaves


@kernel
def next_key(tree, index, level):
    """First index, from ``index`` on, of a finite key up to ``level``, or -1."""
    level = min(level, LARGEST_KEY)
    leaves = tree.shape[0] // 2
    if index >= leaves:
        return np.int64(-1)
    node = np.int64(leaves + index)
    while tree[node] > level:
        while node & 1:
            node >>= 1
        if node == 0:
            return np.int64(-1)
        node += 1
    while node < leaves:
        node *= 2
        if tree[node] > level:
            node += 1
    return node - leaves
