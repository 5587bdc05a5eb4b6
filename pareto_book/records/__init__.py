"""Records of an executed chapter, without any claim.

`measurements` have intervals, `scorecard` collects those of a chapter, `recording` passes many to
it in one call, `published` reads numbers of the papers, and `stamps` state the inputs of an
execution.
"""
