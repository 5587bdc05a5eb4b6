"""Top-two sampling with information-directed shares: one sampling rule for every question.

`rule` contains the rule itself: shares, targets, forced rounds and tracking. It calls the kernels
of a question, which find the cheapest alternative and recommend an answer: `pareto_set`,
`best_arms`, `constrained` and `partition`, one file each. `region` is what the last two know of the
feasible region and the noise, and `easiest_partition` finds the partition to verify. `top_two_ids`
is the algorithm, and `separate_top_two` the one that measures one objective of one arm at a time,
with the kernels of `separate`.
"""

from pareto_core.algorithms.top_two.separate_top_two import SeparateTopTwo
from pareto_core.algorithms.top_two.top_two_ids import TopTwoIDS

__all__ = ["SeparateTopTwo", "TopTwoIDS"]
