"""What surrounds the package: its files, the reader's modules, cores, and progress bars."""

import contextlib
import os
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

__all__ = ["DATA", "PACKAGE", "available_cores", "import_named", "newest_bar", "progress_bar"]

PACKAGE = Path(__file__).resolve().parents[1]
# Beside the package in the repository, inside it once installed
DATA = PACKAGE / "data" if (PACKAGE / "data").is_dir() else PACKAGE.parent / "data"

_bars = []  # that are drawn now


def import_named(name, argument):
    """Import what ``"module:name"`` names; the current folder is searched too."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return pkgutil.resolve_name(name)
    except (AttributeError, ImportError, ValueError) as error:
        raise ValueError(f"{argument} = {name!r} can't be imported: {error}") from error


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def newest_bar() -> tqdm | None:
    """The bar that was drawn last and has not ended, or None."""
    return _bars[-1] if _bars else None


@contextlib.contextmanager
def progress_bar(total: int, description: str, enabled: bool = True) -> Iterator[tqdm]:
    """A tqdm bar on standard error, unless tqdm's own ``TQDM_DISABLE`` is set."""
    options = {} if enabled else {"disable": True}
    with tqdm(
        total=total,
        desc=description,
        mininterval=0.5,
        leave=False,
        dynamic_ncols=True,
        **options,
    ) as bar:
        if bar.disable:
            yield bar
            return
        _bars.append(bar)
        try:
            yield bar
        finally:
            _bars.remove(bar)
