"""A Dask cluster that speaks TLS, started as the page on using the packages says."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from pareto_book.paths import ROOT
from pareto_core import Instance, UniformSampling, simulate
from pareto_core.simulation import dask_backend

INSTANCE = Instance([[0.2, 0.0], [0.0, 0.2], [-0.1, -0.1]])
CALL = """
from pareto_core import Instance, UniformSampling, simulate
instance = Instance([[0.2, 0.0], [0.0, 0.2], [-0.1, -0.1]])
runs = simulate(UniformSampling(budget=30), instance, 4, progress=False, backend="dask")
print(runs.means.tobytes().hex())
"""
USING = (ROOT / "notebooks" / "using.md").read_text(encoding="utf-8")
(PAGE,) = re.findall(r"```shell\n(export TLS=.*?)```", USING, re.DOTALL)
HERE = {  # for what the page writes for a cluster of several machines
    "dask": f"{sys.executable} -m dask",
    "tls://10.0.0.5": "tls://127.0.0.1 --port 0 --scheduler-file scheduler.json",
    "tls://SCHEDULER:8786": "$SCHEDULER",
    "scheduler ": "scheduler --no-dashboard --dashboard-address :0 ",
    "worker ": "worker --no-dashboard --dashboard-address :0 --no-nanny --nthreads 1 ",
}
# The scheduler is ready when it has written where it is; whatever happens, nothing is left.
SCRIPT = """
trap 'kill -KILL $(jobs -p)' EXIT
{scheduler} &
for attempt in {{1..600}}; do
    if [ -s scheduler.json ]; then break; fi
    sleep 0.1
done
export SCHEDULER=$({python} -c 'import json; print(json.load(open("scheduler.json"))["address"])')
{worker} &
{exports}
{python} call.py > bytes
"""


@pytest.fixture
def certificates(tmp_path):
    """A folder with a key, and a certificate that is its own authority."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl on this machine")
    kind = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=here"
    files = "-keyout key.pem -out cert.pem -addext subjectAltName=IP:127.0.0.1"
    command = ["openssl", "req", *kind.split(), *files.split()]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    shutil.copy(tmp_path / "cert.pem", tmp_path / "ca.pem")
    return tmp_path


def script():
    """What the page says, for this machine."""
    lines = PAGE
    for there, here in HERE.items():
        assert there in lines, there
        lines = re.sub(rf"(?m)(?<![\w.]){re.escape(there)}(?!\.)", here, lines)
    lines = [line.partition("  #")[0] for line in lines.splitlines()]
    (scheduler,) = [line for line in lines if " scheduler " in line]
    (worker,) = [line for line in lines if " worker " in line]
    first, *exports = [line for line in lines if line.startswith("export ")]
    parts = {"scheduler": scheduler, "worker": worker, "exports": "\n".join(exports)}
    return f"{first}\n{SCRIPT.format(python=sys.executable, **parts)}"


@pytest.mark.slow
def test_a_cluster_started_as_readme_says_gives_the_same_bytes(certificates):
    (certificates / "call.py").write_text(CALL)
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = ["bash", "-euo", "pipefail", "-c", script()]
    done = subprocess.run(
        command, cwd=certificates, env=variables, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert '"tls://127.0.0.1:' in (certificates / "scheduler.json").read_text()
    expected = simulate(UniformSampling(budget=30), INSTANCE, 4, progress=False)
    assert (certificates / "bytes").read_text().strip() == expected.means.tobytes().hex()


def test_an_address_with_tls_needs_certificates(monkeypatch):
    for variable in dask_backend.CERTIFICATES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(dask_backend.VARIABLE, "tls://127.0.0.1:9")
    message = r"^PARETO_DASK_SCHEDULER = 'tls://127\.0\.0\.1:9' without certificates; expected "
    with pytest.raises(ValueError, match=message + ".*_CA_FILE, .*_CERT and .*_KEY$"):
        simulate(UniformSampling(budget=30), INSTANCE, 4, progress=False, backend="dask")
