"""What the chapters and the build are made with: pictures, tables, verdicts, execution.

Chapters call `plots`, `tables`, `claims`, `scorecard` and `summary`; `criteria` has the rules of
the verdicts. The build calls `replicate`, whose `stamps` say what each executed chapter was made
from. Nothing in the library imports this room. Most of it needs what
``pip install 'pareto-core[book]'`` installs, and says so where it is missing.
"""
