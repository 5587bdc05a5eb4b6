"""What the chapter on the constrained Pareto set calls: its figures, tables and checks of theorems.

`roles` and `drawings` draw arms and limits. `contests`, `hardening`, `polyhedra`, `prices` and
`duels` simulate and tabulate, `samples` draws numbers of samples, and `story` follows single runs.
`measured` and `theorems` say what was measured of each claim. `event`, `deviations`,
`alternatives` and `answers` check the theorems and lemmas of the paper, by plain and slow routes.
"""
