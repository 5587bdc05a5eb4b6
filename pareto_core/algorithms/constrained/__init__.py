"""Algorithms that identify the Pareto set of the feasible arms, and the reasons for rejections.

`ecape`, `game_cpsi`, `two_stage` and `racing_cp` are the algorithms, and `ecape` has the uniform
baseline. The algorithms with confidence intervals share `partition_evidence`, the evidence for the
label of each arm: optimal, dominated or infeasible. `proven_labels` is a stopping rule.
"""
