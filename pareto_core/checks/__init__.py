"""Input and output that every other room needs.

`arguments` refuses invalid arguments with a message that states what was expected, `words` lists
the words that a parameter selects from, `importing` imports objects of the reader's own modules,
`paths` finds the data, and `progress` draws bars.
"""
