"""New processes that say which kernels they compiled."""

import json
import os
import subprocess
import sys
import textwrap

from pareto_book.paths import ROOT

COUNTED = """
from numba.core import event

with event.install_recorder("numba:compile") as recorder:
{body}
functions = [each.data["dispatcher"].py_func for _, each in recorder.buffer if each.is_start]
compiled = {{f"{{each.__module__}}.{{each.__name__}}" for each in functions}}
print(json.dumps([answers, sorted(compiled)]))
"""


def write(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(textwrap.dedent(text))


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def call(body, folder, package=ROOT, cache=None, **variables):
    """What a new process answers, and the kernels outside of Numba that it compiled."""
    done = subprocess.run(
        [sys.executable, "-W", "always::RuntimeWarning", "-c", program(body)],
        env={
            **os.environ,
            "NUMBA_CACHE_DIR": str(cache or folder.parent / "kernels"),
            "PYTHONPATH": f"{package}{os.pathsep}{folder}",
            **variables,
        },
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    answers, compiled = json.loads(done.stdout)
    return answers, {each for each in compiled if not each.startswith("numba.")}, done.stderr


def program(body):
    return "import json\n" + COUNTED.format(body=body)
