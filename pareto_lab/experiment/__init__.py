"""What an experiment is, and what was told of it.

`design` holds the arms, the objectives, the noise and the costs; `names` and `noise` check what
it is made from. `samples` knows which samples were told before, `tables` reads many of them from
a table, `ledger` counts them and their costs, `withdrawal` takes some back, and `course` records
what the algorithm made of them. `session_file` is how all of it is written to a file.
"""

from pareto_lab.experiment.design import ExperimentDesign
from pareto_lab.experiment.samples import Receipt
from pareto_lab.experiment.withdrawal import Withdrawal

__all__ = ["ExperimentDesign", "Receipt", "Withdrawal"]
