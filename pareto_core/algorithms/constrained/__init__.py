"""Algorithms that look for the Pareto set of the feasible arms, and for reasons.

`ecape`, `game_cpsi`, `two_stage`, `racing_cp` and `constrained_uniform` are the algorithms.
Those that compare confidence intervals share `partition_evidence`: what speaks for calling each
arm optimal, dominated or infeasible. e-CAPE keeps it up to date lazily: `lazy_evidence` looks
only at arms whose bounds (`case_bounds`) let them matter, found by a `tournament` over groups of
arms (`arm_cells`).
"""

from pareto_core.algorithms.constrained.constrained_uniform import ConstrainedUniformSampling
from pareto_core.algorithms.constrained.ecape import ECAPE
from pareto_core.algorithms.constrained.game_cpsi import GameCPSI
from pareto_core.algorithms.constrained.racing_cp import RacingCP
from pareto_core.algorithms.constrained.two_stage import TwoStage

__all__ = ["ECAPE", "ConstrainedUniformSampling", "GameCPSI", "RacingCP", "TwoStage"]
