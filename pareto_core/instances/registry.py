"""Loading instances: by name, or from a function of the reader.

Each module of instances has a table ``MAKERS``: the names, and the functions that make them.
"""

import ast
import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from pareto_core.checks.arguments import check_choice, check_count, shown
from pareto_core.checks.environment import import_named
from pareto_core.instances import constrained_instances, datasets, generators
from pareto_core.instances.instance import Instance, check_instance

__all__ = [
    "as_instance",
    "instance_names",
    "instance_parameters",
    "load_instance",
    "made_by",
    "parts_of_call",
]

MAKERS = {**datasets.MAKERS, **generators.MAKERS, **constrained_instances.MAKERS}
# The name of an instance or module:function; then parameters in parentheses
CALL = re.compile(r"(?P<name>[\w.:]+)(?P<parameters>\(.*\))?", re.DOTALL)
OTHERS = '"module:function" or '


def instance_names() -> tuple[str, ...]:
    """Names that `load_instance` knows, in a fixed order.

    See Also
    --------
    instance_parameters : the parameters of each.

    Examples
    --------
    >>> import pareto_core as pc
    >>> {"cov_boost", "staircase_front", "held_out_1"} <= set(pc.instance_names())
    True
    """
    return tuple(MAKERS)


def instance_parameters(name: str) -> dict[str, Any]:
    """Parameters of a named instance with their defaults, `inspect.Parameter.empty` if required."""
    signature = _signature(MAKERS[check_choice(name, "name", MAKERS)])
    return {each.name: each.default for each in signature.parameters.values()}


def load_instance(name: str, **parameters: Any) -> Instance:
    """Load or make an instance.

    Parameters
    ----------
    name : str
        What to load, one of three kinds:

        * a name of `instance_names`, see *Notes*;
        * a name with parameters as in a call, such as ``"two_stage_hard(0.1)"`` or
          ``"staircase_front(5, seed=1)"``; their values are Python literals;
        * ``"module:function"``, your own function that returns an `Instance`, also with
          parameters: the module is imported and the function called, so name only code that you
          trust.
    **parameters
        Parameters of the instance by name, such as ``epsilon=0.1``. A random instance, made by a
        function with a parameter ``rng``, has the parameter ``seed`` instead, 0 by default.

    Returns
    -------
    Instance
        Its provenance begins with "stand-in" if the paper's own numbers are unknown.

    Raises
    ------
    ValueError
        If the name is unknown, in which case the nearest known name is suggested; if a parameter
        is missing, unknown or out of range; or if the module or function cannot be imported.

    See Also
    --------
    instance_names : all names.
    Instance : an instance from arrays.

    Notes
    -----
    The attribute ``provenance`` of an instance tells what it holds, and the comments of its table
    in ``data/`` every detail. Measured: ``"cov_boost"``, vaccine responses as Crepon et al. (2024)
    print them, rounded and with two entries that disagree with the data, and
    ``"cov_boost_full_precision"``; ``"snw"``, sorting networks, with the readings
    ``"snw_tenfold"`` and ``"snw_tenfold_area_maximised"`` of Chen et al. (2024); ``"sw_llvm"``,
    compiler settings with recorded observations, and ``"sw_llvm_reversed"``, negated as in the
    program of PAL; ``"digits"``, classifiers on random splits. Of ranking and selection:
    ``"moscore(4, 50, problem=7)"``, one of 50 problems with correlated objectives.

    Linear in their features, with a noise variance of 0.25: ``"noc"`` and ``"energy_efficiency"``,
    fits to the data; the suffix ``"_misspecified"`` stands for the data themselves, and
    ``"energy_efficiency_reversed"`` maximises the loads. With a feasible region:
    ``"secukinumab"``, ``"cov_boost_igg"`` and ``"constrained_simplex"``, ``"_hypercube"``,
    ``"_ordered"`` and ``"_orthant"``. Synthetic, from the programs of others: ``"ege_1"`` to
    ``"ege_8"``, ``"five_arms"``, also as ``"five_arms(-0.9)"`` with that correlation, and
    ``"paretoinfer_six"`` to ``"paretoinfer_ties"``. Drawn once for judging algorithms:
    ``"held_out_1"`` to ``"held_out_20"`` and ``"many_arms_20"``. Others are made by `generators`
    and `constrained_instances`.

    Examples
    --------
    >>> import pareto_core as pc
    >>> covid = pc.load_instance("cov_boost")
    >>> covid.means.shape, covid.pareto_set
    ((20, 3), array([ 8, 18]))
    >>> pc.load_instance("two_stage_hard(0.1)").means[1]
    array([0.4, 0.1])
    >>> pc.load_instance("random_gaussian", n_arms=5, n_objectives=2, seed=4).n_arms
    5
    """
    call = CALL.fullmatch(name) if isinstance(name, str) else None
    if call is None:
        check_choice(name, "name", MAKERS, OTHERS)
    head, positional, named = parts_of_call(name, call)
    for twice in named.keys() & parameters.keys():
        raise ValueError(
            f"name = {name!r} with {twice} = {parameters[twice]!r}; expected one of them"
        )
    if ":" in head:
        maker = import_named(head, "name")
    else:
        maker = MAKERS[check_choice(head, "name", MAKERS, OTHERS)]
    return made_by(maker, head, name, positional, named | parameters)


