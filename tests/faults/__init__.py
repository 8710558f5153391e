"""Faults of every kind: each comparison runs in a process of its own."""
