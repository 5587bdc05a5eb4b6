"""Objects of the reader's own modules, by name."""

import pkgutil
import sys

__all__ = ["import_named"]


def import_named(name, argument):
    """Import what ``"module:name"`` names; the current folder is searched too.

    The folder stays on `sys.path`, since worker processes have to find the same module.

    Parameters
    ----------
    name : str
        Such as ``"mymodule:TopTwo"``.
    argument : str
        Name of the argument, for the message.

    Raises
    ------
    ValueError
        If the module cannot be imported or has no such attribute.
    """
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return pkgutil.resolve_name(name)
    except (AttributeError, ImportError, ValueError) as error:
        raise ValueError(f"{argument} = {name!r} can't be imported: {error}") from error
