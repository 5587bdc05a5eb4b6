"""A real experiment with sorting routines, one that changes, and simulated users who cheat."""
