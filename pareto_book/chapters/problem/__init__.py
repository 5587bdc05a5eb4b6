"""Pictures and measurements of the first chapter, on the six arms with which the book begins.

`waiting` finds optimal arms that Racing has to keep, and `figures` draws the chapter's pictures.
"""
