"""An example of every algorithm of the package, found by the registry."""

from pareto_core.algorithms.registry import REQUIRED, algorithms_by_name, defaults_of


def example_of(kind, n_arms=2, **settings):
    """Algorithm of this class, with a value for each parameter without a default."""
    values = {"budget": 100, "weights": (1.0,) * n_arms}
    needed = {name for name, default in defaults_of(kind).items() if default is REQUIRED}
    return kind(**{name: values[name] for name in needed - set(settings)}, **settings)


def kinds_for(question):
    """Classes of the algorithms that answer this question with their default parameters."""
    kinds = algorithms_by_name().values()
    return [kind for kind in kinds if example_of(kind).question is question]
