"""The interface of an algorithm, and the loop that runs it.

Begin with `algorithm`, which contains the base classes. `record` contains the observations of a
run, `run` executes one run of a compiled algorithm, and `python_run` one run of an algorithm in
plain Python. The algorithms themselves are in `pareto_core.algorithms`; rewards are drawn in
`pareto_core.instances`, and many runs are executed by `pareto_core.simulation`.
"""

from pareto_core.loop.algorithm import Algorithm, PythonAlgorithm
from pareto_core.loop.python_run import RecordView
from pareto_core.loop.record import Record, empty_record

__all__ = ["Algorithm", "PythonAlgorithm", "Record", "RecordView", "empty_record"]
