"""Environment and connection settings of the kernels that execute the chapters."""

import os
from pathlib import Path

import zmq
from traitlets.config import Config

# With several threads, the order of a sum and its rounding errors would vary.
ONE_THREAD = {"MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def own_sockets(folder: str | os.PathLike) -> Config:
    """Return settings with which a manager and its kernel communicate by sockets in a folder."""
    prefix = str(Path(folder) / "kernel")
    if not zmq.has("ipc") or len(f"{prefix}-99") > zmq.IPC_PATH_MAX_LEN:
        return Config()
    return Config(KernelManager={"transport": "ipc", "ip": prefix})
