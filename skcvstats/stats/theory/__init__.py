"""What the report derives: moments, variance components, the political ratio, sensitivity."""
