"""Describe the fields of a named tuple once: in its docstring, not as numbered aliases too."""

import inspect


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("autodoc-skip-member", skip_aliases)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def skip_aliases(app, what, name, member, skip, options):
    """Skip a member that has no docstring but the one a named tuple gives its fields."""
    if (inspect.getdoc(member) or "").startswith("Alias for field number"):
        return True
    return None
