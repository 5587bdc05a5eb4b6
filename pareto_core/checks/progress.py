"""Progress bars that a terminal, a notebook reader and a build all get to see."""

import contextlib
import os
import sys
from collections.abc import Iterator

from tqdm import tqdm


@contextlib.contextmanager
def progress_bar(total: int, description: str, enabled: bool = True) -> Iterator[tqdm]:
    """A tqdm bar on standard error, or in the file that ``PARETO_PROGRESS_FILE`` names.

    A kernel that a build runs has no terminal of its own: what it prints would
    land in the executed notebook. The build sets the variable and shows what
    arrives in the file.

    Parameters
    ----------
    total : int
        Number of units of work.
    description : str
        What is being counted, shown before the bar.
    enabled : bool, default True
        Draw nothing when False.

    Yields
    ------
    tqdm.tqdm
        To be advanced with ``update``.
    """
    path = os.environ.get("PARETO_PROGRESS_FILE")
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(open(path, "a", encoding="utf-8")) if path else sys.stderr
        bar = tqdm(
            total=total,
            desc=description,
            file=stream,
            disable=not enabled,
            mininterval=0.5,
            leave=False,
            dynamic_ncols=not path,
        )
        yield stack.enter_context(bar)
