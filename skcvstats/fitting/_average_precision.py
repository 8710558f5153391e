"""The average precision of a class, of all rows and without each unit.

Notes
-----
Of the places k of equal scores, from the highest on, with p_k positives, and N_k rows and P_k
positives so far, the average precision is the sum of p_k P_k/N_k over P, all positives.

Without a unit that has q_k positives at place k, and b_k rows and a_k positives so far, it is the
sum of (p_k - q_k)(P_k - a_k)/(N_k - b_k) over P - a, with 0/0 = 0. From one place of the unit to
its next, q_k is 0, and b_k = b and a_k = a do not change: the sum over these places is that of
p_k P_k/(N_k - b) less a times that of p_k/(N_k - b), two differences of cumulative sums, which are
computed once for each b. There are as many b as the largest unit has rows, so units of over sqrt(n)
of the n rows, at most sqrt(n) of them, are left out one by one instead: O(n sqrt(n)) in all, and
O(n log n) for rows and small groups.
"""

import numpy as np


def average_precisions(
    is_positive: np.ndarray, scores: np.ndarray, unit_of_row: np.ndarray, n_units: int
) -> np.ndarray:
    """Return the average precision of all rows, then without each unit.

    Each unit has a row. The value is nan without a unit that has all positives.
    """
    _, place_of_row = np.unique(-scores, return_inverse=True)
    positives = np.bincount(place_of_row, is_positive)
    n_rows = np.cumsum(np.bincount(place_of_row))
    n_positives = np.cumsum(positives)
    n_places = len(n_rows)

    # One entry for each unit and place, the units one after the other.
    keys, entry_of_row = np.unique(unit_of_row * n_places + place_of_row, return_inverse=True)
    unit, place = np.divmod(keys, n_places)
    own = np.stack([np.bincount(entry_of_row), np.bincount(entry_of_row, is_positive)])
    first = np.searchsorted(unit, np.arange(n_units))
    so_far = np.cumsum(own, axis=1)
    less_rows, less_positives = so_far - (so_far - own)[:, first[unit]]
    next_place = np.append(place[1:], n_places)
    next_place[np.append(first[1:], len(unit)) - 1] = n_places

    def sums_from_top(b: int) -> np.ndarray:
        share = np.divide(positives, n_rows - b, out=np.zeros(n_places), where=n_rows > b)
        sums = np.zeros((2, n_places + 1))
        np.cumsum([share * n_positives, share], axis=1, out=sums[:, 1:])
        return sums

    rows_left = np.maximum(n_rows[place] - less_rows, 1)
    parts = (positives[place] - own[1]) * (n_positives[place] - less_positives) / rows_left
    n_of_unit = np.bincount(unit, own[0], n_units)
    is_large = n_of_unit > np.sqrt(len(scores))
    for b in np.unique(less_rows[~is_large[unit]]):
        entries = np.flatnonzero(less_rows == b)
        sums = sums_from_top(b)
        between = sums[:, next_place[entries]] - sums[:, place[entries] + 1]
        parts[entries] += between[0] - less_positives[entries] * between[1]
    of_all = sums_from_top(0)[0]
    without = of_all[place[first]] + np.bincount(unit, parts, n_units)
    for large in np.flatnonzero(is_large):
        rows = unit_of_row == large
        gone = np.bincount(place_of_row[rows], minlength=n_places)
        gone_positives = np.bincount(place_of_row[rows], is_positive[rows], n_places)
        shares = (n_positives - np.cumsum(gone_positives)) / np.maximum(n_rows - gone.cumsum(), 1)
        without[large] = (positives - gone_positives) @ shares
    n_left = n_positives[-1] - np.bincount(unit, own[1], n_units)
    return np.concatenate([of_all[-1:] / n_positives[-1], without / n_left])
