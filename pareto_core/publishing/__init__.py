"""What the chapters and the build are made with: pictures, tables, verdicts, execution.

Chapters call `measurements`, `plots`, `tables`, `claims`, `scorecard` and `summary`; `criteria`
has the rules of the verdicts. The build calls `replicate`, whose `stamps` say what each executed
chapter was made from. Nothing in the library imports this room, and of the library it needs the
intervals of `simulation.statistics` alone. Most of it needs what
``pip install 'pareto-core[book]'`` installs, and says so where it is missing.
"""
