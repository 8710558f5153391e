"""A comparison that is killed at random moments and goes on from its store."""
