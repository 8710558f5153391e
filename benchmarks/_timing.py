"""Ratios of two ways to do the same, taken in one run."""

import time
from statistics import median


def seconds(function):
    """Time one call."""
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def ratio(numerator, denominator, repeat):
    """Return the ratio of the medians of two functions' times, called by turns."""
    numerator(), denominator()  # warm: imports, caches, workers
    pairs = [(seconds(numerator), seconds(denominator)) for _ in range(repeat)]
    return median(a for a, _ in pairs) / median(b for _, b in pairs)
