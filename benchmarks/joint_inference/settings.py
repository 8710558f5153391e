"""What is measured: families of comparisons, by the question that they answer."""

from .laws import COVARIANCES, Conservative, FiveByTwo, Resampled
from .rates import Family

NUMBERS = (3, 5, 10, 20)
SPLITS = (5, 15, 30)


def families():
    """Return the families of each question, as pairs."""
    return [*_resampled(), *_best(), *_conservative(), *_five_by_two()]


def _resampled():
    for n_estimators in NUMBERS:
        for n_splits in SPLITS:
            for covariance in COVARIANCES:
                law = Resampled(n_estimators, covariance, n_splits)
                yield "all pairs", Family(law)
                yield "one-sided", Family(law, control=0)
                if n_splits == 15:
                    yield "one-sided", Family(law, control=n_estimators - 1)


def _best():
    """Yield the truly best as the control, where others are equal or worse."""
    for covariance in COVARIANCES:
        for gaps in ((0, 1, 2, 3, 4), (0, 0, 1, 2, 3)):
            yield "gaps", Family(Resampled(5, covariance, 15), control=0, gaps=gaps)


def _conservative():
    for n_estimators in NUMBERS:
        for covariance in COVARIANCES:
            for ratio in (1.0, 0.6):
                yield "conservative Z", Family(Conservative(n_estimators, covariance, ratio))


def _five_by_two():
    for n_estimators in NUMBERS:
        for covariance in COVARIANCES:
            for correlation in (0.0, 0.3):
                yield "5x2cv", Family(FiveByTwo(n_estimators, covariance, correlation))
