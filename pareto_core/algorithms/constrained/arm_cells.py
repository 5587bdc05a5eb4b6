"""Arms of similar means in cells, each with a corner that no arm in it is beyond.

Cells hold about as many arms each. What a whole cell is too low for need not be asked of its
arms. Arms stay in their cell when their means move; its corner moves with them.
"""

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel

ARMS_PER_CELL = 64
ORDER, CELL = 0, 1  # rows of ``places``: the arms cell by cell; the cell of each arm


def cells_per_objective(n_arms, n_objectives):
    """Into how many intervals each objective is cut."""
    return max(round((n_arms / ARMS_PER_CELL) ** (1 / n_objectives)), 1)


@kernel
def renew_corner(means, places, corners, cell):
    """Set a cell's corner to the largest mean of its arms in each objective."""
    n_arms, n_cells = means.shape[0], corners.shape[0]
    corners[cell] = -np.inf
    for place in range(n_arms * cell // n_cells, n_arms * (cell + 1) // n_cells):
        for c in range(means.shape[1]):
            corners[cell, c] = max(corners[cell, c], means[places[ORDER, place], c])


@kernel
def fill_cells(means, places, corners):
    """Put the arms into cells: cut by the first objective, each part by the next, and so on."""
    n_arms, n_cells = means.shape[0], corners.shape[0]
    copy_vector(places[ORDER], np.arange(n_arms))
    n_cuts = round(n_cells ** (1 / means.shape[1]))
    n_parts = 1
    for c in range(means.shape[1]):
        for part in range(n_parts):
            some = places[ORDER, n_arms * part // n_parts : n_arms * (part + 1) // n_parts]
            copy_vector(some, some[np.argsort(means[some, c])])
        n_parts *= n_cuts
    for cell in range(n_cells):
        for place in range(n_arms * cell // n_cells, n_arms * (cell + 1) // n_cells):
            places[CELL, places[ORDER, place]] = cell
        renew_corner(means, places, corners, cell)
