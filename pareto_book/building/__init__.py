"""Executing the chapters and building the pages.

`replicate` executes the chapters whose inputs have changed: `execution` executes one chapter,
`kernels` configures its kernel, and `reporting` shows the progress. `chapter_inputs` collects the
inputs of a chapter, and `sources` finds the modules that it imports. `keepsakes` provides the
files that a reader can download, and `release` checks that a release is complete.
"""
