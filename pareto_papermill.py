"""Lets papermill read chapters as they are: ``papermill notebooks/crepon2024.md out.ipynb``.

The module is a handler of papermill's entry points ``papermill.io``. Papermill imports it at each
start wherever the packages are installed, so it imports nothing before it is called.
"""


def read(path):
    """Content of a notebook as JSON; a text notebook is converted."""
    if not path.endswith(".md"):
        return __getattr__("read")(path)
    import jupytext

    return jupytext.writes(jupytext.read(path), "ipynb")


def __getattr__(name):
    """Everything else is as papermill does it with local files."""
    from papermill.iorw import papermill_io

    return getattr(papermill_io.get_handler("local"), name)
