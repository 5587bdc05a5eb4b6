"""Figures and tables of the chapters.

`plots` defines the style of the book and its kinds of figures, `tables` formats tables, and
`results` makes those of simulated runs.
`threshold_sliders` and `movable_arms` make figures that a reader can change on the page. `timing`
measures run times, and `provenance` displays the source of an instance.
"""
