"""What the chapter on the constrained Pareto set calls: its figures, tables and measurements.

`roles` and `drawings` draw arms and limits. `contests`, `hardening`, `prices` and `duels` simulate
and tabulate, `samples` draws numbers of samples, and `story` follows single runs. `measured` says
what was measured of each claim.
"""
