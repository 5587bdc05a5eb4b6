"""Designs and models: what samples of some arms say about the others.

Nothing here knows what is asked of the arms. Begin with `design`, which finds the proportions
that predict all arms best; `rounding` turns proportions into whole samples; `gaussian_process`
is the smooth model of the Pareto active learning of Zuluaga et al. (2013).
"""
