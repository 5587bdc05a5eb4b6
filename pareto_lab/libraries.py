"""Look for the libraries that the laboratory needs besides those of the core, before all else."""

from importlib.util import find_spec

NEEDED = ("jinja2", "matplotlib", "pandas")

if missing := [name for name in NEEDED if find_spec(name) is None]:
    raise ImportError(
        f"pareto_lab needs {', '.join(missing)}: pip install {' '.join(missing)}", name=missing[0]
    )
