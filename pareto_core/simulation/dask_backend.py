"""Batches of a simulation on a running Dask cluster.

Dask is imported when it is used, not when the package is imported.
"""

import contextlib
import os

from pareto_core.simulation.program import package_hash

VARIABLE = "PARETO_DASK_SCHEDULER"
# As Dask spells its settings distributed.comm.tls.ca-file, .client.cert and .client.key
CERTIFICATES = tuple(
    f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
)


def run_on_dask(work, pending, collect):
    """Run batches on the workers of a Dask cluster."""
    distributed = _import_distributed()
    import cloudpickle  # comes with distributed

    source = package_hash()
    with _connect(distributed) as client:
        _check_workers(client, source)
        # The bytes are pickled here, since Dask's own buffers would make other arrays of them.
        futures = client.map(_run, pending, work=cloudpickle.dumps(work), source=source, pure=False)
        outstanding = dict(zip(futures, pending, strict=True))
        del futures  # the cluster keeps a result for as long as anything refers to its future
        try:
            for future in distributed.as_completed(list(outstanding), loop=client.loop):
                results = future.result()
                batch = outstanding.pop(future)
                future.release()
                collect(batch, results)
        except BaseException:
            client.cancel(list(outstanding))
            raise


def _import_distributed():
    try:
        import distributed
    except ImportError as error:
        raise ImportError(
            "backend = 'dask' needs the package distributed; install it with "
            "pip install distributed"
        ) from error
    return distributed


@contextlib.contextmanager
def _connect(distributed):
    """Client of the scheduler that the variable names, closed at the end, or the active client."""
    address = os.environ.get(VARIABLE)
    if not address:
        try:
            client = distributed.get_client()
        except ValueError as error:
            raise ValueError(
                f"backend = 'dask' without a cluster; set {VARIABLE} to the address of a Dask "
                "scheduler, such as tcp://host:8786, or make a distributed.Client first"
            ) from error
        yield client
        return
    _check_certificates(distributed, address)
    try:
        client = distributed.Client(address, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{VARIABLE} = {address!r}; expected the address of a running Dask scheduler ({error})"
        ) from error
    with client:
        yield client


def _check_certificates(distributed, address):
    """Refuse an address that requires TLS if Dask's configuration has no certificate for it."""
    security = distributed.Security()
    if address.startswith("tls://") and not security.get_connection_args("client")["ssl_context"]:
        raise ValueError(
            f"{VARIABLE} = {address!r} without certificates; expected the paths of three files in "
            f"{', '.join(CERTIFICATES[:2])} and {CERTIFICATES[2]}"
        )


def _check_workers(client, source):
    """Refuse a cluster without workers, or with a worker that has a different source."""
    import dask

    address = client.scheduler.address
    try:
        client.wait_for_workers(1, timeout=dask.config.get("distributed.comm.timeouts.connect"))
    except TimeoutError as error:
        raise ValueError(
            f"the Dask scheduler at {address} has no workers; start some with dask worker {address}"
        ) from error
    for worker, answer in client.run(package_hash, on_error="return").items():
        if answer != source:
            raise _other_source(worker, answer)


def _run(batch, work, source):
    """Run a batch on a worker, which may have joined after the check of the workers."""
    import cloudpickle
    import distributed

    found = package_hash()
    if found != source:
        raise _other_source(distributed.get_worker().address, found)
    return cloudpickle.loads(work)(batch)


def _other_source(worker, answer):
    return ValueError(
        f"the Dask worker at {worker} has another source of pareto_core ({answer!s}); expected "
        "that of this process: install the same version for all workers and restart them"
    )
