"""What an experiment shows while it runs in a notebook."""

import sys
import time

SHARE = 0.1  # of the time that may be spent on drawing
LEAST = 1.0  # seconds between two pictures


def in_notebook():
    """Whether this process is the kernel of a notebook."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return hasattr(shell, "kernel")


def picture_of(session, rule):
    """A `Picture`; None outside of a notebook, or if the session has no statements to draw."""
    if not in_notebook():
        return None
    picture = Picture(session, rule)
    try:
        picture.status()
    except ValueError:  # the algorithm has its own model of the noise, or a question of its own
        return None
    return picture


class Picture:
    """The plot of a session in the output of a cell, which is drawn again in its place."""

    def __init__(self, session, rule):
        self._session, self._rule = session, rule
        self._handle, self._next = None, 0.0

    def status(self):
        """The statements that are drawn."""
        return self._session.status(rule=self._rule)

    def draw(self, is_last=False):
        """Draw, unless the previous picture is too recent."""
        begin = time.monotonic()
        if begin < self._next and not is_last:
            return
        import IPython.display
        import matplotlib.pyplot as plt

        figure = self._session.plot(rule=self._rule)[0].figure
        if self._handle is None:
            self._handle = IPython.display.display(figure, display_id=True)
        else:
            self._handle.update(figure)
        plt.close(figure)
        end = time.monotonic()
        self._next = end + max((end - begin) / SHARE, LEAST)
