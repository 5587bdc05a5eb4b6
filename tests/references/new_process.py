"""New processes that say which kernels they compiled.

Each is a fork of one that has imported Numba and compiled a first function, which takes a second,
but has nothing of the package.
"""

import functools
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from pareto_book.paths import ROOT

TEMPLATE = """
import json, os, sys
import numba
sys.dont_write_bytecode = True  # a module may be edited twice in a second

def next_task():
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            return json.loads(line)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    sys.exit()

def prepare(task):
    for stream, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(os.path.join(task["output"], name), os.O_WRONLY | os.O_CREAT), stream)
    os.environ.clear()
    os.environ.update(task["environment"])
    numba.core.config.reload_config()
    os.chdir(task["folder"])
    sys.path[1:1] = task["path"]
    return task["program"]

numba.njit(lambda x: x + 1.0)(1.0)
exec(prepare(next_task()))
"""
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


@functools.cache
def template():
    """The process that is forked; it ends when nobody can write to it any more."""
    return subprocess.Popen(
        [sys.executable, "-W", "always::RuntimeWarning", "-c", TEMPLATE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def call(body, folder, package=ROOT, cache=None, **variables):
    """What a new process answers, and the kernels outside of Numba that it compiled."""
    kernels = {"NUMBA_CACHE_DIR": str(cache or folder.parent / "kernels")}
    with tempfile.TemporaryDirectory() as output:
        task = {
            "program": program(body),
            "environment": {**os.environ, **kernels, **variables},
            "folder": str(folder),
            "path": [str(package), str(folder)],
            "output": output,
        }
        print(json.dumps(task), file=template().stdin)
        status = int(template().stdout.readline())
        printed, warned = ((Path(output) / name).read_text() for name in ("stdout", "stderr"))
    assert status == 0, warned
    answers, compiled = json.loads(printed)
    return answers, {each for each in compiled if not each.startswith("numba.")}, warned


def program(body):
    return "import json\n" + COUNTED.format(body=body)
