"""What the chapter on the constrained Pareto set calls: its figures, tables and checks of theorems.

`roles` and `drawings` draw arms and limits. `contests`, `hardening`, `polyhedra`, `prices` and
`duels` measure and tabulate runs, `samples` draws them, and `story` follows single ones. `event`,
`deviations`, `alternatives` and `answers` check the theorems and lemmas of the paper, by plain and
slow routes.
"""
