"""compare_candidates: a verdict on the candidates of a finished search or study; nothing is fitted.

Studies and trials are recognized by their attributes, so Optuna is not imported.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from numbers import Real
from typing import Any

import joblib
import numpy as np
import sklearn
from sklearn.base import is_classifier
from sklearn.exceptions import FitFailedWarning

from .._utils._arrays import as_numbers, one_output
from .._utils._checks import brief, check_option, listed, n_rows, one_line, without_weights
from .._utils._text import counted, sentence
from .._utils._warn import warn_user
from ..comparison import (
    ComparisonResult,
    best_reference,
    check_comparison,
    check_top,
    chosen_note,
    compare,
    matching_label,
)
from ..exceptions import AnticonservativeWarning, FitError, SplitDesignError
from ..fitting import (
    Metric,
    are_labels,
    labels_note,
    read_metrics,
    refitted_notes,
    undefined_metrics,
    with_constant,
)
from ..scores import (
    UNVERIFIED_PAIRING,
    CVScores,
    Note,
    SplitDesign,
    are_shares,
    check_design,
    metrics_of,
    scores_of,
    table_notes,
)
from ..splitters import check_data, to_splitter
from ..stats import Procedure, get_procedure
from ._candidate_names import Finished, candidate_labels, params_of, saved_results

OPTIMISTIC_WINNER = Note(
    "optimistic winner",
    "the best candidate's own score is optimistic, because the candidate was chosen for it; score "
    "the candidate on new rows, or nest the search",
    None,
)


# What to state where the splits cannot be known.
SIZES = "SplitDesign.from_sizes(n_train=..., n_test=..., n_splits=..., n_samples=...)."


@without_weights("the search has finished. Pass weights to its fit")
def compare_candidates(
    search: Any,
    X: Any = None,
    y: Any = None,
    *,
    groups: Any = None,
    design: SplitDesign | None = None,
    cv: Any = None,
    key: str | None = None,
    scoring: str | None = None,
    method: str | Procedure = "corrected_resampled_t",
    reference: str | None = None,
    top: int | None = None,
    alternative: str | None = None,
    adjustment: str = "auto",
    margin: Any = None,
    confidence_level: float = 0.95,
) -> ComparisonResult:
    """Compare the candidates of a finished search, also a saved one, or of an Optuna study.

    Nothing is fitted. The scores are those that the search kept, or that the objective of the study
    stored: the score of each split, on the same splits in every trial, by
    ``trial.set_user_attr("scores", scores.tolist())``. Neither keeps the sizes of the splits, so
    the splitter is run over the data once more, for the sizes only.

    Parameters
    ----------
    search : GridSearchCV, RandomizedSearchCV, halving search, RacingSearchCV, RFECV or optuna.Study
        Fitted, or a study with one objective; or the saved ``cv_results_`` of a search, as a dict
        or a data frame (also one that was written as CSV and read again). Of a halving search the
        candidates of the last iteration are compared, of a race those at its end, of ``RFECV``
        numbers of features.
    X, y : array-like of shape (n_samples, ...), default=None
        The data that it was fitted on; not needed with `design`, or for a race.
    {shared: groups of splits}
    design : SplitDesign, default=None
        The splits, where the splitter cannot be run again.
    cv : splitter or list of (train, test) pairs, default=None
        Of a study or saved results: what split the data, with a seed. A search has its own.
    key : str, default=None
        Of a study: the user attribute that holds the scores of a trial, one for each split, in the
        direction of the study; None is ``"scores"``. Where the study minimizes, smaller is better:
        the scores are then negated here, and the metric is called ``neg_`` and its name.
    scoring : str, default=None
        Of a study or saved results: the name of what the scores measure, or of one of several
        metrics; None is ``"score"``, or all.
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
        The candidates are labelled by their number in ``cv_results_`` or in the study and the
        parameters that differ between them, without the common beginning of their names.
        ``result.params(label)`` returns all parameters of one. The times of the single fits are not
        kept, so ``scores.fit_times`` is None.

    Raises
    ------
    SplitDesignError
        If the sizes of the splits cannot be known, a halving search was fitted on another number of
        rows, or the `cv` of a study draws other splits each time.
    FitError
        If fewer than two candidates have all their scores, or the reference lacks some.
    ValueError
        If there is one candidate only, the reference is ``"best"`` or no candidate, or an option is
        not for what was given. Of a study, if finished trials have no scores, not one for each
        split, or scores of the other sign than their values, or if it has several objectives.

    {Warns: weak splits}
    AnticonservativeWarning
        If the reference is the best on these same scores, if `top` leaves candidates out of the
        comparisons with it, if trials were pruned, and with splits in time order.
    FitFailedWarning
        If candidates are left out because a fit of theirs failed.

    {See Also: SignificanceRefit}
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

    A search does not keep its data. That the splitter makes as many splits of the given data as the
    search has scores is checked, and of a halving search the number of rows. Otherwise the data are
    taken to be those of the search: the sizes of the splits are those of the data that you pass.

    Samplers of a study, such as TPE, choose the parameters of a trial by the scores of those before
    it, on the same splits. The tests assume that the trials were chosen beforehand, so later ones
    are favoured. Pruned trials were stopped because of their scores on some of the splits. They are
    left out, and nothing is concluded about them. Whether all trials had the same splits is not
    stored; the result notes that their pairing is not verified.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> from skcvstats import RepeatedSubsampleSplit, compare_candidates, cross_val_score
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

    With Optuna, which does not come with this package:

    >>> import optuna  # doctest: +SKIP
    >>> def objective(trial):
    ...     model = SVC(C=trial.suggest_float("C", 0.01, 100, log=True))
    ...     scores = cross_val_score(model, X, y, cv=cv)
    ...     trial.set_user_attr("scores", scores.tolist())
    ...     return scores.mean()
    >>> study = optuna.create_study(direction="maximize")  # doctest: +SKIP
    >>> study.optimize(objective, n_trials=20)  # doctest: +SKIP
    >>> compare_candidates(study, X, y, cv=cv, scoring="accuracy")  # doctest: +SKIP
    """
    test = get_procedure(method, alternative=alternative)
    of_study = {"cv": cv, "key": key, "scoring": scoring}
    found = _read(search, {"X": X, "y": y, "groups": groups}, design, of_study)
    labels = found.first.labels
    require_no_more(test, found.first.design, who="compare_candidates")
    reference = _named(reference, labels)
    complete, repeated = _once(found, _complete(found, reference), reference)
    candidates = _top(found, complete, top, reference)
    compared = tuple(labels[k] for k in candidates)
    how: dict[str, Any] = {"reference": reference, "adjustment": adjustment, "margin": margin}
    how["confidence_level"] = confidence_level
    check_comparison(test, compared, **how)
    mixed = not found.first.design.in_time_order
    of_data = table_notes(groups, mixed=mixed, X=X, y=y)
    chosen_from, about = None, [OPTIMISTIC_WINNER, *found.notes, *repeated, *of_data]
    if top is not None and len(candidates) < len(complete):
        whole = [labels[k] for k in complete]
        chosen_from = {metric: scores_of(scores, whole) for metric, scores in found.scores.items()}
        if reference is not None:
            others = " and the reference" if len(candidates) > top else ""
            about.append(chosen_note(len(complete), top, others))
    scores = found.compared(candidates)
    how_named = test, reference, AnticonservativeWarning
    notes = {metric: [*about, *best_reference(of, *how_named)] for metric, of in scores.items()}
    result = compare(
        scores, test=test, **how, all_pairs=False, notes=notes, chosen_from=chosen_from
    )
    return replace(result, candidates={labels[k]: found.params[k] for k in complete})


def _read(
    search: Any, data: dict[str, Any], design: SplitDesign | None, of_study: Mapping[str, Any]
) -> Finished:
    """Return the candidates of a search, or the trials of a study."""
    given = data | {"cv": of_study["cv"]}
    if design is not None:
        if any(part is not None for part in given.values()):
            raise ValueError(f"Pass either the data ({', '.join(given)}) or design=, not both.")
        check_design(design)
    if hasattr(search, "cv_results_"):
        unused = [f"{name}=" for name, value in of_study.items() if value is not None]
        if unused:
            raise ValueError(
                f"{' and '.join(unused)} cannot be given for a search, which has its own splitter, "
                "scores and metrics; only a study or saved cv_results_ need it. Leave it out."
            )
        X, y, groups = data.values()
        return _read_search(search, X, y, groups, design)
    if (saved := saved_results(search)) is not None:
        return _read_saved(saved, data.values(), design, **of_study)
    if hasattr(search, "trials") and hasattr(search, "directions"):
        return _read_study(search, data.values(), design, **of_study)
    if any(base.__name__ == "SequentialFeatureSelector" for base in type(search).__mro__):
        raise TypeError(
            "SequentialFeatureSelector keeps no scores (it has no cv_results_), so its numbers of "
            "features cannot be compared. Use RFECV, or a GridSearchCV over n_features_to_select "
            "of a pipeline of the selector and a model."
        )
    raise TypeError(
        f"search is a {getattr(search, '__name__', type(search).__name__)} without cv_results_;"
        " pass a fitted GridSearchCV, RandomizedSearchCV or halving search, its saved cv_results_ "
        "(a dict or a frame with split0_test_score and so on), or an optuna.Study."
    )


def _named(reference: Any, labels: Sequence[str]) -> Any:
    """Return the label of the candidate that is the reference, if there is one."""
    label = matching_label(reference, labels)
    if label is not None and not (isinstance(label, str) and label in labels):
        raise ValueError(
            f"reference={reference!r} is not among the candidates {listed(labels)}. Name one, or "
            "leave reference= out: result.best_set() names the candidates that could be the best, "
            "and result.pairs() compares all pairs."
        )
    return label


def _complete(found: Finished, reference: str | None) -> list[int]:
    """Return the candidates that have all scores, and warn about the others."""
    whole = np.all([np.isfinite(it.values).all(axis=1) for it in found.scores.values()], axis=0)
    labels, again = found.first.labels, found.again
    failed = [labels[k] for k in np.flatnonzero(~whole)]
    if whole.sum() < 2:
        known = "".join(f"{sentence(cause)} " for cause in found.causes)
        raise FitError(
            f"{len(failed)} of {counted(len(labels), 'candidate')} have scores that are missing, "
            f"so there is nothing to compare. {known}Fix the cause and {again}.",
            found.scores,
        )
    if reference in failed:
        raise FitError(
            f"reference={reference!r} had fits or scores that failed, so nothing can be "
            f"compared with it. Choose another, or fix the cause and {again}.",
            found.scores,
        )
    if failed:
        warn_user(
            f"{listed(failed)} had fits or scores that failed, and are left out of the comparison.",
            FitFailedWarning,
        )
    return np.flatnonzero(whole).tolist()


def _once(
    found: Finished, complete: list[int], reference: str | None
) -> tuple[list[int], list[Note]]:
    """Return the candidates without those that are another again, and a note on these."""
    labels, firsts = found.first.labels, dict[Any, int]()
    for k in sorted(complete, key=lambda k: labels[k] != reference):  # which is kept
        content: Any = k
        with suppress(Exception):  # of a function of a notebook
            content = joblib.hash(  # 1 and 1.0 are one value, True is another
                {
                    name: of if isinstance(of, bool) or not isinstance(of, Real) else float(of)
                    for name, of in found.params[k].items()
                }
            )
        firsts.setdefault(content, k)
    _check_several([found.params[k] for k in firsts.values()], "Each counted once, the search")
    repeated = [labels[k] for k in complete if k not in firsts.values()]
    text = f"{listed(repeated)}: the same parameters as another candidate, which counts once"
    note = [Note("repeated candidates", text, None)] if repeated else []
    return sorted(firsts.values()), note


def _top(found: Finished, complete: list[int], top: int | None, reference: str | None) -> list[int]:
    """Return the candidates with the highest mean scores in the first metric, and the reference."""
    check_top(top)
    if top is None:
        return complete
    first = found.first
    means = first.values[complete].mean(axis=1)
    best = {complete[k] for k in np.argsort(-means, kind="stable")[:top]}
    return sorted(best | {k for k in complete if first.labels[k] == reference})


def _check_several(params: Sequence[Mapping[str, Any]], where: str) -> None:
    if len(params) == 1:
        raise ValueError(
            f"{where} had one candidate only, {dict(params[0])}: nothing to compare it with. "
            "Search over more, or estimate its score alone with cross_val_inference."
        )


def check_count(design: SplitDesign, n_splits: int, what: str, remedy: str) -> None:
    """Raise SplitDesignError if the splits are not as many as the scores of a candidate."""
    if design.n_splits != n_splits:
        raise SplitDesignError(
            f"{what} has {design.n_splits} splits, but the results are of {n_splits}, so they came "
            f"from others. {remedy}"
        )


def require_no_more(test: Procedure, design: SplitDesign, *, who: str) -> None:
    """Raise ValueError for a procedure that needs more than the scores of a search."""
    if test.needs_rows or test.fixed or test.auxiliary_request(design) is not None:
        raise ValueError(
            f"{who} has the scores of a search only, and {test!r} needs more: scores of rows, "
            "models that were fitted once, or auxiliary splits. Use "
            'method="corrected_resampled_t", or fit the models that matter again with '
            "compare_estimators."
        )


_RACED = Note(
    "left a race",
    "candidates that left the race are not compared, and p-values are adjusted for the comparisons "
    "that were made, not for the choice; the race's own best_set(), with rule='evidence', covers "
    "those that left",
    AnticonservativeWarning,
)
_SURVIVORS = Note(
    "surviving candidates",
    "the candidates are the survivors of a halving search, chosen in its earlier iterations on "
    "rows of the same data; p-values are adjusted for the comparisons that were made, not for the "
    "choice",
    AnticonservativeWarning,
)


def _read_search(search: Any, X: Any, y: Any, groups: Any, design: SplitDesign | None) -> Finished:
    """Return the candidates of a search; of a halving search or a race those at its end."""
    metrics = read_metrics(search.scoring, search.estimator)
    results = search.cv_results_
    kept = _last_iteration(search)
    everyone, raced = params_of(results), "dropped_after" in results
    params = [everyone[k] for k in kept]
    where = "At its end the search" if len(kept) < len(everyone) else "The search"
    _check_several(params, where)
    if X is not None:
        _check_data(search, X, y)
    chosen = [_RACED if raced else _SURVIVORS] if len(kept) < len(everyone) else []
    undefined: dict[str, Any] = {}
    if design is None and raced:
        design = search.scores_.design
    if design is None:
        design, undefined = _replayed(search, kept[0], metrics, X, y, groups)
    labels = search.scores_.labels if raced else candidate_labels(params, kept)
    by_metric = metrics_of(results)
    if list(by_metric) == ["score"]:
        by_metric = {metrics[0].name: by_metric["score"]}
    scores = {
        metric: CVScores(
            values=values[kept, : design.n_splits] if raced else values[kept],
            design=replace(design, digests=None, seed=None),
            labels=labels,
            metric=metric,
            notes=(undefined[metric].note,) if metric in undefined else (),
        )
        for metric, values in by_metric.items()
    }
    tried: dict[str, Any] = {}
    if len(kept) < len(everyone):
        which = " that did not leave the race" if raced else " of the last iteration"
        n_tried = len(everyone) if raced else np.count_nonzero(np.equal(results["iter"], 0))
        tried = {"tried": int(n_tried), "kept": which}
    for metric in metrics if y is not None else ():
        if (found := scores.get(metric.name)) is not None:  # bad ones are in many grids
            best = int(np.nan_to_num(found.values.mean(axis=1), nan=-np.inf).argmax())
            of_classes = is_classifier(search.estimator)
            known = with_constant(found.row(best), metric, y, of_classes=of_classes)
            if metric.responses == ("predict",) and are_labels(
                metric, np.zeros(100), search.estimator
            ):
                known = known.with_notes([labels_note(metric, labels)])
            scores[metric.name] = replace(found, provenance=known.provenance, notes=known.notes)
    return Finished(
        params,
        scores,
        scoring=metrics[0].describe() if metrics[0].alone else one_line(search.scoring),
        again="search again",
        notes=[*chosen, *refitted_notes({type(search).__name__: [search.estimator, params]})],
        causes=[lacking.fact for lacking in undefined.values()],
        estimator=search.estimator,
        metrics=metrics,
        tried=tried,
    )


def _check_data(search: Any, X: Any, y: Any) -> None:
    """Raise ValueError for other columns, classes or rows than the search was fitted on."""
    shape: Any = getattr(X, "shape", ())
    labels, rows, cv = one_output(y), None, search.cv
    given = {
        "n_features_in_": shape[1] if len(shape) == 2 else None,
        "feature_names_in_": list(X.columns) if hasattr(X, "columns") else None,
        "classes_": None if labels is None else set(labels.tolist()),
    }
    for name, found in given.items():
        own = getattr(search, name, None)
        own = own.tolist() if isinstance(own, np.ndarray) else own
        if found is None or own is None or found == (set(own) if name == "classes_" else own):
            continue
        found = sorted(found, key=str) if name == "classes_" else found
        raise ValueError(
            f"{name} of the search is {brief(own)}, and of the data {brief(found)}. Pass the data "
            "that the search was fitted on."
        )
    if "dropped_after" in search.cv_results_:
        rows = search.scores_.design.n_samples
    elif hasattr(cv, "test_fold"):  # PredefinedSplit
        rows = len(cv.test_fold)
    elif isinstance(cv, (list, tuple)):
        held = np.unique(np.concatenate([np.ravel(side) for split in cv for side in split]))
        rows = len(held) if len(held) == held[-1] + 1 else None
    if rows not in (None, n_rows(X)):
        raise SplitDesignError(
            f"The splits of the search are of {rows} rows, and X has {n_rows(X)}. Pass the data "
            "that the search was fitted on."
        )


def _last_iteration(search: Any) -> list[int]:
    """Return the candidates of the last iteration; all, if it is no halving search and no race."""
    results = search.cv_results_
    if "dropped_after" in results:
        return np.flatnonzero(results["dropped_after"] == 0).tolist()
    if "iter" in results:
        return np.flatnonzero(results["iter"] == np.max(results["iter"])).tolist()
    if hasattr(search, "n_iterations_"):
        raise ValueError(
            f"{type(search).__name__} has several iterations, but its cv_results_ do not tell them "
            f"apart (no 'iter', scikit-learn {sklearn.__version__}). Compare the candidates of the "
            "last one with compare_estimators."
        )
    return list(range(len(params_of(results))))


def _replayed(
    search: Any, candidate: int, metrics: Sequence[Metric], X: Any, y: Any, groups: Any
) -> tuple[SplitDesign, dict[str, Any]]:
    """Run the splitter over the data again, for the sizes of the splits and undefined metrics."""
    if X is None:
        raise ValueError(
            "A search does not keep the sizes of its splits. Pass X and y, the data that it was "
            "fitted on, or design=SplitDesign.from_sizes(...)."
        )
    halves_rows = getattr(search, "resource", None) == "n_samples"
    from_data = halves_rows and getattr(search, "max_resources", None) == "auto"
    if from_data and search.max_resources_ != n_rows(X):
        raise SplitDesignError(
            f"The data have {n_rows(X)} rows, but the search was fitted on {search.max_resources_} "
            f"rows (max_resources_). Pass the data that it was fitted on, or design={SIZES}"
        )
    if isinstance(search.cv, Iterator):
        raise SplitDesignError(
            f"cv was a {type(search.cv).__name__}, which has been used up, so the sizes of the "
            f"splits are not known. Pass design={SIZES}"
        )
    X, y, groups = check_data(X, y, groups)
    splitter = to_splitter(search.cv, y, classifier=is_classifier(search.estimator))
    try:
        design = SplitDesign.from_any_draw(splitter, X, y, groups)
    except Exception as error:
        raise SplitDesignError(
            f"{one_line(splitter)} could not be run over the data again: {error} Pass the data "
            f"that it was fitted on (and groups=, if it needs them), or else design={SIZES}"
        ) from error
    n_splits = next(iter(metrics_of(search.cv_results_).values())).shape[-1]
    check_count(design, n_splits, one_line(splitter), f"Pass design={SIZES}")
    for metric, values in metrics_of(search.cv_results_).items():
        named = next((it.named for it in metrics if it.alone or it.name == metric), "")
        by_rows = named == "accuracy" and design.unit == "rows" and not halves_rows
        if by_rows and not are_shares(values, design.n_test).all():
            raise SplitDesignError(
                f"The accuracies of the search are not k/n_test on these test sets of {n_rows(X)} "
                "rows, so it was fitted on other rows. Pass the data that it was fitted on."
            )
    if not halves_rows:
        return design, undefined_metrics(metrics, splitter, X, y, groups)
    if design.unit == "groups":
        return design, {}  # rows are taken from each group, so the number of groups is the same
    if "n_resources" not in search.cv_results_:
        raise ValueError(
            f"The cv_results_ of {type(search).__name__} do not tell how many rows an iteration "
            f"used (no 'n_resources', scikit-learn {sklearn.__version__}). Pass "
            "design=SplitDesign.from_sizes(...), the sizes of the splits of its last iteration."
        )
    # Halving takes the same share of both parts.
    share = np.asarray(search.cv_results_["n_resources"])[candidate] / n_rows(X)
    n_train, n_test = (
        tuple(int(share * size) for size in sizes) for sizes in (design.n_train, design.n_test)
    )
    part = f"{design.source}, {share:.3g} of each part in the last iteration of the halving search"
    own: dict[str, Any] = {"n_train": n_train, "n_test": n_test, "source": part}
    return replace(design, **own, digests=None, seed=None), {}


def _read_saved(
    results: Mapping[str, Any],
    data: Any,
    design: SplitDesign | None,
    *,
    cv: Any,
    key: Any,
    scoring: Any,
) -> Finished:
    """Return the candidates of saved ``cv_results_`` of a search on X, y, groups."""
    if key is not None:
        raise ValueError("key= is for an Optuna study; leave it out for saved cv_results_.")
    if "iter" in results or "dropped_after" in results:
        raise ValueError(
            "These cv_results_ are of a halving search or a race, whose candidates were not all "
            "scored on the same splits. Pass the search itself."
        )
    params, by_metric = params_of(results), metrics_of(results)
    _check_several(params, "The search")
    if design is None:
        design = _design(*data, cv=cv)
    if list(by_metric) == ["score"]:
        by_metric = {scoring or "score": by_metric["score"]}
    elif scoring is not None:
        check_option("scoring", scoring, by_metric)
        by_metric = {scoring: by_metric[scoring]}
    n_splits = next(iter(by_metric.values())).shape[-1]
    check_count(design, n_splits, one_line(cv or design), "Pass the cv that the search had.")
    stated = replace(design, digests=None, seed=None)  # it is the user's word
    labels = candidate_labels(params)
    scores = {
        metric: CVScores(values=values, design=stated, labels=labels, metric=metric)
        for metric, values in by_metric.items()
    }
    return Finished(params, scores, scoring=scoring or "saved", again="search again")


_COMPLETE, _FAILED, _PRUNED = "COMPLETE", "FAIL", "PRUNED"
# Relative difference by rounding, between the value of a trial and the mean of its scores.
_ROUNDING = 1e-6


def _read_study(
    study: Any, data: Any, design: SplitDesign | None, *, cv: Any, key: Any, scoring: Any
) -> Finished:
    """Return the finished and the failed trials of a study with one objective on X, y, groups."""
    if len(study.directions) > 1:
        raise ValueError(
            f"The study has {len(study.directions)} objectives, and trials are compared in one. "
            "Compare each with compare_scores({name of trial: scores, ...}, design=...)."
        )
    sign = -1 if study.directions[0].name == "MINIMIZE" else 1
    key, scoring = key or "scores", scoring or "score"
    trials = [trial for trial in study.trials if trial.state.name in (_COMPLETE, _FAILED)]
    trials.sort(key=lambda trial: trial.number)
    if all(trial.state.name == _FAILED for trial in trials):
        raise ValueError(
            f"The study has no finished trials among its {len(study.trials)}, so there is nothing "
            "to compare. Run study.optimize(objective, n_trials=...) first."
        )
    params = [trial.params for trial in trials]
    _check_several(params, "The study")
    if design is None:
        design = _design(*data, cv=cv)
    values = _values(trials, key, design.n_splits, sign)
    name = scoring if sign > 0 else f"neg_{scoring}"
    stated = replace(design, digests=None, seed=None)  # it is the user's word
    labels = candidate_labels(params, [trial.number for trial in trials])
    scores = CVScores(
        values=sign * values, design=stated, labels=labels, metric=name, notes=(UNVERIFIED_PAIRING,)
    )
    notes, n_pruned = [], sum(trial.state.name == _PRUNED for trial in study.trials)
    if n_pruned:
        text = (
            f"{counted(n_pruned, 'pruned trial')} left out, for their scores on some splits; "
            "p-values are adjusted for the comparisons that were made, not for the choice"
        )
        notes.append(Note("pruned trials", text, AnticonservativeWarning))
    if n_left := len(study.trials) - n_pruned - len(trials):
        text = f"{counted(n_left, 'unfinished trial')} left out"
        notes.append(Note("unfinished trials", text, None))
    return Finished(
        params,
        {name: scores},
        scoring=f"{scoring}, by the objective of the study",
        again="run the study again",
        notes=notes,
    )


def _design(X: Any, y: Any, groups: Any, *, cv: Any) -> SplitDesign:
    if X is None or cv is None:
        raise ValueError(
            "A study, or saved cv_results_, do not keep their splits. Pass the data and what split "
            "them, compare_candidates(..., X, y, cv=...), or design=SplitDesign.from_sizes(...)."
        )
    if isinstance(cv, type) or not (hasattr(cv, "split") or isinstance(cv, Sequence)):
        raise ValueError(
            f"cv={cv!r} must be the splitter that was used, such as KFold(5) or "
            "RepeatedSubsampleSplit(15, random_state=0), or its list of (train, test) pairs."
        )
    X, y, groups = check_data(X, y, groups)
    return SplitDesign.from_splitter(to_splitter(cv, y, classifier=False), X, y, groups)


def _values(trials: Sequence[Any], key: str, n_splits: int, sign: int) -> np.ndarray:
    """Return the scores of each trial as they were stored, nan in those that failed."""
    finished = [trial for trial in trials if trial.state.name == _COMPLETE]
    without = [f"#{trial.number}" for trial in finished if key not in trial.user_attrs]
    if without:
        known = dict.fromkeys(name for trial in finished for name in trial.user_attrs)
        there = f" Their attributes are {listed(known)}; choose one with key=." if known else ""
        raise ValueError(
            f"{len(without)} of {counted(len(finished), 'finished trial')} without {key!r} in "
            f"their user_attrs: {listed(without)}.{there} The value of a trial is a mean, which "
            "does not say how much the splits differ. Store their scores in the objective, "
            f"trial.set_user_attr({key!r}, scores.tolist()), and run it again."
        )
    values = np.full((len(trials), n_splits), np.nan)
    wanted = "store one number for each split, trial.set_user_attr(key, scores.tolist())"
    for row, trial in zip(values, trials, strict=True):
        if trial.state.name == _FAILED:
            continue
        stored = trial.user_attrs[key]
        try:
            numbers = as_numbers(key, stored)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"The {key!r} of trial {trial.number} is {stored!r}, not numbers; {wanted}."
            ) from error
        if numbers.shape != row.shape:
            raise ValueError(
                f"The {key!r} of trial {trial.number} has shape {numbers.shape}, but there are "
                f"{counted(n_splits, 'split')}; {wanted}, and pass what split the data in all "
                "trials."
            )
        row[:] = numbers
        mean, value = row.mean(), trial.value
        size = abs(mean)
        if value is not None and 0 < size < np.inf and abs(value + mean) <= _ROUNDING * size:
            direction = "maximizes" if sign > 0 else "minimizes"
            raise ValueError(
                f"The mean of the {key!r} of trial {trial.number} is {mean:.6g}, and its value is "
                f"{value:.6g}, with the other sign. The study {direction}: store the scores "
                "that the value is the mean of."
            )
    return values
