"""The arena: all algorithms on all instances, with a line for each case in ``data/book/arena.csv``.

`entrants` configures the algorithms, `competitions` lists the entrants and the instances of each
question, and `fixed_budget` the same with budgets. `cases` defines a line, `making` makes it by
simulation, and makes some runs again; `reading` reads the lines and checks that they are up to
date. `rankings` compares entrants over many instances, `recommendations` is the table of which
algorithm to use, and `choices` the same for every situation. `commands` is the command line.
"""
