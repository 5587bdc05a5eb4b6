"""Input and output that every other room needs.

`arguments` refuses a bad argument and says what was expected, `words` lists the words that a
parameter selects from, `paths` finds the data, and `progress` draws bars.
"""
