"""Tables of a session: all its rewards, and what an experiment of its design may cost."""

from collections.abc import Mapping

import pandas as pd
from numpy.typing import ArrayLike

from pareto_core.checks.words import RuleName
from pareto_lab.experiment.data_tables import frame_of
from pareto_lab.experiment.names import Values
from pareto_lab.planning.plan import Plan
from pareto_lab.planning.planner import planned
from pareto_lab.session.lock import synchronized
from pareto_lab.session.state import SessionState

__all__ = ["SessionTables"]


class SessionTables(SessionState):
    """A session's data as a table, and plans of its design; neither changes the session.

    Its parameters are those of `SessionState`.
    """

    @synchronized
    def data(self) -> pd.DataFrame:
        """Return all rewards that were told, also the withdrawn ones.

        `Session.tell_all` understands the table, and a CSV file of it: a new session that is told
        it has the same rewards, in the same order, with the same identifiers.

        Returns
        -------
        pandas.DataFrame
            A row for each reward in the order told; a reward that was replaced, and then the one
            in its place, have the same number.

            ``number``
                Number of the sample, from 1; later withdrawals do not change it. In a session that
                was saved before version 7 of the file, older rewards are in the order of their use.
            ``arm``, and the objectives
                In the caller's own signs and units.
            ``id``
                Identifier of the sample; None without one.
            ``told``
                When the sample was told, in UTC; NaT if that was before version 7 of the file.
            ``state``
                Whether the reward was ``used`` by the algorithm, is ``waiting``, or was
                ``replaced`` or ``withdrawn`` without replacement.
            ``reason``
                Reason of a withdrawal; may be empty.

            If an objective has the name of another column, that one gets an underscore.

        Examples
        --------
        >>> import pareto_core as pc
        >>> import pareto_lab as lab
        >>> session = lab.Session(
        ...     pc.TrackAndStop(), arms=["A", "B"], objectives=["yield"], standard_deviation=1.0
        ... )
        >>> session.tell("A", [31.0], id="t1")
        >>> session.withdraw(id="t1", instead=[3.1], reason="decimal point")
        >>> session.data().drop(columns=["told", "reason"])
           number arm  yield  id     state
        0       1   A   31.0  t1  replaced
        1       1   A    3.1  t1      used
        """
        return frame_of(self._ledger)

    def plan(
        self,
        means: ArrayLike | pd.DataFrame | Mapping[str, Values],
        runs: int = 100,
        seed: int = 0,
        *,
        standard_deviation: Values | None = None,
        delta: float | None = None,
        rule: RuleName | None = None,
        max_samples: int | None = None,
        n_jobs: int | None = None,
        progress: bool = True,
    ) -> Plan:
        """Simulate experiments of this design: samples and costs until arms are certain.

        Each simulated experiment has the algorithm, the costs, the features and the region of
        this session, begins without rewards, and draws Gaussian ones. Its means are those that you
        give; in objectives without noise they are rounded to single precision. This is not a
        guarantee: nearly equal means may need any number of samples. The session is not changed.

        Parameters
        ----------
        means : array_like, shape (K, d), DataFrame, or mapping
            Means in the caller's own signs and units; a data frame with the arms in its index or
            its column ``arm``, and a mapping of arms to rewards, may have any order.
        runs : int, default 100
            Number of simulated experiments.
        seed : int, default 0
            Seed; experiment r is the same for any number of experiments and of workers.
        standard_deviation : float, array_like, shape (d,) or (K, d), or mapping, optional
            Standard deviation of the simulated noise; by default as stated, or half of the
            distance between bounds. None if the session has a covariance, which the simulated
            noise then has.
        delta, rule
            Of the statements about arms; by default those of the algorithm, see `status`.
        max_samples : int, optional
            Samples at which an experiment is cut off; by default what ten times the budget pays
            for, or 100,000 if this is less or there is no budget.
        n_jobs, progress
            See `pareto_core.simulate`.

        Returns
        -------
        Plan

        Raises
        ------
        ValueError
            If an argument is invalid, the noise is unknown and not given, or the algorithm
            requires bounded rewards.

        Examples
        --------
        >>> import pareto_core as pc
        >>> import pareto_lab as lab
        >>> session = lab.Session(
        ...     pc.APE(),
        ...     arms=["A", "B", "C"],
        ...     objectives=["yield"],
        ...     standard_deviation=1.0,
        ...     budget=100,
        ... )
        >>> plan = session.plan({"A": [5.0], "B": [0.0], "C": [4.0]}, runs=20, progress=False)
        >>> plan.table["within_budget"].tolist()
        [0.0, 0.0, 0.0, 1.0]
        """
        with self._lock:
            budget, asked = self.budget, self._request(delta, rule)
        request = {
            "means": means,
            "runs": runs,
            "seed": seed,
            "standard_deviation": standard_deviation,
            "delta": asked.delta,
            "rule": asked.rule,
            "max_samples": max_samples,
            "n_jobs": n_jobs,
            "progress": progress,
        }
        return planned(self.algorithm, self.design, budget, request)
