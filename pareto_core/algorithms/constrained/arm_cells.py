"""Cells of arms with similar means, each with a corner that bounds the means in it from above.

If the corner of a cell is too low in some objective, none of its arms has to be examined. Arms
stay in their cell when their means move, and its corner is updated. All cells contain about
equally many arms.
"""

from typing import NamedTuple

import numpy as np

from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel

ARMS_PER_CELL = 64


class ArmCells(NamedTuple):
    """A partition of the arms into cells."""

    corners: np.ndarray  # (number of cells, d) largest mean of each cell in each objective
    order: np.ndarray  # (K,) the arms, cell by cell
    cell: np.ndarray  # (K,) the cell of each arm


def allocate_arm_cells(n_arms, n_objectives):
    """Allocate cells that are filled later, by `fill_cells`."""
    cuts = max(round((n_arms / ARMS_PER_CELL) ** (1 / n_objectives)), 1)  # of each objective
    return ArmCells(
        np.empty((cuts**n_objectives, n_objectives)),
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
    )


@kernel
def renew_corner(means, cells, cell):
    """Set the corner of a cell to the largest mean of its arms in each objective."""
    n_arms, n_cells = means.shape[0], cells.corners.shape[0]
    cells.corners[cell] = -np.inf
    for index in range(n_arms * cell // n_cells, n_arms * (cell + 1) // n_cells):
        for c in range(means.shape[1]):
            mean = means[cells.order[index], c]
            cells.corners[cell, c] = max(cells.corners[cell, c], mean)


@kernel
def fill_cells(means, cells):
    """Divide the arms by the first objective, each part by the second, and so on."""
    n_arms, n_cells, order = means.shape[0], cells.corners.shape[0], cells.order
    copy_vector(order, np.arange(n_arms))
    n_cuts = round(n_cells ** (1 / means.shape[1]))
    n_parts = 1
    for c in range(means.shape[1]):
        for part in range(n_parts):
            members = order[n_arms * part // n_parts : n_arms * (part + 1) // n_parts]
            copy_vector(members, members[np.argsort(means[members, c])])
        n_parts *= n_cuts
    for cell in range(n_cells):
        for index in range(n_arms * cell // n_cells, n_arms * (cell + 1) // n_cells):
            cells.cell[order[index]] = cell
        renew_corner(means, cells, cell)
