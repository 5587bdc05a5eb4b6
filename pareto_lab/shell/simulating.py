"""The commands ``instances``, ``algorithms``, ``compile`` and ``run``."""

import sys
import textwrap
import time

from pareto_core.algorithms.pareto.certified import Certified
from pareto_core.algorithms.registry import (
    REQUIRED,
    algorithm_named,
    algorithms_by_name,
    defaults_of,
)
from pareto_core.checks.arguments import check_count, counted
from pareto_core.instances.registry import instance_names, instance_parameters, load_instance
from pareto_core.questions import (
    BEST_ARMS,
    CONSTRAINED_PARETO_SET,
    PARETO_SET,
    PARTITION,
    Question,
)
from pareto_core.simulation.runs import MOST_RUNS, simulate
from pareto_core.warm_up import compile_algorithm
from pareto_lab.experiment.csv_instances import named_instance
from pareto_lab.shell.program import print_json

WIDTH = 96  # characters of a printed line
MOST_DETAILS = 72  # characters of the parameters and the origin of an instance


def list_instances(json: bool = False) -> None:
    """Print a line for each instance that `load_instance` knows by name."""
    rows = {name: _described(name) for name in instance_names()}
    if json:
        print_json({"instances": [{"name": name, **row} for name, row in rows.items()]})
        return
    width = max(map(len, rows))
    print(f"{'name':{width}} {'K':>4} {'d':>2}  features  region  parameters; origin")
    for name, row in rows.items():
        cells = [row[key] for key in ("arms", "objectives", "features", "region")]
        n_arms, n_objectives, features, region = (_cell(each) for each in cells)
        features = "no" if features == "0" else features
        text = "; ".join(filter(None, [_listed(instance_parameters(name)), row["origin"]]))
        head = f"{name:{width}} {n_arms:>4} {n_objectives:>2}  {features:8}  {region:6}  "
        print(head + textwrap.shorten(text, MOST_DETAILS, placeholder=" ..."))


def _cell(value):
    """A size in words: a dash if it is unknown."""
    words = {True: "yes", False: "no"} if isinstance(value, bool) else {None: "-"}
    return words.get(value, str(value))


def _described(name):
    """What is known of an instance with the default parameters."""
    parameters = instance_parameters(name)
    found = {"parameters": _literals(parameters)}
    sizes = dict.fromkeys(("arms", "objectives", "features", "region", "origin"))
    if REQUIRED not in parameters.values():
        instance = load_instance(name)
        sizes = {
            "arms": instance.n_arms,
            "objectives": instance.n_objectives,
            "features": 0 if instance.features is None else instance.features.shape[1],
            "region": instance.polyhedron is not None,
            "origin": instance.provenance,
        }
    return found | sizes


def _literals(parameters):
    """Defaults as they are written in Python; None for a parameter without a default."""
    return {
        name: None if default is REQUIRED else repr(default) for name, default in parameters.items()
    }


def _listed(parameters):
    """Parameters with their defaults, as in a signature."""
    return ", ".join(
        name if default is REQUIRED else f"{name}={default!r}"
        for name, default in parameters.items()
    )


def list_algorithms(json: bool = False) -> None:
    """Print the purpose, the question and the parameters of each algorithm."""
    found = [
        {
            "name": name,
            "purpose": kind.__doc__.splitlines()[0],
            "question": _question(kind).name,
            "parameters": _literals(defaults_of(kind)),
        }
        for name, kind in algorithms_by_name().items()
    ]
    if json:
        print_json({"algorithms": found})
        return
    for each, kind in zip(found, algorithms_by_name().values(), strict=True):
        print(f"{each['name']}: {each['purpose']}")
        print(f"    question: {each['question']}")
        parameters = f"parameters: {_listed(defaults_of(kind))}"
        print(textwrap.indent(textwrap.fill(parameters, WIDTH - 4), "    "))


