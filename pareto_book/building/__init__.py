"""Executing the chapters and building the pages.

`replicate` executes chapters by `execution`, in the `kernels` it starts, or by `summaries` without
one, and shows the progress by `reporting`; `publishing` joins claims and measurements for the
pages. `chapter_inputs` collects what a chapter is made from, with the help of `sources`.
`keepsakes` are what a reader can take along, and `release` checks what a release needs.
"""
