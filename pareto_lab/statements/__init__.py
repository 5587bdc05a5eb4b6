"""What is said of a session: in numbers, words, pictures and reports.

`status` is what is certain by now, `remarks` warns of what does not fit, `reasons` puts answers
into words, and `pictures` draws them. `report` writes all of it, with the `assumptions` it rests
on, as one of the `pages` of HTML or Markdown; `terminal` prints the short form.
"""

from pareto_lab.statements.status import Status

__all__ = ["Status"]
