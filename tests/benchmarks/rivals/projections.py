"""Projections onto polyhedra, against solvers of quadratic programs."""

import numpy as np
from bench_projection import by_nnls, random_program

from pareto_core import Polyhedron

from .contests import Contest, at_once, check_agreement, each

NEEDS = ("daqp", "quadprog")
SIZES = ((10, 2), (20, 4), (100, 4), (50, 10))  # rows, objectives
EXACT = 1e-9  # share of the squared distance
BY_NNLS = 1e-6


def contests(available):
    """One point a call, then all points in a call of ours; the rivals take one a call."""
    for n_rows, d in SIZES:
        normals, offsets, starts = random_program(n_rows, d)
        region = Polyhedron(normals, offsets)
        rivals = rivals_of(normals, offsets, starts, available)
        size = f"{n_rows} rows, d = {d}"
        one = each(region.project, [(start[None],) for start in starts])
        yield Contest("projection, one by one", size, one, rivals)
        many = at_once(lambda r=region, s=starts: r.project(s), len(starts))
        yield Contest("projection, all at once", size, many, rivals)


def rivals_of(normals, offsets, starts, available):
    """Programs that project every point, each compared with ours before."""
    squares = ((starts - Polyhedron(normals, offsets).project(starts)) ** 2).sum(axis=1) / 2
    least = [by_nnls(normals, offsets, start) for start in starts]
    check_agreement("scipy.optimize.nnls", least, squares, BY_NNLS)
    items = [(normals, offsets, start) for start in starts]
    rivals = {("scipy", "nnls"): each(by_nnls, items)}
    makers = {("daqp", "set up once"): by_daqp, ("quadprog", ""): by_quadprog}
    for (package, how), make in makers.items():
        if package in available:
            solve = make(normals, offsets)
            found = np.array([solve(start) for start in starts])
            halves = ((starts - found) ** 2).sum(axis=1) / 2
            check_agreement(package, halves, squares, EXACT)
            rivals[package, how] = each(solve, [(start,) for start in starts])
    return rivals


def by_daqp(normals, offsets):
    """The dual active-set solver daqp: only the point changes, and starts are warm."""
    import daqp

    model = daqp.Model()
    d = normals.shape[1]
    model.setup(np.eye(d), np.zeros(d), normals, offsets)

    def solve(start):
        model.update(f=-start)
        return model.solve()[0]

    return solve


def by_quadprog(normals, offsets):
    """The method of Goldfarb and Idnani, told that the matrix is factorised."""
    import quadprog

    identity = np.eye(normals.shape[1])
    columns, limits = np.ascontiguousarray(-normals.T), -offsets
    return lambda start: quadprog.solve_qp(identity, start, columns, limits, 0, True)[0]
