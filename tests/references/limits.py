"""Certificates close to the least delta at which they make their statements."""

import numpy as np


def decided(certificate):
    """Number of arms that are not open."""
    return len(certificate.boxes) - certificate.open.size


def at_its_limit(certificate_at, number, count=decided):
    """The certificate at the least risk with ``number`` statements, and ln(delta), or None.

    ``certificate_at`` maps delta to a certificate.
    """
    low, high, found = -100.0, -0.1, None
    for _ in range(18):
        middle = 0.5 * (low + high)
        certificate = certificate_at(np.exp(middle))
        if count(certificate) >= number:
            found, high = (certificate, middle), middle
        else:
            low = middle
    return found


def contradicted(certificate, worlds):
    """Which worlds contradict the statements of a certificate about arms."""
    optimal = ~worlds.front[:, certificate.optimal].all(axis=1)
    return optimal | worlds.front[:, certificate.dominated].any(axis=1)
