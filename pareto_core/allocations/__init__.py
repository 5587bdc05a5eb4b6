"""Shares of the samples that ranking and selection computes from known means and covariances.

Multi-objective ranking and selection, a field of operations research, asks for the shares at which
the probability of a wrong Pareto set decays fastest, which `pareto_core.bounds` computes as
characteristic times. It approximates them: `phantoms` replaces the alternatives of the
transportation cost by points, `phantom_rate` computes and maximises the rate that results, `score`
divides the share of the dominated arms by a formula, and `mocba` divides all shares by formulas.
`rates` are the functions of the shares whose minimum `maximin` maximises.
"""
