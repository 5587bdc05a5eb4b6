"""Executing the chapters and building the pages.

`replicate` brings the chapters up to date: `execution` executes one chapter in the kernel that
`kernels` configures, `summaries` executes pages without a kernel, and `reporting` shows the
progress. `publishing` joins claims and measurements for the pages. `chapter_inputs` collects the
inputs of a chapter, and `sources` finds the modules that it imports. `keepsakes` provides the files
that a reader can download, and `release` checks that a release is complete.
"""
