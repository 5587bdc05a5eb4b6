"""How much evidence is enough: thresholds, bonuses of pairs of arms, and rules with a proof.

Begin with `thresholds`, or with `certificate` for what is proven: it rests on `proven_rules`,
and these on one-sided `mixtures`. `constrained_certificate` and `best_arm_certificate` are for the
other questions, `boxes` are in all of them. Functions here take counts and means as arrays, and do
not know who samples. `bounded_means`, for rewards in [0, 1] of any noise, takes reward by reward.
"""

from pareto_core.confidence.best_arm_certificate import BestArmCertificate
from pareto_core.confidence.certificate import Certificate
from pareto_core.confidence.constrained_certificate import ConstrainedCertificate
from pareto_core.confidence.evidence import ProvenEvidence, proven_evidence

__all__ = [
    "BestArmCertificate",
    "Certificate",
    "ConstrainedCertificate",
    "ProvenEvidence",
    "proven_evidence",
]
