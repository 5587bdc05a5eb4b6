"""An experiment of your own: the session asks for samples, and you tell it their rewards."""

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike

from pareto_core.checks.arguments import check_count, check_flag, shown
from pareto_core.checks.words import Direction
from pareto_core.geometry.polyhedron import Polyhedron
from pareto_core.loop.algorithm import Algorithm
from pareto_lab.experiment.identifiers import check_identifier
from pareto_lab.experiment.ledger import warn_of_small_budget
from pareto_lab.experiment.names import Values
from pareto_lab.experiment.new_design import new_design
from pareto_lab.experiment.reward_tables import Rewards, read_samples
from pareto_lab.experiment.samples import Receipt, Sample, Sampled
from pareto_lab.session.changes import SessionChanges
from pareto_lab.session.lock import synchronized
from pareto_lab.session.tables import SessionTables

__all__ = ["Session"]


class Session(SessionChanges, SessionTables):
    """An experiment in progress: ask for an arm, tell its reward, until finished.

    `ask` names one arm at a time. `ask_many` names several arms to be sampled in parallel, whose
    rewards may be told in any order. The algorithm uses the first reward of an arm when it first
    samples that arm, the second reward the second time, and so on; other rewards wait. So its
    decisions and guarantees are those of one sample at a time, provided that

    * rewards of an arm are independent and have the same law, and
    * neither the delay of a reward nor whether it is told at all depends on its value.

    Arms are given and returned by name, or by number from 0 if they have no names. Arrays with an
    entry for each arm are in the order of the arms. Rewards, means and the polyhedron are in the
    caller's own signs and units. Threads may share a session, whose methods wait for each other.

    With `SeparateTopTwo` (for the Pareto set, or the best arm of every objective) each sample is of
    one objective of one arm. Such a session asks for pairs (arm, objective), with one number as
    their reward; tables have the columns ``arm``, ``objective`` and ``value``, and counts the shape
    (K, d). The noise of all samples has to be independent, also of two objectives of one arm.

    Parameters
    ----------
    algorithm : Algorithm
        The algorithm that decides. It sees rewards that are divided by their standard deviations,
        if these are given, and it maximises every objective; its parameters refer to these, except
        the ``epsilon`` of `Certified`, which is in the caller's units or by name.
    n_arms, n_objectives : int, optional
        Size of the experiment, if there are no names.
    standard_deviation : float, array_like, shape (d,) or (K, d), or "unknown", optional
        Standard deviation of the noise in each objective, also by name. The noise must be stated
        exactly once: here, by ``bounds``, or by the algorithm (its ``variance_bound``, the
        ``bounds`` of `WidestBox`). Values for each arm are for
        algorithms that use them, such as `TopTwoIDS` and `Certified`, or need no bound on the
        noise, such as `UniformSampling` with a budget; the rewards are not divided by them. For
        `Certified`, the objectives may differ: a number for some, ``"unknown"`` for others, and 0
        for those without noise, whose first value is the mean.
        ``"unknown"`` is Gaussian noise with the same unknown
        variance in all arms: an algorithm for the Pareto set that needs the noise is then stopped
        by `Certified` at its own risk, and sees the rewards as they are, so units in which the
        objectives have similar noise save samples. `status` tests the statement.
    features : array_like, shape (K, h), optional
        Feature vector of each arm, for an algorithm that uses them.
    polyhedron : Polyhedron, optional
        Feasible region of the means, for an algorithm that uses it.
    seed : int, default 0
        Seed of the algorithm's random decisions.
    arms : sequence of str, optional
        Names of the arms.
    objectives : mapping of str to {"max", "min"}, or sequence of str, optional
        Names of the objectives, and their directions, also in full, as in "maximize" and
        "minimise"; "max" for a sequence of names.
    units : mapping of str to str, optional
        Units of objectives.
    costs : array_like, shape (K,), or mapping of str to float, optional
        Cost of a sample of each arm. An algorithm with a parameter ``costs``, such as
        `TrackAndStop`, gets them unless it has its own; other algorithms ignore them. If objectives
        are measured separately: of each objective, also by name, or an array of shape (K, d).
    bounds : (float, float), or array_like, shape (d, 2), or mapping of str to pairs, optional
        Bounds a and b of the rewards instead of standard deviations, which are then at most
        (b - a)/2 by Hoeffding's lemma. A reward outside of them is refused.
    covariance : array_like, shape (d, d) or (K, d, d), optional
        Covariance of the noise between objectives instead of standard deviations, common to all
        arms or of each arm, in the caller's signs and units and in the order of the objectives; for
        algorithms that use it, such as `TopTwoIDS` and `Certified`.
    budget : float, optional
        Total cost of all requested samples, or their number without costs. The session ends when
        the budget does not pay for the samples that the algorithm wants next. Further rewards that
        `tell_all` adds cost nothing.

    Attributes
    ----------
    algorithm : Algorithm
        As given, with the costs, and certified if the noise is unknown.
    design : ExperimentDesign
        Names, directions, units, costs and the statement about the noise.
    seed : int
        As given.

    Raises
    ------
    ValueError
        If an argument is invalid or would be ignored by the algorithm; if the noise is not stated,
        or stated twice; if the budget does not pay for what the algorithm samples first; or if
        there are more than a million means.

    Warns
    -----
    UserWarning
        If the budget is too small for an answer: for one sample of each arm, or with an unknown
        standard deviation for any statement.

    Examples
    --------
    >>> import pareto_core as pc
    >>> import pareto_lab as lab
    >>> session = lab.Session(
    ...     pc.TrackAndStop(delta=0.1), n_arms=2, n_objectives=1, standard_deviation=1.0
    ... )
    >>> while not session.finished:
    ...     arm = session.ask()
    ...     session.tell(arm, [10.0 * arm])
    >>> session.recommendation
    array([1])

    With names, and an objective to be minimised:

    >>> session = lab.Session(
    ...     pc.TrackAndStop(delta=0.1),
    ...     arms=["A", "B"],
    ...     objectives={"protection": "max", "fever": "min"},
    ...     units={"fever": "°C"},
    ...     standard_deviation={"protection": 1.0, "fever": 0.5},
    ... )
    >>> session.tell("A", {"protection": 12.0, "fever": 37.5})
    >>> session.tell("B", {"protection": 2.0, "fever": 39.5})
    >>> session.recommendation, session.ended_by
    (array(['A'], dtype='<U1'), 'answer')

    With objectives that are measured separately, at their own costs:

    >>> session = lab.Session(
    ...     pc.SeparateTopTwo(), 2, objectives=["x", "y"], standard_deviation=1.0, costs=[10.0, 1.0]
    ... )
    >>> session.tell(session.ask(), 0.8)
    >>> session.spent, session.ask()
    (10.0, (0, 'y'))

    """

    def __init__(
        self,
        algorithm: Algorithm,
        n_arms: int | None = None,
        n_objectives: int | None = None,
        standard_deviation: Values | Mapping[str, float | str] | str | None = None,
        features: ArrayLike | None = None,
        polyhedron: Polyhedron | None = None,
        seed: int = 0,
        *,
        arms: Sequence[str] | None = None,
        objectives: Mapping[str, Direction] | Sequence[str] | None = None,
        units: Mapping[str, str] | None = None,
        costs: Values | None = None,
        budget: float | None = None,
        bounds: ArrayLike | Mapping[str, Sequence[float]] | None = None,
        covariance: ArrayLike | None = None,
    ) -> None:
        if not isinstance(algorithm, Algorithm):
            raise ValueError(f"algorithm = {shown(algorithm)}; expected an Algorithm")
        seed = check_count(seed, "seed", at_least=0)
        names = (arms, objectives, units)
        noise = (algorithm, standard_deviation, bounds, covariance)
        design = new_design(n_arms, n_objectives, names, noise, features, polyhedron, costs)
        super().__init__(algorithm, design, seed)
        self._ledger.set_budget(budget)
        warn_of_small_budget(self._ledger)

    @synchronized
    def ask(self) -> Sampled:
        """Return the arm that the algorithm needs next; the same one until it has been told.

        The arm may be outstanding already because of `ask_many`; if that sample was lost, take
        another one.

        Raises
        ------
        RuntimeError
            If the session is finished.
        """
        return self._ledger.design.arms[self._ledger.request()]

    @synchronized
    def ask_many(self, n: int) -> list[Sampled]:
        """Return arms to sample next, all at once, in addition to the outstanding ones.

        A copy of the algorithm runs ahead on the rewards that wait and on imagined ones: the
        average reward of the arm, or before its first reward that of the other arms, so that it
        looks neither better nor worse than they do. Imagined rewards only determine which samples
        are requested in advance: a poor guess may waste samples; the guarantee is unaffected.

        Parameters
        ----------
        n : int
            Largest number of arms, at least 1; together with the outstanding ones at most 100,000.

        Returns
        -------
        list of int or str
            At most n arms, each as often as it is to be sampled. There are fewer if, on the
            imagined rewards, the algorithm would stop earlier or the budget would end; none if the
            outstanding samples may suffice, so tell these first; and at least one if no sample is
            outstanding.

        Raises
        ------
        ValueError
            If ``n`` is not a positive integer, or is too large.
        RuntimeError
            If the session is finished.
        """
        arms = self._ledger.request_many(check_count(n, "n"))
        return [self._ledger.design.arms[arm] for arm in arms]

    @synchronized
    def tell(self, arm: Sampled, reward: Values, *, id: int | str | None = None) -> None:
        """Report one observed reward of an arm that was asked for.

        A reward counts as often as it is told, unless it has an identifier: a sample whose
        identifier was told before with the same arm and reward is skipped. A withdrawn sample may
        be told again with other values; see `tell_all`.

        Parameters
        ----------
        arm : int or str
            An outstanding arm that `ask` or `ask_many` returned, in any order. Rewards of such
            arms are accepted even after the end.
        reward : array_like, shape (d,), or mapping of str to float
            The observation in the caller's own signs and units, in the order of the objectives or
            by their names; at most 1e150 standard deviations. If the algorithm allows missing
            values (`Algorithm`), an objective that was not observed is None, NaN or omitted. A
            value may not be missing because of what it is; and if the noise of the objectives is
            correlated, which of them are observed must be fixed before a value is seen.
        id : int or str, optional
            Identifier of the sample; see `tell_all`.

        Raises
        ------
        ValueError
            If the arm was not asked for, the reward is not d finite numbers, all values are missing
            or one is and the algorithm does not allow that, the value of an objective without noise
            differs from an earlier one, or the identifier was told before with other values.
            Nothing is recorded then.
        RuntimeError
            If the session is finished, and the arm is not outstanding.
        """
        design = self._ledger.design
        identifier = None if id is None else check_identifier(id, "id")
        if identifier is not None:
            number = design.arm_number(arm)
            sample = Sample("id", number, design.check_sample(number, reward), identifier)
            if not self._ledger.identifiers.new_samples([sample], self._ledger.withdrawn):
                return
        number = self._ledger.expected_arm(arm)
        sample = Sample("id", number, design.check_sample(number, reward), identifier)
        self._ledger.refuse_contradictions([sample])
        self._ledger.ensure_requested(number)
        self._ledger.settle([sample])

    @synchronized
    def tell_all(self, frame: Rewards, *, id: str | None = None, repeat: bool = False) -> Receipt:
        """Report existing rewards, such as those of past days, of any arms.

        They wait in the queues of their arms, behind those told before, until the algorithm wants
        them. The guarantee holds because the algorithm does not see which rewards are old. The
        number of samples taken in the past may depend on anything known at the time. But *all*
        rewards of these days must be told, in the order in which those of an arm were taken, or a
        selection that does not depend on their values.

        A table that `data` returned, or a CSV file of it, is recognised by its columns ``number``,
        ``told`` and ``state``: rewards that were withdrawn or replaced are left out, and the
        identifiers are read from its column ``id``.

        A table that grows and is told every day should have a column of sample identifiers. A row
        is skipped if its identifier was told before, by `tell` or `tell_all`, with the same arm
        and reward (or those that `withdraw` put in their place), and refused if they differ. An
        identifier whose reward was withdrawn without ``instead=`` may be told again with another
        arm or reward, and counts; with the same ones it is skipped. Without identifiers, rows
        with the arm and the reward of an earlier call are refused, because they may be the same
        samples; equal rows within one table are not.

        Parameters
        ----------
        frame : pandas.DataFrame, mapping of columns, or path-like
            Columns ``arm`` and the objectives, by name (or number); other columns are ignored. A
            path is that of a CSV file whose first row has the names, with commas between the
            columns, or semicolons and then decimal commas or points; a file in which that is
            ambiguous is refused. An empty cell is a missing value; see `tell`. All
            rows are checked before any of them counts. Rows of outstanding arms are the rewards
            asked for; the others are not charged to the budget.
        id : str, optional
            Name of the column of sample identifiers, which are strings or whole numbers: 7, 7.0
            and "7" are the same.
        repeat : bool, default False
            Count rows that have the values of earlier ones, as discrete rewards may.

        Returns
        -------
        Receipt
            How many rows were counted and skipped.

        Raises
        ------
        ValueError
            If a column is missing, a row has an invalid arm, reward or identifier, or rows may
            have been told before. The message names the rows, the first of which is row 1; nothing
            is recorded.
        RuntimeError
            If the session is finished, and there are more rewards than are outstanding.
        OSError
            If the file does not exist.

        Examples
        --------
        >>> import pareto_core as pc
        >>> import pareto_lab as lab
        >>> session = lab.Session(
        ...     pc.TrackAndStop(),
        ...     arms=["A", "B"],
        ...     objectives={"yield": "max", "cost": "min"},
        ...     standard_deviation=[0.1, 0.5],
        ... )
        >>> days = {"arm": ["B", "A", "B"], "yield": [0.1, 0.4, 0.3], "cost": [2.0, 1.5, 2.2]}
        >>> session.tell_all(days)
        Receipt(counted=3, skipped=0)
        >>> session.samples, session.waiting
        (2, array([0, 1]))
        """
        check_flag(repeat, "repeat")
        samples = read_samples(frame, self._ledger.design, id)
        new = self._ledger.new_samples(samples, repeat)
        self._ledger.settle(new)
        return Receipt(len(new), len(samples) - len(new))

    @synchronized
    def raise_budget(self, budget: float) -> None:
        """Continue with a higher budget, on which the guarantee does not depend.

        Parameters
        ----------
        budget : float
            Total cost that samples may have, including what was spent already.

        Raises
        ------
        ValueError
            If the session has no budget, or ``budget`` is not higher.
        """
        self._ledger.raise_budget(budget)
