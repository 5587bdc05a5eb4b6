"""What is known of the noise of each objective: its size, only that it is Gaussian, or its absence.

The noise of a *known* objective is sub-Gaussian with a known standard deviation, that of an
*unknown* one Gaussian with an unknown variance of each arm, that of an *unknown, equal* one
Gaussian with the same unknown variance in all arms, and a *deterministic* one has none: its first
value is its mean. The proofs are in the appendix *Proofs*, "Own counts, missing values and mixed
noise" and "Unknown variances that differ between arms".
"""

import numpy as np

from pareto_core.checks.arguments import shown

KNOWN, UNKNOWN, EQUAL = "known", "unknown", "unknown, equal"
DETERMINISTIC = "deterministic"
UNKNOWNS = (UNKNOWN, EQUAL)


def kinds_of_noise(standard_deviation):
    """Kind of the noise of each objective, from one entry per objective."""
    return tuple(
        each if isinstance(each, str) else KNOWN if each else DETERMINISTIC
        for each in standard_deviation
    )


def check_unknown_kinds(kinds, given):
    """Refuse both kinds of unknown noise in one experiment."""
    if {*UNKNOWNS} <= {*kinds}:
        raise ValueError(
            f"standard_deviation = {shown(given)}; expected {UNKNOWN!r} or {EQUAL!r}, not both"
        )


def are_of_kind(kinds, kind):
    """Whether the noise of each objective is of this kind, shape (d,) of bool."""
    return np.array([each == kind for each in kinds], np.bool_)
