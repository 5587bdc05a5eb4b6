"""An experiment: its design, and the ledger of everything that was requested and told.

`design` holds the arms, the objectives, the noise and the costs; it is made with the help of
`names` and `noise_statement`, and `adapted_algorithm` fits the algorithm to it. The `ledger` keeps
the state: every reward enters it as one of the `samples`, from `reward_tables` or one by one, and
is used in its `queued_run`. `identifiers` finds samples that are told twice, and `withdrawal`
records mistakes, `changes` arms that leave, and `arrivals` arms that are added. `session_file`
writes and reads all of it.
"""

from pareto_lab.experiment.arrivals import Predecessor
from pareto_lab.experiment.changes import Retirement
from pareto_lab.experiment.design import ExperimentDesign
from pareto_lab.experiment.samples import Receipt
from pareto_lab.experiment.withdrawal import Withdrawal

__all__ = ["ExperimentDesign", "Predecessor", "Receipt", "Retirement", "Withdrawal"]
