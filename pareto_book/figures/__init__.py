"""Figures and tables of the chapters.

`plots` defines the style of the book and its kinds of figures, and `tables` formats tables.
`threshold_sliders` and `movable_arms` make figures that a reader can change on the page. `timing`
measures run times, and `provenance` displays the source of an instance.
"""
