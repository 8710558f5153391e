"""compare_candidates: a verdict on the candidates of a finished search."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import joblib
import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import FitFailedWarning

from .._utils._checks import explain_arguments, is_real, listed
from .._utils._shared_arguments import check_level, check_optional_alternative
from .._utils._text import as_sentence, counted
from .._utils._warn import warn_user
from ..comparison import (
    CandidatesEvidence,
    ComparisonResult,
    check_comparison,
    check_top,
    compare,
    matching_label,
)
from ..exceptions import FitError
from ..notes import Evidence
from ..scores import CVScores, SplitDesign, find_notes, union
from ..stats import Procedure, get_procedure, refuse_time_order
from ._finished import Finished, check_several, read_finished


@explain_arguments(sample_weight="the search has finished. Pass weights to its fit")
def compare_candidates(
    search: Any,
    X: Any = None,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    design: SplitDesign | None = None,
    cv: Any = None,
    scoring: str | None = None,
    method: str | Procedure = "corrected_resampled_t",
    reference: str | None = None,
    top: int | None = None,
    alternative: str | None = None,
    adjustment: str = "auto",
    margin: float | tuple[float, float] | None = None,
    confidence_level: float = 0.95,
) -> ComparisonResult:
    """Compare the candidates of a finished search, also a saved one.

    Nothing is fitted. The scores are those that the search kept. It does not keep the sizes of the
    splits, so the splitter is run over the data once more, for the sizes only.

    Parameters
    ----------
    search : GridSearchCV, RandomizedSearchCV, halving search, RacingSearchCV or RFECV
        Fitted; or its saved ``cv_results_``, as a dict or a data frame (also one that was written
        as CSV and read again). Of a halving search the candidates of the last iteration are
        compared, of a race those at its end, of ``RFECV`` numbers of features. Of several metrics
        that of its ``refit`` comes first.
    X, y : array-like of shape (n_samples, ...), default=None
        The data that it was fitted on; not needed with `design`, or for a race.
    {shared: groups of splits}
    design : SplitDesign, default=None
        The splits, where the splitter cannot be run again.
    cv : splitter or list of (train, test) pairs, default=None
        Of saved results: what split the data, with a seed. A search has its own.
    scoring : str, default=None
        Of saved results: the name of what the scores measure, or of one of several metrics; None is
        ``"score"``, or all.
    method : str or Procedure, default="corrected_resampled_t"
        One of `get_procedure_names()` that needs the scores of splits only, so none of ``"row_t"``,
        ``"holdout_t"`` and ``"conservative_z"``; or a procedure with its options.
    reference : str, default=None
        A label, such as ``"#12 C=1, gamma=0.1"``, its number ``"#12"`` or its parameters alone,
        compares the others with that candidate. None compares no pairs until ``result.pairs()``:
        the result has the candidates' scores and ``result.best_set()``, those that could be best.
    top : int, default=None
        Compare only this number of candidates, those with the highest mean scores (in the first
        metric), and the reference. ``result.best_set()`` and ``result.ranking()`` still are of all.
    {shared: alternative or None, adjustment, margin, verdict level}

    Returns
    -------
    ComparisonResult
        The candidates are labelled by their number in ``cv_results_`` and the parameters that
        differ between them, without the common beginning of their names.
        ``result.params(label)`` returns all parameters of one. The times of the single fits are not
        kept, so ``scores.fit_times`` is None.

    Raises
    ------
    SplitDesignError
        If the sizes of the splits cannot be known, a halving search was fitted on another number of
        rows, the `cv` of saved results draws other splits each time, or the splits are in time
        order.
    FitError
        If fewer than two candidates have all their scores, or the reference lacks some.
    ValueError
        If there is one candidate only, the reference is ``"best"`` or no candidate, or an option is
        not for what was given.

    {Warns: weak splits}
    AnticonservativeWarning
        If the reference is the best on these same scores, or if `top` leaves candidates out of the
        comparisons with it.
    FitFailedWarning
        If candidates are left out because a fit of theirs failed.

    {See Also: SignificanceRefit}
    compare_estimators : Tunes inside each split, and so measures what tuning gains.

    Notes
    -----
    The best of many candidates is in part the luckiest, so its lead over the others is too large
    and p-values against it are too small, adjusted or not. ``result.best_set()`` is valid even
    though you looked at the scores: at its level it contains the truly best of all candidates that
    have all their scores, whether or not `top` compares them; of a halving search of those of the
    last iteration. The best candidate's own score is too high for the same reason, which the result
    notes. Score that candidate on new rows, or nest the search in `cross_val_inference`.

    A search does not keep its data. The sizes of the splits are those of the data that you pass;
    that the splitter makes as many splits of them as the search has scores is checked.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> from skcvstats import RepeatedSubsampleSplit, compare_candidates
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = RepeatedSubsampleSplit(15, random_state=0)
    >>> search = GridSearchCV(SVC(), {"C": [0.01, 1, 100]}, cv=cv).fit(X, y)
    >>> result = compare_candidates(search, X, y)
    >>> result.scores.labels
    ('#0 C=0.01', '#1 C=1', '#2 C=100')
    >>> result.best_set()
    ('#2 C=100', '#1 C=1')
    >>> [result.params(name) for name in result.best_set()]
    [{'C': 100}, {'C': 1}]
    """
    check_optional_alternative(alternative)
    check_level(confidence_level)
    check_top(top)
    test = get_procedure(method, alternative=alternative)
    finished = read_finished(search, {"X": X, "y": y, "groups": groups}, design, cv, scoring)
    labels = finished.first.labels
    refuse_time_order(test, finished.first)
    require_no_more(test, finished.first.design, who="compare_candidates")
    reference = _label_of(reference, labels)
    complete, repeated = _once(finished, _complete(finished, reference), reference)
    candidates = _top(finished, complete, top, reference)
    compared = tuple(labels[k] for k in candidates)
    how = check_comparison(test, compared, reference, adjustment, margin, confidence_level)
    tables = {"X": X, "y": y}
    of_data = find_notes(Evidence(groups=groups, tables=tables, has_later_training_rows=True))
    chosen_from = dict[str, CVScores]()
    on_repeated = find_notes(CandidatesEvidence(repeated=repeated))
    about = union(finished.notes, on_repeated, of_data)
    if len(candidates) < len(complete):
        chosen_from = {
            name: scores._take(np.array(complete)) for name, scores in finished.scores.items()
        }
        if reference is not None:
            on_choice = CandidatesEvidence(
                n_candidates=len(complete),
                n_best=top,
                has_another_reference=top != len(candidates),
            )
            about = union(about, find_notes(on_choice))
    compared_scores = finished.compared(candidates)
    notes = {}
    for metric, scores in finished.scores.items():
        on_winner = find_notes(CandidatesEvidence(scores=scores._take(np.array(complete))))
        notes[metric] = union(on_winner, about)
    result = compare(compared_scores, **how, of_search=True, notes=notes, chosen_from=chosen_from)
    return replace(result, candidates={labels[k]: finished.params[k] for k in complete})


def _label_of(reference: Any, labels: Sequence[str]) -> Any:
    """Return the label of the candidate that is the reference, if there is one."""
    label = matching_label(reference, labels)
    if not isinstance(label, str | None) or label not in (None, *labels):
        raise ValueError(
            f"reference={reference!r} is not among the candidates {listed(labels)}. Name one, or "
            "leave reference= out: result.best_set() names the candidates that could be the best, "
            "and result.pairs() compares all pairs."
        )
    return label


def _complete(finished: Finished, reference: str | None) -> list[int]:
    """Return the candidates that have all scores, and warn about the others."""
    values = np.hstack([scores.values for scores in finished.scores.values()])
    whole = np.isfinite(values).all(axis=1)
    labels = finished.first.labels
    failed = [labels[k] for k in np.flatnonzero(~whole)]
    if whole.sum() < 2:
        causes = " ".join([*map(as_sentence, finished.causes), "Fix the cause"])
        raise FitError(
            f"{len(failed)} of {counted(len(labels), 'candidate')} have scores that are missing, "
            f"so there is nothing to compare. {causes} and search again.",
            finished.scores,
        )
    if reference in failed:
        raise FitError(
            f"reference={reference!r} had fits or scores that failed, so nothing can be "
            "compared with it. Choose another, or fix the cause and search again.",
            finished.scores,
        )
    if failed:
        warn_user(
            f"{listed(failed)} had fits or scores that failed, and are left out of the comparison.",
            FitFailedWarning,
        )
    return np.flatnonzero(whole).tolist()


def _once(
    finished: Finished, complete: list[int], reference: str | None
) -> tuple[list[int], list[str]]:
    """Return the candidates without those that are another again, and the names of these."""
    labels = finished.first.labels
    firsts = dict[Any, int]()
    for k in sorted(complete, key=lambda k: labels[k] != reference):  # which is kept
        content: Any = k
        # 1 and 1.0 are one value, True is another.
        params = {
            name: float(value) if is_real(value) else value
            for name, value in finished.params[k].items()
        }
        with suppress(Exception):  # of a function of a notebook
            content = joblib.hash(params)
        firsts.setdefault(content, k)
    check_several([finished.params[k] for k in firsts.values()], "Each counted once, the search")
    repeated = [labels[k] for k in complete if k not in firsts.values()]
    return sorted(firsts.values()), repeated


def _top(
    finished: Finished, complete: list[int], top: int | None, reference: str | None
) -> list[int]:
    """Return the `top` candidates, or all, by the first metric, and the reference."""
    first = finished.first
    means = first.values[complete].mean(axis=1)
    best = set(np.array(complete)[np.argsort(-means, kind="stable")[:top]].tolist())
    if reference is not None:
        best.add(first.labels.index(reference))
    return sorted(best)


def require_no_more(test: Procedure, design: SplitDesign, *, who: str) -> None:
    """Raise ValueError for a procedure that needs more than the scores of a search."""
    if test.needs_rows or test.fixed or test.auxiliary_request(design) is not None:
        raise ValueError(
            f"{who} has the scores of a search only, and {test!r} needs more: scores of rows, "
            "models that were fitted once, or auxiliary splits. Use "
            'method="corrected_resampled_t", or fit the models that matter again with '
            "compare_estimators."
        )
