"""The note on margins where two models differ on few rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from .._utils._text import called, counted, cut, verb
from ..comparison import ComparisonEvidence, rows_apart
from ..scores import Note
from ..stats import within
from ._registry import note

_FEW = 25
_MOST_FOR_OTHER = 2
_WITHIN = ("equivalent", "not worse", "not better", "above by less", "below by less")


@note(
    "few discordant rows",
    title="Few discordant rows",
    looks_for="Fewer than 25 rows on which only one of two models is right, in McNemar's score "
    "test; and in verdicts that a difference is within a margin, if at most two of these rows are "
    "for the other model.",
    why="The normal approximation is rough there. On k rows where the same model is right, the "
    "standard error is about sqrt(k)/n, so a difference of k/n is shown to be within "
    "(k + 1.65 sqrt(k))/n. Where the difference is that margin, such a k or a smaller one comes "
    "in 19 % of data sets for k = 1, and in 9 % for k = 20 (Poisson), in place of 5 %; where four "
    "rows more are for the other model, in 8 % or less.",
    remedy='On a test set use method="mcnemar", and without a margin '
    'mcnemar_exact_test(..., method="exact").',
    looks_in=ComparisonEvidence,
)
def few_discordant_rows(evidence: ComparisonEvidence) -> Iterator[Note]:
    margin = evidence.margin
    tests = evidence.tests
    if tests.procedure.name == "mcnemar":  # whose interval is one for few rows
        return
    inference: Any = tests.inference
    # The standard error is at most sqrt(25)/n on such rows, and twice that by the fits.
    may_be_few = inference.standard_error * tests.scores.design.n_samples < 2 * np.sqrt(_FEW)
    places = np.flatnonzero(np.isin(tests.kinds, _WITHIN) & may_be_few)
    for k in places.tolist():
        apart = rows_apart(inference.take(k).scores)
        if apart is None:
            return
        sums, is_apart = apart
        n_apart = int(np.count_nonzero(is_apart))
        n_for_other = min(np.count_nonzero(sums > 0), np.count_nonzero(sums < 0))
        if n_apart < _FEW and n_for_other <= _MOST_FOR_OTHER:
            first, second = map(cut, map(called, tests.names_at(k)))
            text = (
                f"only {counted(n_apart, 'row')} {verb(n_apart, 'tells', 'tell')} {first} and "
                f"{second} apart, too few for a margin ({within(margin)}): "
                'verdicts such as "not worse" come in up to 19 % of data sets where they '
                'are false, in place of 5 %; on a test set use method="mcnemar"'
            )
            yield Note("few discordant rows", text, None)
            return
