"""How often joint inference on several estimators makes a false claim, by simulation."""
