"""What a proof costs in samples: instances that grow, prices, looks at the same runs, figures."""
