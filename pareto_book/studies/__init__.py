"""What only chapters compute: bounds, profiles and thresholds that no algorithm needs."""
