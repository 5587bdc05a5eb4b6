"""Algorithms that identify the best arm of every objective, one file each.

`best_arm_evidence` contains the stopping rules of two of them.
"""
