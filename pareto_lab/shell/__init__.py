"""The commands of ``python -m pareto_lab``; `program` has what all of them share.

`listing` lists algorithms, and compiles one. For ``session``, begin with `parser`, which has the
commands and their options. `changing` has those that change a session: each loads its file, does
one thing, and writes the file again, while a lock makes other writers wait; a reward that was told
is in the file when the command returns. `reading` has those that only read, `files` opens the
files, and `output` has what ``--json`` prints.
"""
