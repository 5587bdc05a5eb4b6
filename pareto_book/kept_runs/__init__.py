"""The arena: all algorithms on all instances, with runs that are kept in ``data/arena``.

`field` lists the entrants and the instances, `season` makes their runs, `kept_runs` is how they
are written, and `repetition` makes a share of them again as a check. `league` and `rankings` are
their results, `which_algorithm` is what they recommend, and `commands` does it from a shell.
"""
