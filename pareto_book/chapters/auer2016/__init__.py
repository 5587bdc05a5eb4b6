"""Racing: readings of PAL, tables and figures.

`six_arms` and `rounds` introduce gaps and the race; `accuracies`, `pal`, `statements` and
`comparison` are about Figures 2 to 5 of the paper, `compiler_settings` about its data,
`sparse_covers` about its Section 7, and `bonuses` about APE.
"""
