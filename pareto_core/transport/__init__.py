"""Transportation cost: how much evidence rules out the closest other answer.

Begin with `cost`, where `transport_cost` chooses a method for each question. For the Pareto
set `oracle` compares removing an arm from the front (`removal`) with adding one (`addition`,
by `sweep`, `branch_and_bound` or `cell_search`); with a feasible region `constrained_oracle`
does, and `partitions` asks for the reasons too. `near_alternatives` collects the cuts that the
lower bounds of the room above are made with.
"""

from pareto_core.transport.cost import CostOracle, TransportCost, transport_cost
from pareto_core.transport.partitions import partition_cost

__all__ = ["CostOracle", "TransportCost", "partition_cost", "transport_cost"]
