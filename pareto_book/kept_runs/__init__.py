"""The arena: all algorithms on all instances, with their runs kept in ``data/arena``.

`entrants` configures the algorithms, and `competitions` lists the entrants and the instances of
each question. `making` simulates their runs and writes them, `reading` reads them and checks that
they are up to date, and `run_files` defines the format of the files. `checking` repeats a random
share of the runs. `results` summarises the runs of each entrant, `rankings` compares entrants over
many instances, `recommendations` is the table of which algorithm to use, and `choices` the same for
every situation. `commands` is the command line. The room `budgets` has the same for a fixed budget.
"""
