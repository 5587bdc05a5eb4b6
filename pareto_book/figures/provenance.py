"""A line of a page that states the source of an instance."""

from IPython.display import Markdown, display

from pareto_core.instances.instance import Instance


def show_provenance(instance: Instance, label: str | None = None) -> None:
    """Display the provenance of an instance after a label in italics."""
    display(Markdown(f"*{instance.name if label is None else label}:* {instance.provenance}."))
