"""What an algorithm is, and the loop that runs it.

Begin with `algorithm`, the base classes; `record` is what an algorithm has observed, `run` one
run of a compiled algorithm, `python_run` one of an algorithm in plain Python. No algorithm is
here, and nothing that draws rewards or counts runs.
"""

from pareto_core.loop.algorithm import Algorithm, PythonAlgorithm
from pareto_core.loop.python_run import RecordView
from pareto_core.loop.record import Record, empty_record

__all__ = ["Algorithm", "PythonAlgorithm", "Record", "RecordView", "empty_record"]
