"""What this room needs beyond what the package itself does."""

import contextlib


@contextlib.contextmanager
def book_extra():
    """Let an import within say, if it fails, how to install what is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(
            f"{error.name} is not installed, which making the book needs; "
            "call pip install 'pareto-core[book]'"
        ) from error
