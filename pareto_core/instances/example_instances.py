"""The instance on which the book introduces each algorithm."""

from pareto_core.instances.instance import Instance

__all__ = ["six_arms"]


def six_arms() -> Instance:
    """Six arms and two objectives with unit variance, small enough to follow by eye.

    The book runs each algorithm on it first. Arms A, B and C are optimal. D is dominated by B alone
    and E by C alone, so B and C can be the only arms that eliminate them; F is far below the front.

    Returns
    -------
    Instance

    Examples
    --------
    >>> import pareto_core as pc
    >>> instance = pc.load_instance("six_arms")
    >>> instance.labels, instance.pareto_set
    (('A', 'B', 'C', 'D', 'E', 'F'), array([0, 1, 2]))
    >>> pc.gaps(instance.means).round(2)
    array([0.5, 0.4, 0.5, 0.4, 0.5, 0.9])
    """
    return Instance(
        [[0.4, 2.6], [1.4, 2.1], [2.5, 0.9], [1.0, 1.5], [2.0, 0.2], [0.5, 0.7]],
        name="six_arms",
        labels=list("ABCDEF"),
        provenance="made up for this book: three optimal arms and three dominated ones",
    )


MAKERS = {"six_arms": six_arms}
"""Functions that make the instances, by name."""
