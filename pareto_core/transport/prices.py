"""What it costs to move an arm in one objective, by weights (K,) or prices (K, d).

With unit variances all objectives of an arm have its weight. Under known noise lowering arm k in
objective c alone has the price w_k / Sigma_k[c, c], and with separate weights it is w_kc. Numba
decides on the number of dimensions when it compiles a kernel, so that weights cost nothing more.
"""

import numpy as np

from pareto_core.compiling.kernels import inner


@inner
def price(weights, arm, c):
    """Weight of an arm in one objective."""
    if weights.ndim == 1:
        return weights[arm]
    else:
        return weights[arm, c]


@inner
def total_price(weights, arm):
    """Weight of an arm, or the sum of its prices: its share when arms are pooled."""
    if weights.ndim == 1:
        return weights[arm]
    else:
        total = 0.0
        for c in range(weights.shape[1]):
            total += weights[arm, c]
        return total


@inner
def pooled_price(weights, arm, c, share, pending):
    """Price of an arm in one objective if it had all weight ``pending``, not only its share."""
    if weights.ndim == 1:
        return pending
    else:
        return weights[arm, c] / share


@inner
def is_priced(weights, arm):
    """Whether lowering an arm costs anything, whatever the objective."""
    if weights.ndim == 1:
        return weights[arm] > 0.0
    else:
        least = np.inf
        for c in range(weights.shape[1]):
            least = min(least, weights[arm, c])
        return least > 0.0
