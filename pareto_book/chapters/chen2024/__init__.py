"""Runs and figures of the chapter on the best arm of every objective.

`evidence` states what is maximised, and `steps` follows MO-BAI as a plain loop. `draws`,
`networks`, `tracking`, `risks` and `limits` run algorithms and summarise the runs, and `programs`
solves one linear program.
"""
