"""The interface of an algorithm: hyper-parameters, and three functions of the observations."""

import dataclasses
import inspect
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import plain, shown
from pareto_core.geometry.partition import Partition
from pareto_core.instances.instance import Instance, Problem
from pareto_core.loop.parts import Budget, Noise, Own, Stopping, bounded_variance
from pareto_core.loop.python_run import PythonRun, RecordView
from pareto_core.loop.run import CompiledRun
from pareto_core.questions import PARETO_SET, Question

__all__ = [
    "Algorithm",
    "PythonAlgorithm",
    "describe",
    "is_python",
    "needs_independence",
    "refuse_needless",
    "weighs_costs",
]


class Algorithm:
    """Base class of all algorithms.

    A subclass, usually a frozen dataclass, defines `parameters` and `start`, and sets three
    kernels (functions compiled by `kernel`) as static methods:

    * ``select(parameters, state)`` returns the next arm, or the arm and how many samples of it;
    * ``stop(parameters, state)`` returns, after these samples, whether to stop;
    * ``recommend(parameters, state, answer)`` writes the answer to an array whose layout depends
      on the question: for the Pareto set, one bool per arm.

    The parameters are a NamedTuple of numbers. The state is a NamedTuple of arrays. Its field
    ``record`` contains all observations (`Record`) and is updated by the loop; the algorithm
    defines and updates the other fields.

    What it supports follows from five attributes.

    Attributes
    ----------
    question : Question
        The question that the algorithm answers; the Pareto set by default.
    reads : collection of str
        What the algorithm reads besides the rewards: ``"features"`` of the arms, ``"polyhedron"``,
        the feasible region. A region that it does not read is refused, as are features in a
        session. Nothing by default.
    noise : Noise
        What it assumes about the noise. By default, the rewards are divided by their standard
        deviations, unless the algorithm has a parameter ``variance_bound`` that is not None.
    samples : {"arms", "values"}
        ``"values"``: each sample is of one objective of one arm. Objective c of arm k is then arm
        k d + c of the record and of ``select``, with one objective, while the answer and the
        estimates are those of the problem. Only for compiled algorithms.
    stopping : Stopping
        How it stops: by its own rule by default, or after the samples of a parameter ``budget``
        that is not None.

    See Also
    --------
    pareto_core.loop.algorithm.PythonAlgorithm : an algorithm without compiled code.
    pareto_core.loop.parts : assumptions about the noise, and ways to stop.
    pareto_core.simulation.runs.simulate : many runs of an algorithm.

    Examples
    --------
    >>> import pareto_core as pc
    >>> algorithm = pc.APE(epsilon=0.1).with_delta(0.01)
    >>> algorithm.delta, algorithm.noise.is_stated, algorithm.question.name
    (0.01, False, 'pareto_set')
    """

    select: ClassVar[Callable]
    stop: ClassVar[Callable]
    recommend: ClassVar[Callable]
    question: ClassVar[Question] = PARETO_SET
    _added: ClassVar[Collection[str]] = ()  # parameters that are not stated while they are None
    reads: ClassVar[Collection[str]] = frozenset()
    samples: ClassVar[Literal["arms", "values"]] = "arms"

    @property
    def noise(self) -> Noise:
        """What the algorithm assumes about the noise."""
        return bounded_variance(getattr(self, "variance_bound", None))

    @property
    def stopping(self) -> Stopping:
        """How the algorithm stops."""
        budget = getattr(self, "budget", None)
        return Own() if budget is None else Budget(budget)

    def parameters(self, problem: Problem) -> Any:
        """Parameters for the kernels, a NamedTuple of numbers.

        Parameters
        ----------
        problem : Problem
            Size of the experiment, and the known properties of its arms.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define parameters(problem)")

    def start(self, problem: Problem, rng: np.random.Generator) -> Any:
        """State of a run before its first sample.

        Parameters
        ----------
        problem : Problem
            Size of the experiment, and the known properties of its arms.
        rng : Generator
            Random generator of this run, independent of the rewards. A randomised algorithm
            stores it in a field of the state.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define start(problem, rng)")

    def begin(
        self, problem: Problem, rng: np.random.Generator, parameters: Any = None
    ) -> CompiledRun | PythonRun:
        """Begin a run; see `CompiledRun`."""
        return CompiledRun(self, problem, rng, parameters)

    def estimates(self, problem: Problem, state: Any) -> np.ndarray | None:
        """Estimated means, shape (K, d), or None if some arm cannot be estimated yet.

        By default the averages of the rewards.
        """
        record = state.record
        return record.means.copy() if record.observed.min() > 0 else None

    def __repr__(self):
        given = ", ".join(f"{name}={value!r}" for name, value in self.hyper_parameters().items())
        return f"{type(self).__name__}({given})"

    def hyper_parameters(self) -> dict[str, Any]:
        """Arguments of the constructor, by name.

        Raises
        ------
        ValueError
            If the constructor does not store an argument under its own name.
        """
        values = {}
        for name in inspect.signature(type(self)).parameters:
            value = getattr(self, name, None)
            is_method = getattr(value, "__self__", None) is self
            if not hasattr(self, name) or is_method:
                raise ValueError(
                    f"{type(self).__name__} has no attribute {name!r}; expected its constructor "
                    "to keep each argument under its own name"
                )
            if value is not None or name not in self._added:
                values[name] = value
        return values

    def for_objectives(self, names: Sequence) -> Self:
        """Return the same algorithm, with what is given by name in the order of the objectives.

        Parameters
        ----------
        names : sequence
            Names of the objectives, or their numbers if they have no names.

        Raises
        ------
        ValueError
            If a hyper-parameter has a value for an unknown name, or no value for a name.
        """
        return self

    def judge(self, instance: Instance, played: Instance | None = None) -> Callable:
        """Return a function that tells whether an answer is right, by the algorithm's guarantee.

        By default the question determines which answers are right.

        Parameters
        ----------
        instance : Instance
            As it was given.
        played : Instance, optional
            As the algorithm sees it; by default ``instance``.

        Returns
        -------
        callable
            Maps an answer, in the layout of `Question.empty`, to a bool.
        """
        return self.question.judge(instance if played is None else played)

    def with_delta(self, delta: float) -> Self:
        """Return the same algorithm with a different risk.

        Raises
        ------
        ValueError
            If the algorithm has no parameter ``delta``.
        """
        given = self.hyper_parameters()
        if "delta" not in given:
            raise ValueError(f"{self!r} has no parameter delta; expected an algorithm with a risk")
        return type(self)(**{**given, "delta": delta})


