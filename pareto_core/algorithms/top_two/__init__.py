"""Top-two sampling with information-directed shares: one sampling rule for every question.

`rule` contains the rule itself: shares, targets, forced rounds and tracking. It calls the kernels
of `questions`, or those of `linear`, which find the cheapest alternative and recommend an answer.
`easiest_partition` finds the partition to verify. `top_two_ids` is the algorithm, and
`separate_top_two` the one that measures one objective of one arm at a time; `base` is what they
share.
"""

from pareto_core.algorithms.top_two.separate_top_two import SeparateTopTwo
from pareto_core.algorithms.top_two.top_two_ids import TopTwoIDS

__all__ = ["SeparateTopTwo", "TopTwoIDS"]
