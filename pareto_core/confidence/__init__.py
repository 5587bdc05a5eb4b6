"""How much evidence is enough: thresholds, bonuses of pairs of arms, and rules with a proof.

Begin with `thresholds` and `bonuses`, or with `certificates` for statements with a proof. A
certificate is a view of a `ledger`, or of a `constrained_ledger` if the means must lie in a
polyhedron. A ledger is written by its own `certify`, by the `proven_rules` that stop algorithms
too, or by `comparisons` if variances are unknown (`unknown_variance`; `noise_kinds` has the words).
The rules rest on `statement_evidence` and on one-sided `mixtures`; `evidence` shows theirs. All
certificates contain `boxes`. `accuracy` is about answers up to an accuracy of each objective,
`latest_end` about the time at which they are surely proven, and `assignments` about dominators of
several arms. `bounded_means`, for rewards in [0, 1] with any noise, bets (`betting`) and is updated
with one reward at a time. Other functions take counts and means as arrays, whatever chose the arms.

Arguments that recur, for K arms and d objectives:

====================  ============================================================================
``information``       (K, d), samples over the variance of the noise; infinite without noise
``means``             (K, d), empirical means in units of the noise
``raised``            0, or K if both have a second row for each arm (see `proven_rules`)
``row``               number of an arm, or ``raised`` plus this number
``arm``, ``rival``    numbers of two arms; ``c`` is an objective
``rule``, ``work``    `proven_rules.Rule`, `proven_rules.Work`; all of ``work`` may be modified
``any_rule``          `proven_rules.Rule` of bets on any dominators, optimal or not
``margin``            (d,), or a number, by which arms left out of the empirical answer are beaten
``size``              number of arms of the answer, the first of ``work.front``
``group``             (n,) of int, arms with high averages, the first ``size`` entries
``needed``, levels    evidence in nats
``high``              (n,) of int, a work array
``rivals``            (rows,) of int, a rival that may dominate each row, or -1; modified
====================  ============================================================================
"""

from pareto_core.confidence.certificates import (
    BestArmCertificate,
    Certificate,
    ConstrainedCertificate,
)
from pareto_core.confidence.evidence import ProvenEvidence, proven_evidence
from pareto_core.confidence.latest_end import LatestEnd

__all__ = [
    "BestArmCertificate",
    "Certificate",
    "ConstrainedCertificate",
    "LatestEnd",
    "ProvenEvidence",
    "proven_evidence",
]
