"""How much evidence is enough: thresholds, bonuses of pairs of arms, and rules with a proof.

Begin with `thresholds`, or with `certificate` for what is proven: it rests on `proven_rules`,
and these on one-sided `mixtures`. Functions here take counts and means as arrays, and do not know
who samples.
"""

from pareto_core.confidence.certificate import Certificate
from pareto_core.confidence.evidence import ProvenEvidence, proven_evidence

__all__ = ["Certificate", "ProvenEvidence", "proven_evidence"]
