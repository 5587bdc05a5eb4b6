"""How much evidence is enough: thresholds, bonuses of pairs of arms, and rules with a proof.

Begin with `thresholds` and `bonuses`, or with `certificate` for statements with a proof.
Certificates rest on `proven_rules`, these on `statement_evidence`, and this on one-sided
`mixtures`.
`constrained_certificate` and `best_arm_certificate` answer the other questions, and
`subset_certificate` the same one if arms may leave; all certificates contain `boxes`. Functions
here take counts and means as arrays, whatever chose the arms.
`bounded_means`, for rewards in [0, 1] with any noise, is updated with one reward at a time.
`accuracy`, `accuracy_evidence` and `accuracy_certificate` are about answers up to an accuracy of
each objective, and `latest_end` is about the time at which they are surely proven.
"""

from pareto_core.confidence.best_arm_certificate import BestArmCertificate
from pareto_core.confidence.certificate import Certificate
from pareto_core.confidence.constrained_certificate import ConstrainedCertificate
from pareto_core.confidence.evidence import ProvenEvidence, proven_evidence
from pareto_core.confidence.latest_end import LatestEnd
from pareto_core.confidence.subset_certificate import SubsetCertificate

__all__ = [
    "BestArmCertificate",
    "Certificate",
    "ConstrainedCertificate",
    "LatestEnd",
    "ProvenEvidence",
    "SubsetCertificate",
    "proven_evidence",
]
