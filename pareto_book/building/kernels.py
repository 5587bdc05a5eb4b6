"""How the kernels that execute the chapters are started, and what they are told."""

import os
from pathlib import Path

import zmq
from traitlets.config import Config


def kernel_environment(progress: str | os.PathLike, data: str | os.PathLike) -> dict[str, str]:
    """Environment variables of a kernel whose output is to be the same every time.

    Parameters
    ----------
    progress : path
        File that takes the chapter's progress bars.
    data : path
        File that takes the names of the data that it reads.

    Returns
    -------
    dict of str to str
    """
    return {
        "PARETO_PROGRESS_FILE": str(progress),
        "PARETO_DATA_READ_FILE": str(data),
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": "0",
        # A sum split among threads is rounded in another order.
        "MKL_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def own_sockets(folder: str | os.PathLike) -> Config:
    """Settings of a kernel's manager that let it talk to the kernel by files in a folder.

    By default a manager looks for free ports and releases them, and its kernel takes them a
    second later: of two kernels that start at the same time one may find another's there.
    Where a system has no such files, or their names would be too long for it, it stays so.

    Parameters
    ----------
    folder : path
        Of this manager alone, with a short name.

    Returns
    -------
    traitlets.config.Config
    """
    prefix = str(Path(folder) / "kernel")
    if not zmq.has("ipc") or len(f"{prefix}-99") > zmq.IPC_PATH_MAX_LEN:
        return Config()
    return Config(KernelManager={"transport": "ipc", "ip": prefix})
