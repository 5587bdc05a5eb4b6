"""Progress bars for terminals, notebooks and builds."""

import contextlib
import os
import sys
from collections.abc import Iterator

from tqdm import tqdm


@contextlib.contextmanager
def progress_bar(total: int, description: str, enabled: bool = True) -> Iterator[tqdm]:
    """A tqdm bar on standard error, or in the file that ``PARETO_PROGRESS_FILE`` names.

    A notebook that a build executes has no terminal, and its output would become part of the page.
    So the build sets the variable, and shows the content of the file.

    Parameters
    ----------
    total : int or None
        Number of units of work; None if it is unknown.
    description : str
        Text before the bar.
    enabled : bool, default True
        Whether to draw the bar.

    Yields
    ------
    tqdm.tqdm
        The bar; advance it with ``update``.
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
