"""Bandit instances: means, noise, and what an algorithm may know of them."""

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from pareto_core.checks.arguments import (
    check_array,
    check_choice,
    check_magnitude,
    check_matrix,
    check_means,
    counted,
    index_of,
    refuse_other_index,
    shown,
)
from pareto_core.checks.words import Noise
from pareto_core.geometry.dominance import pareto_set
from pareto_core.geometry.partition import constrained_pareto_set
from pareto_core.geometry.polyhedron import Polyhedron, check_polyhedron
from pareto_core.instances.checks import (
    checked_covariance,
    checked_observations,
    correlation_of,
    is_diagonal,
)
from pareto_core.instances.noise import BERNOULLI, GAUSSIAN, NOISES, POOL, WITH_VARIANCE

__all__ = ["Instance", "Problem"]

MOST_SHOWN = 6  # names of arms or objectives in a line


class Problem(NamedTuple):
    """What an algorithm knows before its first sample.

    Examples
    --------
    >>> import pareto_core as pc
    >>> problem = pc.Instance([[0.0], [1.0]]).problem
    >>> problem.n_arms, problem.covariance
    (2, None)
    """

    n_arms: int
    n_objectives: int
    features: np.ndarray | None = None  # (K, h)
    polyhedron: Polyhedron | None = None  # the feasible region
    covariance: np.ndarray | None = None  # (K, d, d); None for independent noise of unit variance
    unit: np.ndarray | None = None  # (d,) by which rewards were divided; None for 1
    noise_kinds: tuple[str, ...] | None = None  # see `noise_kinds`; None if all are known


