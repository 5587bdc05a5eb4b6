"""Computations that only chapters use: bounds, profiles and thresholds."""
