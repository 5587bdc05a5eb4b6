"""How often algorithms err: instances made to deceive, error rates over delta, tables, figures."""