@dataclasses.dataclass(frozen=True, eq=False, init=False)
class Instance:
    """Arms with random rewards, independent between objectives unless a covariance is given.

    Parameters
    ----------
    means : array_like, shape (K, d)
        Mean rewards; larger is better in every objective.
    variance : array_like, shape (d,) or (K, d), optional
        Variance of Gaussian or uniform noise in each objective, common to all arms or for each
        arm; 1 by default. Not for Bernoulli or recorded rewards, which determine their variance.
    covariance : array_like, shape (d, d) or (K, d, d), optional
        Covariance of Gaussian noise between objectives, common to all arms or for each arm;
        positive definite, instead of ``variance``.
    noise : {"gaussian", "bernoulli", "pool", "uniform"}, default "gaussian"
        Distribution of the rewards; ``"pool"`` draws ``observations`` without replacement, and
        ``"uniform"`` draws from an interval about the mean, whose half width is the square root
        of 3 times the variance.
    observations : sequence of array_like, shapes (n_k, d), optional
        Recorded rewards of each arm; use `Instance.from_observations`.
    features : array_like, shape (K, h), optional
        Feature vector of each arm, for algorithms that generalise over arms.
    polyhedron : Polyhedron, optional
        Feasible region of the means, for algorithms that look for the constrained Pareto
        set.
    name : str, default "custom"
        Short name, as `load_instance` knows it.
    labels : sequence of str, optional
        One name per arm, all distinct; "arm 0", "arm 1", ... by default.
    objectives : sequence of str, optional
        One name per objective, all distinct; "objective 1", ... by default.
    provenance : str, default "given by the caller"
        Where the numbers come from, in a sentence.

    Raises
    ------
    ValueError
        If the means are not a finite (K, d) array with K >= 2, or exceed 1e150, if a variance
        common to all arms is not positive, or if a different argument does not fit the means.

    See Also
    --------
    load_instance : instances by name, from a function or a file.

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.Instance([[1.0, 0.0], [0.0, 1.0]], variance=[1.0, 4.0], labels=["A", "B"])
    >>> instance.pareto_set, instance.means_standardised[1]
    (array([0, 1]), array([0. , 0.5]))
    """

    means: np.ndarray
    variance: np.ndarray
    noise: str
    observations: tuple[np.ndarray, ...] | None
    features: np.ndarray | None
    polyhedron: Polyhedron | None
    name: str
    labels: tuple[str, ...]
    objectives: tuple[str, ...]
    provenance: str
    covariance: np.ndarray | None

    def __init__(
        self,
        means: ArrayLike,
        variance: ArrayLike | None = None,
        noise: Noise = GAUSSIAN,
        observations: Sequence[ArrayLike] | None = None,
        features: ArrayLike | None = None,
        polyhedron: Polyhedron | None = None,
        name: str = "custom",
        labels: Sequence[str] | None = None,
        objectives: Sequence[str] | None = None,
        provenance: str = "given by the caller",
        covariance: ArrayLike | None = None,
    ) -> None:
        given = locals()
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, given[field.name])
        self._check()

    def _check(self):
        """Check all fields together, and convert them to arrays and tuples."""
        means = check_means(self.means)
        n_arms, n_objectives = means.shape
        self._refuse_other_order("index", self.labels)
        self._refuse_other_order("columns", self.objectives)
        check_choice(self.noise, "noise", NOISES)
        if (self.noise == POOL) != (self.observations is not None):
            raise ValueError(
                f"noise = {self.noise!r}; expected 'pool' when observations are given, "
                "and only then"
            )
        self._set("means", means)
        if self.observations is not None:
            object.__setattr__(self, "observations", checked_observations(self.observations))
            self._check_means_of_observations()
        if self.covariance is not None:
            self._set("covariance", self._checked_covariance())
        self._set("variance", self._checked_variance())
        if self.features is not None:
            features = check_matrix(self.features, "features")
            if features.shape[0] != n_arms:
                raise ValueError(f"features has {features.shape[0]} rows; expected {n_arms}")
            self._set("features", features)
        if self.polyhedron is not None:
            check_polyhedron(self.polyhedron, n_objectives)
        self._set_names("labels", n_arms, [f"arm {k}" for k in range(n_arms)])
        self._set_names(
            "objectives", n_objectives, [f"objective {c + 1}" for c in range(n_objectives)]
        )
        for field in ("name", "provenance"):
            if not isinstance(getattr(self, field), str):
                raise ValueError(f"{field} = {shown(getattr(self, field))}; expected a str")

    def __repr__(self):
        return "\n".join(
            (
                f"<Instance {shown(self.name)}: {self.n_arms} arms, "
                f"{counted(self.n_objectives, 'objective')}, {self.noise} noise",
                f" arms: {_few(self.labels)}",
                f" objectives: {_few(self.objectives)}",
                f" provenance: {shown(self.provenance)}>",
            )
        )

    def __setstate__(self, state):
        # Kernels are compiled for read-only arrays, and pickled arrays may become writeable.
        for field, value in state.items():
            object.__setattr__(self, field, value)
        for array in (
            self.means,
            self.variance,
            self.covariance,
            self.features,
            *(self.observations or ()),
        ):
            if array is not None:
                array.setflags(write=False)

    @classmethod
    def from_observations(cls, observations: Sequence[ArrayLike], **fields: Any) -> Self:
        """Make an instance whose rewards are recorded observations, drawn without replacement.

        Its means and variances are those of the observations, so a run that uses up the
        observations of an arm knows its mean exactly.

        Parameters
        ----------
        observations : sequence of array_like, shapes (n_k, d)
            Recorded rewards of each arm, at least one.
        **fields
            Other fields of `Instance`, such as ``name`` or ``features``.

        Raises
        ------
        ValueError
            If the observations are not finite arrays with the same number of columns.
        """
        groups = checked_observations(observations)
        means = np.array([group.mean(axis=0) for group in groups])
        return cls(means, noise=POOL, observations=groups, **fields)

    def _check_means_of_observations(self):
        """Check that the means are those of the observations of each arm."""
        found = [group.mean(axis=0) for group in self.observations]
        if np.shape(found) != self.means.shape or not np.allclose(found, self.means):
            raise ValueError(
                f"means of shape {self.means.shape} with observations of {len(found)} arms; "
                "expected the means of the observations, as from Instance.from_observations"
            )

    def _checked_variance(self):
        if self.noise not in WITH_VARIANCE and self.variance is not None:
            raise ValueError(f"variance = {self.variance!r}; expected None for {self.noise} noise")
        if self.noise == BERNOULLI:
            if self.means.min() < 0 or self.means.max() > 1:
                raise ValueError("means of Bernoulli rewards; expected numbers from 0 to 1")
            return self.means * (1 - self.means)
        if self.noise == POOL:
            return np.array([group.var(axis=0) for group in self.observations])
        if self.covariance is not None:
            of_each = np.diagonal(self.covariance, axis1=-2, axis2=-1)
            common = of_each.ndim == 2 and (of_each == of_each[0]).all()
            return (of_each[0] if common else of_each).copy()
        if self.variance is None:
            return np.ones(self.n_objectives)
        refuse_other_index(self.variance, "variance")
        variance = check_magnitude(check_array(self.variance, "variance"), "variance")
        common = variance.shape == (self.n_objectives,) and (variance > 0).all()
        of_each = variance.shape == self.means.shape and (variance >= 0).all()
        if not (common or of_each) or not np.isfinite(variance).all():
            raise ValueError(
                f"variance = {shown(self.variance)}; expected {self.n_objectives} positive "
                f"numbers, one per objective, or an array of shape {self.means.shape}"
            )
        return variance

    def _checked_covariance(self):
        given = checked_covariance(self.covariance, *self.means.shape)
        if self.noise != GAUSSIAN:
            raise ValueError(f"covariance for {self.noise} noise; expected None")
        diagonal = np.diagonal(given, axis1=-2, axis2=-1)
        if self.variance is not None and not (
            np.shape(self.variance) in (diagonal.shape, diagonal.shape[-1:])
            and np.equal(self.variance, diagonal).all()
        ):
            raise ValueError("variance and covariance are both given; expected one of them")
        return given

    def _set(self, field, array):
        array.setflags(write=False)
        object.__setattr__(self, field, array)

    def _refuse_other_order(self, axis, names):
        """Refuse a data frame of means whose rows or columns are in a different order."""
        found = index_of(self.means, axis)
        if found is None or names is None or found == list(names):
            return
        if set(found) == set(names):
            raise ValueError(
                f"means has the {axis} {shown(found)} with the names {shown(list(names))}; "
                "expected the same order"
            )

    def _set_names(self, field, expected, default):
        given = getattr(self, field)
        names = default if given is None else given
        if (
            not isinstance(names, Sequence)
            or isinstance(names, str)
            or len(names) != expected
            or not all(isinstance(name, str) and name.isprintable() for name in names)
        ):
            raise ValueError(f"{field} = {shown(names)}; expected {expected} names on one line")
        if len(set(names)) < expected:
            twice = next(each for each in names if list(names).count(each) > 1)
            raise ValueError(f"{field} has the name {twice!r} twice; expected distinct names")
        object.__setattr__(self, field, tuple(names))

    @property
    def n_arms(self) -> int:
        """Number K of arms."""
        return self.means.shape[0]

    @property
    def n_objectives(self) -> int:
        """Number d of objectives."""
        return self.means.shape[1]

    @property
    def problem(self) -> Problem:
        """What an algorithm may know before its first sample."""
        return Problem(self.n_arms, self.n_objectives, self.features, self.polyhedron)

    @property
    def pareto_set(self) -> np.ndarray:
        """Indices of the Pareto optimal arms, ascending."""
        return pareto_set(self.means)

    @property
    def constrained_pareto_set(self) -> np.ndarray:
        """Indices of the feasible arms that no feasible arm dominates; needs a polyhedron."""
        return constrained_pareto_set(self.means, self.polyhedron)

    @property
    def correlation(self) -> np.ndarray | None:
        """Correlation of the noise between objectives; None without a covariance."""
        if self.covariance is None:
            return None
        return correlation_of(self.covariance)

    @property
    def is_correlated(self) -> bool:
        """Whether the noise of some objectives is correlated."""
        return self.covariance is not None and not is_diagonal(self.covariance).all()

    @property
    def means_standardised(self) -> np.ndarray:
        """Means in standard deviations of the noise, (K, d), which must be common to all arms."""
        if self.variance.ndim == 2:
            raise ValueError(
                f"instance = {self.name!r}; expected one variance per objective, common to all "
                "arms, or an algorithm that states the noise, such as APE(variance_bound=1.0)"
            )
        return self.means / np.sqrt(self.variance)

    def standardised(self) -> Self:
        """Return the whitened instance: every objective divided by its standard deviation.

        The feasible region is divided in the same way. Correlated noise stays correlated, because
        a transformation that mixes objectives would change which arm dominates which.
        """
        means = self.means_standardised
        region = self.polyhedron
        return dataclasses.replace(
            self,
            means=means,
            variance=np.ones(self.n_objectives),
            covariance=self.correlation,
            polyhedron=None if region is None else region.divided_by(np.sqrt(self.variance)),
            provenance=f"{self.provenance}; each objective divided by its standard deviation",
        )


def check_instance(value):
    """Return the instance; the message about a name shows how to load it."""
    if not isinstance(value, Instance):
        loaded = f", such as load_instance({value!r})" if isinstance(value, str) else ""
        raise ValueError(f"instance = {shown(value)}; expected an Instance{loaded}")
    return value


def unfolded_problem(problem):
    """Size of an experiment that measures objective c of arm k by itself, as arm k d + c."""
    return Problem(problem.n_arms * problem.n_objectives, 1)


def unfolded_instance(instance):
    """The instance whose arms have the rewards of one objective of one arm."""
    observations, variance = None, None
    if instance.noise == POOL:
        objectives = range(instance.n_objectives)
        observations = [group[:, [c]] for group in instance.observations for c in objectives]
    elif instance.noise in WITH_VARIANCE:
        variance = np.broadcast_to(instance.variance, instance.means.shape).reshape(-1, 1)
    means = instance.means.reshape(-1, 1)
    return Instance(means, variance, instance.noise, observations, name=instance.name)


def _few(names):
    """The first names, on a line."""
    return ", ".join(names[:MOST_SHOWN]) + (", ..." if len(names) > MOST_SHOWN else "")
