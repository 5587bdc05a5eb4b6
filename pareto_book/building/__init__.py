"""Executing the chapters and building the pages.

`replicate` executes chapters by way of `execution`, in the `kernels` it starts, and tells of it
by `reporting`; `chapter_inputs` collects what a chapter is made from, with the help of
`sources`. `keepsakes` are what a run of the papers' own counts leaves,
and `release` checks what a release needs.
"""
