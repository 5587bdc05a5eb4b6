"""Pictures and measurements of the first chapter, on the six arms with which the book begins.

`waiting` finds optimal arms that Racing has to keep, `asking` measures error rates with a fixed
budget and statements at any time, and `figures` draws the chapter's pictures.
"""
