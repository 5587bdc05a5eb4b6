"""Executing the chapters and building the pages.

`replicate` brings the chapters up to date: `execution` executes one of them, in the kernel that
`kernels` configures.
"""
