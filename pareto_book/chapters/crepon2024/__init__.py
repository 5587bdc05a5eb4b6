"""What the chapter on Track-and-Stop calls: its figures and timed programs.

`alternatives`, `six_arms`, `stopping`, `proportions`, `leads`, `work`, `growth` and `speed` each
measure, draw and tabulate one of its experiments. `cells` counts cells, `fig_cells` draws them, and
`fig_profile` draws the height of a freed arm.
"""
