"""What plain ``numba.njit(cache=True)`` would cost: compiling the package, and runs."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pareto_book.paths import ROOT

# Python runs this first in each process: then kernels can only be made with njit.
PLAIN = """
import numba
import numba.core.registry

del numba.core.registry.CPUDispatcher
njit = numba.njit


def cached(*given, **options):
    if "nogil" not in options:  # not a kernel
        return njit(*given, **options)
    return lambda function: njit(**options, cache="<" not in function.__qualname__)(function)


numba.njit = cached  # but for closures over kernels, such as loops, which Numba cannot keep
"""
RUNS = """
import json, time, warnings
warnings.simplefilter("ignore")
import pareto_core as pc
instance = pc.load_instance("cov_boost")
entries = (
    (pc.APE(), 200),
    (pc.TrackAndStop(gradient_every=10, check_every=25), 40),
    (pc.Racing(radius="hoeffding"), 100),
    (pc.TopTwoIDS(), 60),
)
times = {}
for algorithm, runs in entries:
    pc.simulate(algorithm, instance, 4, n_jobs=1, progress=False)
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        found = pc.simulate(algorithm, instance, runs, n_jobs=1, progress=False)
        seconds.append(time.perf_counter() - start)
    times[type(algorithm).__name__] = 1e6 * min(seconds) / int(found.samples.sum())
print(json.dumps(times))
"""


def measure(folder, plain):
    """Seconds of compiling everything into an empty folder and of finding it there, and of runs."""
    (folder / "first").mkdir()
    if plain:
        (folder / "first" / "sitecustomize.py").write_text(PLAIN)
    paths = os.pathsep.join([str(folder / "first"), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(folder / "kernels")}
    environment["PYTHONWARNINGS"] = "ignore"
    call = [sys.executable, "-m", "pareto_core.warm_up"]
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        subprocess.run(call, env=environment, cwd=folder, check=True, stderr=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
    runs = subprocess.run(
        [sys.executable, "-c", RUNS], env=environment, cwd=folder, check=True, capture_output=True
    )
    return seconds, json.loads(runs.stdout)


def main():
    with tempfile.TemporaryDirectory() as folder:
        results = []
        for name, plain in (("ours", False), ("plain", True)):
            (Path(folder) / name).mkdir()
            results.append(measure(Path(folder) / name, plain))
    (ours, our_runs), (plain, plain_runs) = results
    print(
        f"| | ours | plain Numba | ratio |\n|---|---|---|---|\n{_row('compile', ours[0], plain[0])}"
    )
    print(_row("the next process", ours[1], plain[1]))
    for name, took in our_runs.items():
        theirs = plain_runs[name]
        print(f"| {name}, cov_boost | {took:.2f} µs | {theirs:.2f} µs | {theirs / took:.1f} |")


def _row(name, ours, plain):
    return f"| {name} | {ours:.0f} s | {plain:.0f} s | {plain / ours:.1f} |"


if __name__ == "__main__":
    main()
