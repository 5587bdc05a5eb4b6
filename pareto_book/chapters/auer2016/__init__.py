"""Racing: readings of PAL, checks of lemmas with the worst estimates, tables and figures.

`six_arms` introduces gaps and the race; `accuracies`, `pal`, `statements` and `comparison` are
about Figures 2 to 5 of the paper, `compiler_settings` about its data, `examples`, `rounds`,
`lemmas`, `estimates`, `looseness` and `sparse_covers` about its theory, and `bonuses` about APE.
"""
