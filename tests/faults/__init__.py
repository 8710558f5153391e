"""Faults of every kind, each in a process of its own; ``python -m tests.faults`` prints a table."""
