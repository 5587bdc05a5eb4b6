"""What an algorithm is, and the loop that runs it.

Begin with `algorithm`, the base class; `record` is what an algorithm has observed, `run` the
loop itself. `elimination` holds the rounds of the algorithms that drop arms for good. No
algorithm is here, and nothing that draws rewards or counts runs.
"""

from pareto_core.loop.algorithm import Algorithm

__all__ = ["Algorithm"]
