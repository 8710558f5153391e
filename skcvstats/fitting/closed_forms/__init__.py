"""Closed forms: all splits of an estimator at once, where refitting has an exact equivalent.

Notes
-----
A closed form is another producer of FitRecords than the ordinary fits. It answers for the splits
for which its answers are those of refitting within rounding, and leaves the others, and whatever
it does not know for certain to be equivalent, to the ordinary path.
"""

from ._records import fast_records

__all__ = ["fast_records"]
