"""The arena with a fixed budget: answers of many runs at a ladder of budgets, kept as data.

`competitions` lists the algorithms, and the instances with their ladders. `making` simulates the
runs and writes them to ``data/budgets``, `files` defines the format, and `checking` repeats a
random choice of the runs. `needed` finds the budget at which an error rate is reached. `commands`
is the command line.
"""
