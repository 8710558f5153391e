"""Argument checks, warnings, number formats; nothing here knows of scores or splits."""
