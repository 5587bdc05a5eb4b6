"""Input and output that every other room needs.

`arguments` refuses invalid arguments with a message that states what was expected, `words` lists
the words that a parameter selects from, and `environment` finds files, modules and cores, and draws
bars.
"""
