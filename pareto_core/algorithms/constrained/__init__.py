"""Algorithms that identify the Pareto set of the feasible arms, and the reasons for rejections.

`ecape`, `game_cpsi`, `two_stage`, `racing_cp` and `constrained_uniform` are the algorithms.
The algorithms with confidence intervals share `partition_evidence`, the evidence for the label of
each arm: optimal, dominated or infeasible.
"""

from pareto_core.algorithms.constrained.constrained_uniform import ConstrainedUniformSampling
from pareto_core.algorithms.constrained.ecape import ECAPE
from pareto_core.algorithms.constrained.game_cpsi import GameCPSI
from pareto_core.algorithms.constrained.racing_cp import RacingCP
from pareto_core.algorithms.constrained.two_stage import TwoStage

__all__ = ["ECAPE", "ConstrainedUniformSampling", "GameCPSI", "RacingCP", "TwoStage"]
