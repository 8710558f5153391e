"""The sizes of the report's splits, as parts of the n rows of a data set."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Sizes:
    """Rows of the training and of the test sets, and of the pool that they are drawn from.

    Parameters
    ----------
    train, test : Fraction
        Parts of n.

    Notes
    -----
    The pool of (n/2, n/10) is .6 n rows: the report throws the rest away, the same rows for all
    splits of a data set.
    """

    train: Fraction
    test: Fraction

    @property
    def pool(self):
        """The part of n that the splits are drawn from."""
        return self.train + self.test

    def of(self, n_samples):
        """Return the numbers of training rows, of test rows and of rows in the pool.

        Parameters
        ----------
        n_samples : int
        """
        rows = [part * n_samples for part in (self.train, self.test, self.pool)]
        if any(number.denominator != 1 for number in rows):
            raise ValueError(f"n_samples={n_samples}: the report's sizes need a multiple of 10.")
        return tuple(int(number) for number in rows)


def _sizes(train, test):
    return Sizes(Fraction(train), Fraction(test))


EVEN = _sizes("1/2", "1/2")
THROWN_AWAY = _sizes("1/2", "1/10")
USUAL = _sizes("9/10", "1/10")
# Inside each of two half-samples: where the conservative Z takes its variance from, and the r.
HALF_SAMPLE = _sizes("2/5", "1/10")
