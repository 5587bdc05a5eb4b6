"""Transportation cost: how much evidence rules out the closest wrong answer.

Begin with `cost`, where `transport_cost` chooses a method for each question. For the Pareto set,
`oracle` compares removing an arm from the front (`removal`) with adding one (`addition`, by
`sweep`, `branch_and_bound` or `cell_search`). `constrained_oracle` does the same with a feasible
region, and `partitions` for an answer that also classifies the other arms. With features of the
arms, `linear_oracle` and `linear_search` do the same in a linear model, whose projections
`halfspaces` computes. Under known noise (`known_noise`), `noise_oracle` compares `noise_removal`
with `noise_addition`, which asks `joint_minimum` for the best point of an arm with correlated
objectives. `noise_region` adds a feasible region to it, where `noise_admission` asks
`noise_minimum` for the best point, and `noise_partitions` the reasons. `separate_oracle` has
weights of each arm and objective. `near_alternatives` collects the cutting planes from which
`bounds` computes lower bounds.
"""

from pareto_core.transport.cost import TransportCost, transport_cost
from pareto_core.transport.cost_oracle import CostOracle
from pareto_core.transport.partitions import partition_cost

__all__ = ["CostOracle", "TransportCost", "partition_cost", "transport_cost"]
