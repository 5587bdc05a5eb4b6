"""Figures and tables of the chapters.

`plots` has the book's style and its kinds of figures, `tables` formats tables, `interactive` and
`movable_arms` make figures that a reader can change, and `timing` measures code.
"""
