"""Lower bounds on the number of samples: characteristic times, and sums over the gaps.

Begin with `complexity`. `cutting_planes` certifies a characteristic time from the alternatives
of the transportation cost, `oracle_weights` and `interior_point` certify it for best arms.
`surrogate` is the linear program that two algorithms solve at every sample. Nothing here samples.

Recurring arguments: ``means (K, d)``; ``weights``, ``shares`` and ``costs (K,)``, or ``(K, d)`` for
separate measurements; ``space``, work arrays that are modified in place.
"""

from pareto_core.bounds.complexity import CharacteristicTime, characteristic_time, easiest_partition

__all__ = ["CharacteristicTime", "characteristic_time", "easiest_partition"]
