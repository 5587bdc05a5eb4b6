"""How often algorithms err, and what a proof costs: instances, error rates, prices, figures."""
