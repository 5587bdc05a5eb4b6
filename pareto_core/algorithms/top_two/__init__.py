"""Top-two sampling with information-directed shares: one sampling rule for every question.

`rule` contains the rule itself: shares, targets, forced samples and tracking. It calls the kernels
of `questions`, or those of `linear`, which find the cheapest alternative and recommend an answer.
`easiest_partition` finds the partition to verify. `top_two_ids` has the algorithms: for samples of
all objectives, and for one objective of one arm at a time.
"""
