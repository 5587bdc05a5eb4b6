r"""Confidence bonuses: how far the difference of two means may be from its estimate.

They serve algorithms that compare arms in pairs. For unit variance, numbers of samples
:math:`N_i` and :math:`N_j`, and :math:`x=\ln(1/\delta)`, the kinds are

``"pairwise"``
    :math:`\beta^2=2\bigl(x+2\max(\ln\tfrac x2,0)+\ln(1+\ln N_i)+\ln(1+\ln N_j)\bigr)
    (1/N_i+1/N_j)`, from the code of Kone et al. 2025 (linear model). Without a proof.
``"individual"``
    :math:`\beta=b_i+b_j` with :math:`b_k^2=(2x+3\max(\ln x,0)+\ln(1+\ln N_k))/N_k`,
    from the code of Kone, Jourdan & Kaufmann 2025. Without a proof.
``"mixture"``
    :math:`\beta^2=4\bigl(\mathcal C_g(\tfrac12\ln(K_1/\delta))+\ln(4+\ln N_i)+\ln(4+\ln N_j)
    \bigr)(1/N_i+1/N_j)` with :math:`K_1=K(K-1)d/2` differences, the bonus of Kone et al. 2023,
    with a proof; :math:`\mathcal C_g` as in `mixture_threshold`.

The kernels take the part that depends on delta alone as a constant.
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_probability
from pareto_core.compiling.kernels import kernel, part
from pareto_core.confidence.thresholds import gaussian_rate

PAIRWISE, MIXTURE, INDIVIDUAL = 0, 1, 2  # kinds of bonus


def _pairwise_constant(log_risk, differences):
    return float(2 * (0.5 * log_risk + max(np.log(0.5 * log_risk), 0)))


def _mixture_constant(log_risk, differences):
    return float(gaussian_rate(0.5 * (log_risk + np.log(differences))))


def _individual_constant(log_risk, differences):
    return float(2 * log_risk + 3 * max(np.log(log_risk), 0))


class Bonus(NamedTuple):
    """One kind of bonus, whose formula is in `pair_bonus`."""

    number: int  # its number in kernels
    constant: Callable  # maps (ln(1 / delta), number of differences) to the part with delta


BONUSES = MappingProxyType(
    {
        "pairwise": Bonus(PAIRWISE, _pairwise_constant),
        "mixture": Bonus(MIXTURE, _mixture_constant),
        "individual": Bonus(INDIVIDUAL, _individual_constant),
    }
)


def bonus_constant(kind, delta, n_arms, n_objectives):
    """The part of a bonus that depends on delta alone."""
    log_risk = -np.log(check_probability(delta, "delta"))
    return BONUSES[kind].constant(log_risk, n_arms * (n_arms - 1) * n_objectives / 2)


@kernel
def bonus_slack(kind, count):
    """The part of a bonus that depends on the number of samples of one arm alone."""
    if kind == MIXTURE:
        return np.log(4.0 + np.log(count))
    return np.log(1.0 + np.log(count))


@part
def pair_bonus(kind, constant, first_slack, second_slack, first_inverse, second_inverse):
    """Bonus of a pair, from the slacks and inverse numbers of samples of both arms."""
    if kind == INDIVIDUAL:
        return np.sqrt((constant + first_slack) * first_inverse) + np.sqrt(
            (constant + second_slack) * second_inverse
        )
    factor = 4.0 if kind == MIXTURE else 2.0
    slack = constant + first_slack + second_slack
    return np.sqrt(factor * slack * (first_inverse + second_inverse))
