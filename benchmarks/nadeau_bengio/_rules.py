"""The rules by which statements of the report are judged: one for each word, whatever its outcome.

A statement holds, holds in part, or does not hold. The rules are for words, not for single
statements, and the bands are centred on what the word names. `page_text.RULES` has their text on
the page.
"""

from scipy import stats

HOLDS, IN_PART, FAILS = "holds", "in part", "does not hold"

LEVEL = 0.1  # the nominal level of the report's study
SIGNIFICANT = 0.05
# Bradley (1978): a test is robust if its size is within a tenth of its level, by the stringent
# criterion, or within half of it, by the liberal one.
STRINGENT = (0.9 * LEVEL, 1.1 * LEVEL)
MODERATE = (0.5 * LEVEL, 1.5 * LEVEL)
FAR = 2 * LEVEL  # "very far from 10 % (like 20 %)" are the report's words
ALIKE = LEVEL / 2  # rejection rates that agree
NEARLY = ALIKE / 2  # rates that agree "very well", "nearly overlap" or differ "little"
HALF = (0.4, 0.6)
OFTEN, RARELY = 0.5, 0.25


def _successes(flags):
    flags = [bool(flag) for flag in flags]
    return sum(flags), len(flags)


def _significantly(flags, share, alternative):
    """Whether more ("greater") or fewer ("less") flags are set than a share of them, by a test."""
    set_flags, n_flags = _successes(flags)
    if n_flags == 0:
        return False
    return stats.binomtest(set_flags, n_flags, share, alternative).pvalue < SIGNIFICANT


def outcome(flag):
    """Judge what is either so or not.

    Parameters
    ----------
    flag : bool
    """
    return HOLDS if flag else FAILS


def in_all(flags):
    """Judge a statement about all panels: in part if it is so in most of them.

    Parameters
    ----------
    flags : iterable of bool
    """
    flags = list(flags)
    if flags and all(flags):
        return HOLDS
    return IN_PART if _significantly(flags, 0.5, "greater") else FAILS


def in_most(flags):
    """Judge "usually" or "tends to": significantly more than half; in part if more than half.

    Parameters
    ----------
    flags : iterable of bool
    """
    flags = list(flags)
    if _significantly(flags, 0.5, "greater"):
        return HOLDS
    set_flags, n_flags = _successes(flags)
    return IN_PART if 2 * set_flags > n_flags else FAILS


def often(flags):
    """Judge "often": in half of the cases or more; in part if in a quarter or more.

    Parameters
    ----------
    flags : iterable of bool
    """
    set_flags, n_flags = _successes(flags)
    if set_flags >= OFTEN * n_flags:
        return HOLDS
    return IN_PART if set_flags >= RARELY * n_flags else FAILS


def sometimes(flags, chance=0.0):
    """Judge "sometimes": significantly more than by chance, and significantly fewer than half.

    Parameters
    ----------
    flags : iterable of bool
    chance : float, default=0.0
        The share that is to be expected by chance: the level, if each flag is a test's.
    """
    flags = list(flags)
    if not _significantly(flags, chance, "greater"):
        return FAILS
    return HOLDS if _significantly(flags, 0.5, "less") else IN_PART


def together(outcomes):
    """Judge a statement of several parts: it holds if all do, and not if none holds even in part.

    Parameters
    ----------
    outcomes : iterable of str
    """
    distinct = set(outcomes)
    return distinct.pop() if len(distinct) == 1 else IN_PART


def is_within(value, band):
    """Whether a number, or each of a series, lies in a band.

    Parameters
    ----------
    value : float or Series
    band : tuple of float
    """
    low, high = band
    return (low <= value) & (value <= high)
