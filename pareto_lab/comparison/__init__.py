"""Several algorithms on several instances, from the same seeds, and who needs how many samples.

Begin with `comparison`. `rules` says who may meet whom, `games` plays, `lower_bounds` measures
what any algorithm must pay, `pairing` compares run by run, `pictures` draws, `report` writes. A
simulation of one algorithm is in the room below; which games are played is for a chapter to say.
"""

from pareto_lab.comparison.comparison import Comparison, compare

__all__ = ["Comparison", "compare"]
