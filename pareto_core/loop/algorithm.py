"""What an algorithm is: hyper-parameters, and three compiled functions over one state.

* ``select(parameters, state)`` returns the next arm, and how many samples of it;
* ``stop(parameters, state)`` tells, once they are in, whether to stop;
* ``recommend(parameters, state, answer)`` writes the recommended arms.

The state is a NamedTuple whose field ``record`` holds what every algorithm needs (`Record`);
its other fields are the algorithm's own. `compile_run` makes the loop that a simulation calls,
and a session feeds a reader's own observations to the same three functions.
"""

from typing import ClassVar

from pareto_core.questions import PARETO_SET

__all__ = ["Algorithm"]


class Algorithm:
    """Base class of the algorithms: hyper-parameters in, sessions and simulations out.

    A subclass is a frozen dataclass that sets the three compiled functions and
    defines ``parameters`` and ``state``.
    """

    select: ClassVar
    stop: ClassVar
    recommend: ClassVar
    question: ClassVar = PARETO_SET
    sampling_ignores_delta: ClassVar = False  # so that one run stops once for each delta
    variance_bound = None  # of the noise; a parameter of some algorithms

    @property
    def needs_unit_variance(self):
        """Whether the rewards must have unit variance: unless a bound on it is given."""
        return self.variance_bound is None

    def parameters(self, problem):
        """NamedTuple of numbers that the compiled functions read."""
        raise NotImplementedError

    def state(self, problem):
        """Fresh state, before the first sample."""
        raise NotImplementedError
