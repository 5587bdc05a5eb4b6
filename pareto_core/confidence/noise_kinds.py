"""What is known of the noise of each objective: its size, only that it is Gaussian, or its absence.

The noise of a *known* objective is sub-Gaussian with a known standard deviation, that of an
*unknown* one Gaussian with the same unknown variance in all arms, and a *deterministic* one has
none: its first value is its mean. The proof is in the appendix *Proofs*, "Own counts, missing
values and mixed noise".
"""

import numpy as np

KNOWN, UNKNOWN, DETERMINISTIC = "known", "unknown", "deterministic"


def kinds_of_noise(standard_deviation):
    """Kind of the noise of each objective, from one entry per objective."""
    return tuple(
        UNKNOWN if isinstance(each, str) else KNOWN if each else DETERMINISTIC
        for each in standard_deviation
    )


def are_of_kind(kinds, kind):
    """Whether the noise of each objective is of this kind, shape (d,) of bool."""
    return np.array([each == kind for each in kinds], np.bool_)
