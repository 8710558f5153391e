"""The guide's tables, from the results."""


def write(directory):
    """Write the tables of a directory with results."""
