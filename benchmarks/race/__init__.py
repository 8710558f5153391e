"""What a race saves against other searches, and what it costs in score."""
