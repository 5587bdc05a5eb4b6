"""Transportation cost: how much evidence rules out the closest wrong answer.

Begin with `cost`, where `transport_cost` chooses a method for each question. An answer labels the
arms (`oracle`), and a `walk` over all `moves` finds the cheapest means that refute a label: by
removing an arm from the front (`removal`), by adding one (`addition`, found by `sweep`,
`branch_and_bound`, or `cells` as the first paper does), or by crossing the border of a feasible
region (`admission`, which asks `admission_minimum` for the best point). `metric` states what it
costs to move an arm, by weights or `prices`; if objectives are correlated, `coupled` finds
additions. `best_arms` is the same for the best arm of every objective. With features of the arms,
`linear_oracle` and `linear_search` search in a linear model. Alternatives that are nearly the
cheapest are the cutting planes from which `bounds` computes lower bounds.

Kernels of the room share these arguments, and modify only what their names say that they write:

========================  ==========================================================================
``means``                 (K, d)
``weights``, ``prices``   (K,) or (K, d), see `metric` and `prices`
``noise``                 `metric.KnownNoise`, or None for unit variance
``region``                `metric.Region` or None; ``normals`` (m, d), ``offsets`` (m,) are its rows
``precision``             (d, d) inverse covariance of the target's mean, or None for weights (K,)
``labels``                (K,) of an answer, see `oracle`
``front``, ``size``       (K,) optimal arms: the first ``size`` entries
``target``, ``upper``     an arm that is not optimal; costs of at least this are ignored
``point``                 (d,) new mean of an arm, modified in place
``alternative``           (K, d) cheapest means with a different answer, modified in place
``gradient``              (K,) or (K, d) derivative of its cost in the weights, modified in place
``oracle``                `oracle.Oracle`, modified in place
``space``, ``search``     work arrays of a search, modified in place
========================  ==========================================================================
"""

from pareto_core.transport.cost import TransportCost, partition_cost, transport_cost

__all__ = ["TransportCost", "partition_cost", "transport_cost"]
