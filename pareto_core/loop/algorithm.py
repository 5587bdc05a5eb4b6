"""What an algorithm is: hyper-parameters, and three compiled functions over one state.

* ``select(parameters, state)`` returns the next arm, and how many samples of it;
* ``stop(parameters, state)`` tells, once they are in, whether to stop;
* ``recommend(parameters, state, answer)`` writes the recommended arms.

The state is a NamedTuple whose field ``record`` holds what every algorithm needs (`Record`);
its other fields are the algorithm's own. `compile_run` makes the loop that a simulation calls,
and a session feeds a reader's own observations to the same three functions.
"""

from typing import ClassVar

from pareto_core._checks import shown
from pareto_core.questions import PARETO_SET

__all__ = ["Algorithm", "refuse_needless"]


class Algorithm:
    """Base class of the algorithms: hyper-parameters in, sessions and simulations out.

    A subclass is a frozen dataclass that sets the three compiled functions and
    defines ``parameters`` and ``state``. ``uses_features`` and ``uses_polyhedron`` say what it
    reads of the problem; what it does not use is refused.
    """

    select: ClassVar
    stop: ClassVar
    recommend: ClassVar
    question: ClassVar = PARETO_SET
    uses_features: ClassVar = False
    uses_polyhedron: ClassVar = False
    sampling_ignores_delta: ClassVar = False  # so that one run stops once for each delta
    variance_bound = None  # of the noise; a parameter of some algorithms

    @property
    def knows_noise(self):
        """Whether the variance of the noise, or a bound on it, is among the parameters."""
        return self.variance_bound is not None

    @property
    def needs_unit_variance(self):
        """Whether the rewards must have unit variance: unless a bound on it is given."""
        return not self.knows_noise

    def parameters(self, problem):
        """NamedTuple of numbers that the compiled functions read."""
        raise NotImplementedError

    def state(self, problem):
        """Fresh state, before the first sample."""
        raise NotImplementedError

    def estimates(self, problem, state):
        """Estimated means, shape (K, d), or None if there is an arm that nothing tells of.

        Averages, for an algorithm whose arms tell nothing of each other.
        """
        record = state.record
        return record.means.copy() if record.counts.min() > 0 else None


def refuse_needless(algorithm, features=None, polyhedron=None):
    """Refuse what an algorithm is given and would ignore.

    An answer that ignores the feasible region looks like one that minds it.

    Raises
    ------
    ValueError
        If there are features or a polyhedron, and the algorithm does not use them.
    """
    for name, value, used in (
        ("features", features, algorithm.uses_features),
        ("polyhedron", polyhedron, algorithm.uses_polyhedron),
    ):
        if value is not None and not used:
            raise ValueError(
                f"{name} = {shown(value)} for {type(algorithm).__name__}, which does not use it; "
                "expected None, or another algorithm"
            )
