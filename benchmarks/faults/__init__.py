"""Faults of every kind, each in its own process; ``python -m benchmarks.faults`` prints a table."""
