"""What the chapter on Track-and-Stop calls: its figures, timed programs and checks of lemmas.

`alternatives`, `six_arms`, `stopping`, `proportions`, `leads`, `work`, `growth` and `speed` each
measure, draw and tabulate one of its experiments. `assignments`, `cells`, `profile_checks` and
`lemmas` recompute by slow and plain routes what the lemmas of the paper claim; `fig_cells` draws
cells.
"""
