"""The interface of an algorithm, and the loop that runs it.

Begin with `algorithm`, which contains the base classes; `parts` are what it assumes about the
noise, and how it stops. `record` contains the observations of a run, `run` is one run of a compiled
algorithm, and `python_run` one of an algorithm in plain Python. The algorithms themselves are in
`pareto_core.algorithms`; rewards are drawn in `pareto_core.instances`, and many runs are executed
by `pareto_core.simulation`.

Arguments that recur:

* ``parameters``, ``state``: NamedTuples of the algorithm; a kernel modifies ``state`` in place;
* ``record``: `Record`, modified in place by `observe`;
* ``source``, ``rng``: `instances.noise.Source` and Generator of the rewards, which draws change;
* ``total``, ``scatter``: arrays of shape (d,), the sum of rewards, and of the squares about their
  mean;
* ``flag``: array of shape (1,), see `interruption`;
* ``answer``: array in the layout of `Question.empty`, written by ``recommend``.
"""

from pareto_core.loop.algorithm import Algorithm, PythonAlgorithm
from pareto_core.loop.python_run import RecordView
from pareto_core.loop.record import Record, empty_record

__all__ = ["Algorithm", "PythonAlgorithm", "Record", "RecordView", "empty_record"]
