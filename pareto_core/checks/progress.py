"""Progress bars for terminals and notebooks."""

import contextlib
from collections.abc import Iterator

from tqdm import tqdm

_bars = []  # that are drawn now


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