def as_instance(value: Instance | str) -> Instance:
    """Return an instance as it is; load what is named."""
    return load_instance(value) if isinstance(value, str) else check_instance(value)


def parts_of_call(name: str, call: re.Match) -> tuple[str, tuple, dict[str, Any]]:
    """Name, positional and named parameters of a call, such as ``"staircase_front(5, seed=1)"``."""
    head, parameters = call["name"], call["parameters"] or "()"
    try:
        call = ast.parse(f"f{parameters}", mode="eval").body
        if not isinstance(call.func, ast.Name):  # a call of a call
            raise TypeError(parameters)
        positional = tuple(ast.literal_eval(each) for each in call.args)
        named = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
    except (
        AttributeError,
        MemoryError,
        RecursionError,
        SyntaxError,
        TypeError,
        ValueError,
    ) as error:
        raise ValueError(
            f"name = {shown(name)}; expected parameters that are Python literals, "
            f"such as {head}(5, seed=1)"
        ) from error
    return head, positional, named


def _signature(maker):
    """Signature of a function, with a seed in place of a random generator."""
    given = inspect.signature(maker)
    kept = [each for each in given.parameters.values() if each.name != "rng"]
    if len(kept) < len(given.parameters):
        kept.append(inspect.Parameter("seed", inspect.Parameter.KEYWORD_ONLY, default=0))
    return inspect.Signature(sorted(kept, key=lambda each: each.kind))


def made_by(
    maker: Callable, head: str, name: str, positional: tuple, named: dict[str, Any]
) -> Instance:
    """Call the function of an instance with checked parameters."""
    if not callable(maker):
        raise ValueError(f"name = {shown(name)} is {shown(maker)}; expected a function")
    accepted, signature = _signature(maker), inspect.signature(maker)
    try:
        arguments = accepted.bind(*positional, **named).arguments
    except TypeError as error:
        parameters = accepted.replace(
            parameters=[
                each.replace(annotation=each.empty) for each in accepted.parameters.values()
            ]
        )
        raise ValueError(f"name = {shown(name)}: {error}; expected {head}{parameters}") from error
    if "rng" in signature.parameters:
        seed = check_count(arguments.pop("seed", 0), "seed", at_least=0)
        arguments["rng"] = np.random.default_rng(seed)
    call = inspect.BoundArguments(signature, arguments)
    instance = maker(*call.args, **call.kwargs)
    if not isinstance(instance, Instance):
        raise ValueError(f"name = {shown(name)} returned {shown(instance)}; expected an Instance")
    return instance
