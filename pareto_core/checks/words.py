"""Words that a parameter selects from, for type checkers; functions check them at run time."""

from typing import Literal

RuleName = Literal["joint", "pairs"]
CertifiedRule = Literal[RuleName, "joint_subsets", "pairs_subsets"]
UnknownNoise = Literal["unknown", "unknown, equal"]
Variance = Literal["known", UnknownNoise]
ThresholdName = Literal["stylised", "mixture", "iterated_logarithm", "gamma"]
StoppingName = Literal[ThresholdName, "proven", "proven_correlated"]
BestArmStopping = Literal[ThresholdName, "proven"]
Bonus = Literal["pairwise", "mixture", "individual"]
Boundary = Literal["betting", "empirical_bernstein", "hoeffding"]
Prior = Literal["flat", "ridge"]
Exploration = Literal["none", "square_root", "evidence"]
Tracking = Literal["C", "D"]
Noise = Literal["gaussian", "bernoulli", "pool", "uniform"]
Backend = Literal["threads", "processes", "dask"]
Direction = Literal["max", "min", "maximize", "minimize", "maximise", "minimise"]
ProblemName = Literal["pareto_set", "best_arm_per_objective", "constrained_pareto_set"]
