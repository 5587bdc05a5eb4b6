"""Figures and tables of the chapters.

`plots` defines the style of the book and its kinds of figures, `svg` makes SVG of them, and
`label_columns` writes labels beside a figure. `tables` formats tables, and `results` makes those of
simulated runs. `movable_arms` and `choice_table` make figures that a reader can change on the page,
and `race` one that a reader can play. `provenance` displays the source of an instance.
"""
