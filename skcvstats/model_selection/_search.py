"""compare_candidates: a verdict on the candidates of a finished search; nothing is refitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import sklearn

from .._utils._checks import n_rows
from ..comparison import ComparisonResult
from ..exceptions import SplitDesignError
from ..fitting import Metric, describe, unseeded_parameters
from ..scores import CVScores, SplitDesign
from ..stats import Procedure, get_procedure
from ._candidates import candidate_estimator, candidate_labels, matching_label
from ._chosen import Choice, check_several, compare_chosen
from ._replay import replay, require_no_more
from ._search_data import accuracy_columns, require_fitted_data, require_whole_hits
from ._search_metrics import undefined_metrics
from ._search_notes import SURVIVORS


def compare_candidates(
    search: Any,
    X: Any = None,
    y: Any = None,
    *,
    groups: Any = None,
    params: Mapping[str, Any] | None = None,
    design: SplitDesign | None = None,
    method: str | Procedure = "corrected_resampled_t",
    reference: str | None = "best",
    top: int | None = None,
    alternative: str | None = None,
    adjustment: str = "auto",
    margin: Any = None,
    confidence_level: float = 0.95,
) -> ComparisonResult:
    """Compare the candidates of a fitted search by the scores that it kept.

    Nothing is fitted. A search does not keep the sizes of its splits, so its splitter is run over
    the data once more, for the sizes only.

    Parameters
    ----------
    search : GridSearchCV, RandomizedSearchCV or halving search
        Fitted. For a halving search the candidates of the last iteration are compared.
    X, y : array-like of shape (n_samples, ...), default=None
        The data that it was fitted on; not needed with `design`. Other data are refused if the
        search shows it; see the Notes.
    groups : array-like of shape (n_samples,), default=None
        The groups that its splitter was given. Sizes then count groups.
    params : mapping, default=None
        What else its ``fit`` was given; of these only ``groups`` and ``sample_weight`` matter here.
    design : SplitDesign, default=None
        The splits, where the splitter cannot be run again.
    method : str or Procedure, default="corrected_resampled_t"
        One of `get_procedure_names()` that needs no auxiliary splits, or a procedure with its
        options.
    reference : str or None, default="best"
        ``"best"`` compares the others with the candidate of the highest mean score (in each
        metric). A label, such as ``"#12 C=1, gamma=0.1"``, or its number or its parameters alone,
        compares with that one; None compares all
        pairs.
    top : int, default=None
        Compare only this number of candidates, those with the highest mean scores (in the first
        metric), and the reference. ``result.best_set()`` and ``result.ranking()`` still include all
        candidates.
    alternative : {"two-sided", "less", "greater"}, default=None
        Of the difference; see `compare_scores`.
    adjustment : {"auto", "max_t", "bonferroni", "holm", "hochberg", "bh", "by", "none"}, \
            default="auto"
        How to adjust for the number of comparisons, within each metric; see `compare_scores`.
    margin : float or pair of float, default=None
        The largest difference that does not matter, chosen beforehand; see `compare_scores`.
    confidence_level : float, default=0.95
        Of the intervals; verdicts are at the level 1 minus it.

    Returns
    -------
    ComparisonResult
        The candidates are labelled by their number in ``cv_results_`` and the parameters that
        differ between them, without the common beginning of their names, and
        ``scores.provenance["estimators"]`` holds what each label stands for. A search keeps no
        times of the single fits, so ``scores.fit_times`` is None.

    Raises
    ------
    SplitDesignError
        If the sizes of the splits cannot be known, or the search was fitted on other data.
    FitError
        If fewer than two candidates have all their scores, or the reference lacks some.
    ValueError
        If there is one candidate only.

    Warns
    -----
    AnticonservativeWarning
        If the reference is the best on these same scores, by ``"best"`` or by its label, if `top`
        leaves candidates out, and with splits in time order.
    SplitDesignWarning
        Where the splits make the inference weak or doubtful.
    FitFailedWarning
        If candidates are left out because a fit of theirs failed.

    See Also
    --------
    SignificanceRefit : The search itself takes a cheaper candidate that is good enough.
    compare_estimators : Tunes inside each split, and so measures what tuning gains.

    Notes
    -----
    The best of many candidates is in part the luckiest, so its lead over the others is too large
    and p-values against it are too small, adjusted or not. ``result.best_set()`` names the
    candidates that could be the best, and is valid even though you looked at the scores: at its
    level it contains the truly best of all candidates that have all their scores, whether or not
    `top` compares them. For a halving search these are the candidates of the last iteration;
    earlier ones are not considered.

    The best candidate's own score is too high for the same reason, and its interval in
    ``result.ranking()`` does not allow for that. The result notes it. Score that candidate on new
    rows, or nest the search in `cross_val_inference`.

    A search does not keep the number of its rows. Whether it was fitted on other data than `X` and
    `y` is checked by its accuracies, which are whole numbers of hits among the test rows; by
    ``max_resources_`` of a halving search; by ``n_features_in_`` and ``classes_``; and by
    scikit-learn's nearest neighbours, support vector machines, PCA, ``MinMaxScaler`` and
    ``MaxAbsScaler``, which keep the number of rows. With other metrics and estimators, such as the
    r2 of a ridge regression, this cannot be checked: the sizes are then those of the data that you
    pass.

    Examples
    --------
    >>> import warnings
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> from skcvstats import RepeatedSubsampleSplit, compare_candidates
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = RepeatedSubsampleSplit(15, random_state=0)
    >>> search = GridSearchCV(SVC(), {"C": [0.01, 1, 100]}, cv=cv).fit(X, y)
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     result = compare_candidates(search, X, y)
    >>> result.scores.labels
    ('#0 C=0.01', '#1 C=1', '#2 C=100')
    >>> result.best_set()
    ('#2 C=100', '#1 C=1')
    """
    results = _results_of(search)
    kept = _last_iteration(search, results)
    params_of = [results["params"][k] for k in kept]
    labels = candidate_labels(params_of, kept)
    reference = matching_label(reference, labels)
    where = "The last iteration of the search" if "iter" in results else "The search"
    check_several(params_of, where)
    test = get_procedure(method, alternative=alternative)
    if design is None:
        design = _checked_design_of(search, X, y, groups, params, kept)
    elif not all(given is None for given in (X, y, groups)):
        raise ValueError("Pass either the data (X, y, groups) or design=, not both.")
    require_no_more(test, design, who="compare_candidates")
    scores = {
        metric: replace(_scores_of(results, column, design, kept, labels), metric=metric)
        for metric, column in _metrics_of(search).items()
    }
    undefined = undefined_metrics(search, X, y, _groups(groups, params))
    scores = {
        metric: replace(found, notes=(*found.notes, undefined[metric].note))
        if metric in undefined
        else found
        for metric, found in scores.items()
    }
    notes = (SURVIVORS,) if "iter" in results and len(kept) < len(results["params"]) else ()
    return compare_chosen(
        scores,
        test,
        Choice(reference, adjustment, top, confidence_level, margin),
        params_of,
        scoring=_scoring_of(search),
        write=partial(candidate_estimator, search.estimator),
        unseeded=unseeded_parameters(search.estimator),
        notes=notes,
        causes=[lacking.fact for lacking in undefined.values()],
        again="search again",
    )


def _results_of(search: Any) -> Mapping[str, Any]:
    if isinstance(search, type) or not hasattr(search, "cv_results_"):
        raise TypeError(
            f"search is a {getattr(search, '__name__', type(search).__name__)} without cv_results_;"
            " pass a fitted GridSearchCV, RandomizedSearchCV or halving search."
        )
    return search.cv_results_


def _metrics_of(search: Any) -> dict[str, str]:
    """Return the name of each metric in cv_results_, by what it measures."""
    columns = [key for key in search.cv_results_ if key.startswith("mean_test_")]
    names = [key.removeprefix("mean_test_") for key in columns]
    if names != ["score"]:
        return {name: name for name in names}
    return {Metric(search.scoring, search.estimator).name: "score"}


def _scoring_of(search: Any) -> str:
    """Return what was measured, so that the search can be repeated."""
    if search.scoring is None:
        return f"None, the estimator's own score ({Metric(None, search.estimator).name})"
    return describe(search.scoring)


def _last_iteration(search: Any, results: Mapping[str, Any]) -> list[int]:
    """Return the candidates of the last iteration; all, if the search is not a halving search."""
    iterations = np.asarray(results.get("iter", np.zeros(len(results["params"]))))
    if "iter" not in results and hasattr(search, "n_iterations_"):
        raise ValueError(
            f"{type(search).__name__} has several iterations, but its cv_results_ do not tell them "
            f"apart (no 'iter', scikit-learn {sklearn.__version__}). Compare the candidates of the "
            "last one with compare_estimators."
        )
    return np.flatnonzero(iterations == iterations.max()).tolist()


def _groups(groups: Any, params: Mapping[str, Any] | None) -> Any:
    if params is not None and not isinstance(params, Mapping):
        raise TypeError(
            f"params is a {type(params).__name__}; pass a dict from names to values, as fit got "
            "them."
        )
    given = dict(params or {}).get("groups")
    if groups is not None and given is not None:
        raise ValueError("groups is given twice: as groups= and in params. Give it once.")
    return given if groups is None else groups


def _checked_design_of(
    search: Any,
    X: Any,
    y: Any,
    groups: Any,
    params: Mapping[str, Any] | None,
    kept: Sequence[int],
) -> SplitDesign:
    """Return the splits of the data, if the data can be those that the search was fitted on."""
    given = (search, X, y, _groups(groups, params), search.cv_results_, kept)
    if X is not None:
        require_fitted_data(search, X, y)
    design = _design_of(*given)
    if design.unit == "groups":
        return design  # sizes count groups, but accuracies count rows
    accuracies = {
        column: _scores_of(search.cv_results_, column, design, kept, ()).values
        for column in accuracy_columns(search, params)
    }
    try:
        require_whole_hits(search, accuracies, design)
    except SplitDesignError:
        # A splitter without a seed may draw test sets of different sizes each time.
        if _design_of(*given).n_test == design.n_test:
            raise
    return design


def _design_of(
    search: Any, X: Any, y: Any, groups: Any, results: Mapping[str, Any], kept: Sequence[int]
) -> SplitDesign:
    if X is None:
        raise ValueError(
            "A search does not keep the sizes of its splits. Pass X and y, the data that it was "
            "fitted on, or design=SplitDesign.from_sizes(...)."
        )
    design = replay(search.cv, search.estimator, X, y, groups, n_splits=search.n_splits_)
    if getattr(search, "resource", None) != "n_samples" or design.unit == "groups":
        return design  # rows are taken from each group, so the number of groups is the same
    # A halving search takes as large a share of the training rows of each split, and of its test
    # rows, as the iteration may use of all.
    if "n_resources" not in results:
        raise ValueError(
            f"The cv_results_ of {type(search).__name__} do not tell how many rows an iteration "
            f"used (no 'n_resources', scikit-learn {sklearn.__version__}). Pass "
            "design=SplitDesign.from_sizes(...), the sizes of the splits of its last iteration."
        )
    share = np.asarray(results["n_resources"])[kept[0]] / n_rows(X)
    n_train, n_test = (
        tuple(int(share * size) for size in sizes) for sizes in (design.n_train, design.n_test)
    )
    part = f"{design.source}, {share:.3g} of each part in the last iteration of the halving search"
    return replace(design, n_train=n_train, n_test=n_test, source=part)


def _scores_of(
    results: Mapping[str, Any],
    metric: str,
    design: SplitDesign,
    kept: Sequence[int],
    labels: tuple[str, ...],
) -> CVScores:
    columns: dict[str, Any] = {
        key: np.asarray(column)[list(kept)]
        for key, column in results.items()
        if key.startswith("split")
    }
    columns["params"] = labels
    return CVScores.from_cv_results(columns, metric=metric, design=design)
