"""This package and the strongest other programs for the same task, timed by turns in one process.

Call ``python -m tests.benchmarks.rivals --help`` where ``pyproject.toml`` is.
"""

import sys
from pathlib import Path

# where the other benchmarks and the references of the tests are
sys.path[:0] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]
