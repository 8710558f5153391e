"""Closed forms: predict for all splits of an estimator at once, exactly as refits would.

Notes
-----
``simulate(..., records=records)`` takes them in place of refits. Like ordinary fits, a closed form
produces FitRecords. It does so for the splits for which its predictions are those of refits up to
rounding. Splits and estimators for which this is not certain are refitted as usual.
"""

from ._records import records

__all__ = ["records"]
