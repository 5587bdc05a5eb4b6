"""Objects of the reader's own modules, by name."""

import pkgutil
import sys

__all__ = ["import_named"]


def import_named(name, argument):
    """Import what ``"module:name"`` names; the current folder is searched too."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return pkgutil.resolve_name(name)
    except (AttributeError, ImportError, ValueError) as error:
        raise ValueError(f"{argument} = {name!r} can't be imported: {error}") from error
