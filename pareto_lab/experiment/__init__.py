"""An experiment: its design, its events, and the state that follows from them.

`design` holds the arms, the objectives, the noise and the costs; it is made with the help of
`names`, `noise` and `starting`, and `adapted_algorithm` fits the algorithm to it. `events` are all
that can happen, and the `state` is what follows from them: counts, costs, the end, and the
`queued_run` of the algorithm. `identifiers` finds samples that are told twice, `reward_tables`
reads tables, `data_tables` makes one, `retirement` and `arrivals` are about arms that leave and
come. `session_file` writes and reads how an experiment began and its events, and `restoring` checks
these.

Shapes: K arms, d objectives; `means (K, d)`, a reward `(d,)` with NaN where it was not observed,
counts `(K,)`.
"""

from pareto_lab.experiment.design import ExperimentDesign
from pareto_lab.experiment.events import Predecessor, Receipt, Retirement, Withdrawal

__all__ = ["ExperimentDesign", "Predecessor", "Receipt", "Retirement", "Withdrawal"]