class PythonAlgorithm(Algorithm):
    """Base class of algorithms in plain Python.

    A subclass defines `select`, `stop` and `recommend`, and `start` if it needs a memory besides
    the record of all samples. Its constructor must store each argument under its own name.
    Simulations run it in processes, because threads do not execute Python code in parallel.

    See Also
    --------
    pareto_core.loop.algorithm.Algorithm : the base class of compiled algorithms.
    pareto_core.loop.python_run.RecordView : the first argument of the three methods.

    Examples
    --------
    Sample the arms in order until a budget is spent:

    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> class InTurn(pc.PythonAlgorithm):
    ...     def __init__(self, budget=100):
    ...         self.budget = budget
    ...
    ...     def select(self, record, memory):
    ...         return record.counts.argmin()
    ...
    ...     def stop(self, record, memory):
    ...         return record.time >= self.budget
    ...
    ...     def recommend(self, record, memory):
    ...         return pc.pareto_set(record.means)
    >>> session = lab.Session(InTurn(budget=2), n_arms=2, n_objectives=1, standard_deviation=1.0)
    >>> while not session.finished:
    ...     arm = session.ask()
    ...     session.tell(arm, [10.0 * arm])
    >>> session.recommendation
    array([1])
    """

    def start(self, problem: Problem, rng: np.random.Generator) -> Any:
        """Memory of a run before its first sample: any object, None by default.

        Parameters
        ----------
        problem : Problem
            ``n_arms``, ``n_objectives``, and ``features`` and ``polyhedron``, which may be None.
        rng : Generator
            Random generator of this run, independent of the rewards. A randomised algorithm
            stores it in its memory.
        """
        return None

    def select(self, record: RecordView, memory: Any) -> int | np.integer | tuple[int, int]:
        """Return the arm to sample next, or a tuple: the arm, and how many samples of it.

        Parameters
        ----------
        record : RecordView
            ``counts``, ``sums``, ``means``, ``scatter``, ``observed`` and ``time``, read-only. They
            change with every sample; copy the values to be stored.
        memory : object
            The object that `start` returned.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define select(record, memory)")

    def stop(self, record: RecordView, memory: Any) -> bool | np.bool_:
        """Return whether to stop, after the samples that `select` requested."""
        raise NotImplementedError(f"{type(self).__name__} does not define stop(record, memory)")

    def recommend(self, record: RecordView, memory: Any) -> ArrayLike | Partition:
        """Return the answer to the question.

        For the Pareto set, its arms or one bool per arm; for best arms, one arm per objective;
        for a partition, a `Partition`.
        """
        raise NotImplementedError(
            f"{type(self).__name__} does not define recommend(record, memory)"
        )

    def parameters(self, problem: Problem) -> None:
        """Return None, because the methods use the attributes of the algorithm."""
        return None

    def begin(
        self, problem: Problem, rng: np.random.Generator, parameters: Any = None
    ) -> PythonRun:
        """Begin a run; see `PythonRun`."""
        return PythonRun(self, problem, rng)


def describe(value: Any) -> Any:
    """Convert a parameter to plain data for a file; an algorithm or a dataclass becomes a dict."""
    if isinstance(value, Algorithm):
        return {"algorithm": type(value).__name__, "parameters": value.hyper_parameters()}
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) else plain(value)


def refuse_needless(algorithm: Algorithm, features: Any = None, polyhedron: Any = None) -> None:
    """Refuse features or a polyhedron that the algorithm would silently ignore."""
    for name, value in (("features", features), ("polyhedron", polyhedron)):
        if value is not None and name not in algorithm.reads:
            raise ValueError(
                f"{name} = {shown(value)} for {type(algorithm).__name__}, which does not use it; "
                "expected None, or a different algorithm"
            )


def is_python(algorithm: Algorithm) -> bool:
    """Whether an algorithm, or one around another, chooses by plain Python."""
    return isinstance(algorithm, PythonAlgorithm) or isinstance(
        getattr(algorithm, "algorithm", None), PythonAlgorithm
    )


def needs_independence(algorithm: Algorithm) -> bool:
    """Whether the guarantee of an algorithm requires independent noise in the objectives."""
    return algorithm.stopping.needs_independence and not algorithm.noise.reads_covariance


def weighs_costs(algorithm: Algorithm) -> bool:
    """Whether an algorithm has a parameter ``costs`` that it can use."""
    has_costs = "costs" in getattr(algorithm, "__dataclass_fields__", ())
    # A budget is a number of samples, and the sum of all weights requires equal costs.
    is_cumulative = getattr(algorithm, "tracking", None) == "C"
    return has_costs and not is_cumulative and not isinstance(algorithm.stopping, Budget)
