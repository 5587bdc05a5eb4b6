"""Designs and regression models: inference from samples of some arms to other arms.

The functions are independent of the question about the arms. Begin with `design`, which computes
the proportions that predict all arms best. `rounding` turns proportions into whole numbers of
samples, and `least_squares` keeps the estimate of a run.

Recurring arguments: ``features (K, h)`` as given, ``points (K, h)`` features in a basis in which
their columns are orthonormal, ``weights (K,)`` proportions, ``counts (K,)`` and ``sums (K, d)`` of
the samples. Kernels that improve or follow something modify it in place.
"""