def _question(kind):
    """The question of a class of algorithms."""
    return kind.question if isinstance(kind.question, Question) else kind().question


def compile_ahead(algorithm, settings):
    """Compile an algorithm, so that its next call does not."""
    chosen = algorithm_named(algorithm, settings)
    print("compiling ...", file=sys.stderr)
    compile_algorithm(chosen)


def run(
    algorithm, instance, runs, seed, delta, settings, jobs, store, store_key, max_samples, json
):
    """Simulate, and print a summary."""
    if delta is not None:
        settings = [*settings, f"delta={delta}"]
    check_count(runs, "runs", at_most=MOST_RUNS)
    check_count(seed, "seed", at_least=0)
    check_count(max_samples, "max_samples")
    chosen, loaded = algorithm_named(algorithm, settings), named_instance(instance)
    print("compiling ...", file=sys.stderr)
    simulate(chosen, loaded, 1, n_jobs=jobs, max_samples=1, progress=False)
    start = time.perf_counter()
    result = simulate(chosen, loaded, runs, seed, jobs, max_samples, store, store_key=store_key)
    elapsed = time.perf_counter() - start
    if json:
        names = {"algorithm": repr(chosen), "instance": loaded.name}
        rest = {"seed": seed, "summary": result.summary(), "seconds": elapsed}
        print_json({**names, "question": chosen.question.name, **rest})
        return
    for name, text in _report(result, elapsed, jobs, store).items():
        print(textwrap.fill(text, WIDTH, initial_indent=f"{name:12}", subsequent_indent=" " * 12))


def _report(runs, elapsed, jobs, store):
    """Lines of the summary by their names."""
    row, instance = runs.summary(), runs.instance
    report = {
        "algorithm": repr(runs.algorithm),
        "instance": f"{instance.name}, {instance.n_arms} arms, "
        f"{counted(instance.n_objectives, 'objective')}",
        "question": f"{runs.algorithm.question.name}; {_true_answer(runs)}",
        "runs": f"{row['runs']:.0f}, seed {runs.seed}",
        "samples": f"mean {row['mean']:.1f} (95 % interval {row['mean_low']:.1f} to "
        f"{row['mean_high']:.1f})"
        if row["runs"] > 1
        else f"{row['mean']:.0f}",
        "quantiles": ", ".join(
            f"{name} {row[key]:.0f}"
            for name, key in (
                ("least", "min"),
                ("25 %", "q25"),
                ("median", "median"),
                ("75 %", "q75"),
                ("most", "max"),
            )
        ),
        "errors": f"{row['errors']:.0f} of {row['runs']:.0f}, {row['error_rate']:.2%} "
        f"(95 % interval {row['error_low']:.2%} to {row['error_high']:.2%}); "
        f"{_right_answers(runs)}; "
        f"{counted(round(row['unfinished']), 'run')} did not stop by themselves",
        "time": f"{elapsed:.2f} s",
    }
    if store is None:
        each = elapsed / runs.samples.sum()
        report["time"] += f", {1e6 * each:.3g} µs per sample of all runs; {jobs} threads"
    if instance.provenance.startswith("stand-in"):
        report["stand-in"] = instance.provenance
    return report


def _right_answers(runs):
    """Which answers count as right."""
    exact = isinstance(runs.algorithm, Certified) and runs.algorithm.epsilon is not None
    return "answers up to epsilon are right" if exact else "only the exact answer is right"


def _true_answer(runs):
    """Description of the size of the right answer."""
    question, instance = runs.algorithm.question, runs.instance
    if question is BEST_ARMS:
        return f"the true answer has {counted(instance.n_objectives, 'arm')}, one per objective"
    if question is PARETO_SET:
        return f"the true answer has {counted(instance.pareto_set.size, 'arm')}"
    if question in (CONSTRAINED_PARETO_SET, PARTITION):
        return f"the true answer has {counted(instance.constrained_pareto_set.size, 'optimal arm')}"
    return "a question of the algorithm's own"
