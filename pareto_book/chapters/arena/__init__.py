"""The arena: its kept runs with what follows from them, its tables and figures, its timings."""
