"""A real experiment with sorting routines, simulated users, and samples until half is known."""
