"""compare_out_of_fold: compares algorithms by out-of-fold predictions; nothing is fitted."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._utils._arrays import as_array, classes_in, entries_of, missing_in
from .._utils._checks import brief, check_verbose, explain_arguments, listed, n_rows
from .._utils._progress import with_progress
from .._utils._shared_arguments import check_level, check_optional_alternative
from .._utils._text import counted, first_of
from ..comparison import ComparisonResult, check_comparison, compare, read_slices, sliced
from ..exceptions import SplitDesignError
from ..fitting import Metric, Undefined, plan_folds, splits_of_slice
from ..notes import (
    Evidence,
    OverRowsEvidence,
    PassedEvidence,
    SplitsEvidence,
    SplitsWatch,
    before_fits,
    note_splits,
    on_scores,
    with_notes,
)
from ..scores import (
    CVScores,
    MissingEvidenceError,
    Note,
    RowScores,
    SplitDesign,
    find_notes,
    refuse_losses,
    union,
)
from ..stats import Procedure, RowTTest, find_folds, get_procedure, read_groups
from ..test_set import (
    OF_GIVEN,
    TestSet,
    by_name,
    check_taken,
    places_of,
    read_test_set,
    score_on,
    score_runs,
    two_valued_notes,
)

_WHO = "compare_out_of_fold"


@explain_arguments()
def compare_out_of_fold(
    y_true: ArrayLike,
    predictions: Mapping[str, Any],
    *,
    folds: ArrayLike,
    scoring: str | Callable[..., Any],
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    metric_params: Mapping[str, Any] | None = None,
    by: ArrayLike | None = None,
    method: str | Procedure = "row_t",
    reference: str | None = None,
    alternative: str | None = None,
    adjustment: str = "auto",
    margin: float | tuple[float, float] | None = None,
    confidence_level: float = 0.95,
    verbose: int = 0,
) -> ComparisonResult:
    """Compare learning algorithms by out-of-fold predictions; nothing is fitted.

    Each row was predicted by a model that was trained without the row's fold, as
    `~sklearn.model_selection.cross_val_predict` does. The answer is that of `compare_estimators`
    with the same `method` and folds: it is about models trained on all but one fold.

    {Parameters: y_true}
    predictions : mapping or frame
        For each name the predictions of all rows, in the order of `y_true`: labels, values,
        decision values or probabilities, as the metric needs them, of shape (n_rows,) or (n_rows,
        n_classes). With several repeats of folds they come first: (n_repeats, n_rows), (n_repeats,
        n_rows, n_classes), or a list. Or a frame with a column for each model.
    folds : array-like, splitter or iterable of (train, test)
        The folds in which all were made: the label of the fold that tested each row, of shape
        (n_rows,) or (n_repeats, n_rows); a seeded splitter, which is drawn again from `y_true` and
        `groups`; or pairs of the row numbers that models were trained and tested on.
    scoring : str or callable
        As in `compare_predictions`; greater is better.
    groups : array-like of shape (n_rows,), default=None
        The group of each row, such as its patient; folds then have to keep groups whole.
    {shared: sample_weight, metric_params, by of comparisons}
    method : str or Procedure, default="row_t"
        The default works on scores of rows, which all metrics have but max_error and those with
        `metric_params`; ``"corrected_resampled_t"`` works on whole folds.
    {shared: reference, alternative or None, adjustment, margin, verdict level}
    verbose : int, default=0
        1 shows a progress bar while rows are left out, which takes long with slow metrics.

    {Returns: comparison result}
    {Raises: unpaired}
    SplitDesignError
        If not every row is tested once in each repeat, groups are torn, a splitter draws other
        folds each time, or the metric is not defined on a fold, as AUC is not on one class.
    ValueError, TypeError
        If the number of repeats differs between models, or from that of folds; if predictions are
        missing or not what the metric needs; if `method` cannot use the metric.

    Warns
    -----
    SplitDesignWarning, AnticonservativeWarning, DegenerateScoresWarning
        As `compare_estimators`.

    {See Also: compare_estimators, compare_predictions}

    Notes
    -----
    Early stopping on the fold that is predicted, weights of a stack, and models that were chosen
    by these scores have used the test rows: the comparison is then too favourable to them. Fix the
    number of rounds, or choose it on an inner split of the training rows.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import StratifiedKFold, cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import compare_out_of_fold
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> cv = StratifiedKFold(5, shuffle=True, random_state=0)
    >>> made = {name: cross_val_predict(model, X, y, cv=cv) for name, model in models.items()}
    >>> result = compare_out_of_fold(y, made, folds=cv, scoring="accuracy")
    >>> print(f"{result[0].test.estimate:.3f}, p = {result[0].test.pvalue:.2f}")
    0.012, p = 0.42
    """
    check_optional_alternative(alternative)
    check_level(confidence_level)
    check_verbose(verbose)
    test = get_procedure(method, alternative=alternative)
    n = n_rows(y_true, "y_true")
    cv, labels = _read_folds(folds, n)
    of_rows = {"groups": groups, "sample_weight": sample_weight, "folds": labels, "by": by}
    more_of_rows = places_of(metric_params)
    runs = _read_runs(predictions, n)
    test_set = read_test_set(y_true, runs, scoring, **of_rows, **more_of_rows)
    check_taken(set(more_of_rows), {test_set.metric_name: test_set.metric})
    how = check_comparison(test, test_set.labels, reference, adjustment, margin, confidence_level)
    slices = read_slices(test_set.row_labels.slices, test_set.groups, n)
    if cv is None:
        labels = as_array("folds", test_set.row_labels.folds).reshape(n, -1)
        cv = list(_pairs_of(labels))
    scores, tests = _measure(test, test_set, cv, verbose)
    whole = compare({test_set.metric_name: scores}, **how)

    def measure(kept: np.ndarray) -> dict[str, CVScores]:
        pairs = splits_of_slice(tests, kept)
        return {test_set.metric_name: _measure(test, test_set.only(kept), pairs, verbose)[0]}

    return sliced(whole, slices, measure)


def _measure(
    test: Procedure, test_set: TestSet, cv: Any, verbose: int
) -> tuple[CVScores, list[np.ndarray]]:
    """Return the scores of folds, and the rows of each."""
    planned = plan_folds(
        test,
        test_set.metric,
        cv,
        test_set.y,
        test_set.groups,
        test_set.weights,
        observe=SplitsWatch,
    )
    if test.needs_rows:
        _refuse_left_out(planned.plan.design)
    tests = list(planned.plan.tests())
    return _score(test, test_set, planned, tests, verbose), tests


def _read_runs(predictions: Any, n: int) -> Any:
    """Return predictions with those of several repeats as lists."""
    named = by_name(predictions) or {}
    for name, part in named.items():
        if hasattr(part, "predict"):
            raise TypeError(
                f"{name!r} is an estimator, {type(part).__name__}. Pass what cross_val_predict "
                "makes of it, or use compare_estimators."
            )
        shape: Any = getattr(part, "shape", ())
        if len(shape) == 3 or (len(shape) == 2 and shape[0] != n == shape[1]):
            named[name] = list(np.asarray(part))
    return named or predictions  # others are refused where they are read


def _read_folds(folds: Any, n: int) -> tuple[Any, Any]:
    """Return a splitter or pairs of row numbers, if any, and what each row has of the folds."""
    if isinstance(folds, Iterator):
        folds = list(folds)
    is_splitter = hasattr(folds, "split") and not isinstance(folds, (str, type))
    if is_splitter or _are_pairs(folds):
        return folds, np.arange(n)
    shape: Any = ("of different lengths",)
    with suppress(ValueError):
        shape = np.shape(folds)
    if len(shape) not in (1, 2) or shape[-1] != n:
        raise ValueError(
            f"folds={brief(folds)} has shape {shape}, for {n} rows. Pass the label of the fold "
            "that tested each row, (n_rows,) or (n_repeats, n_rows), a seeded splitter, or its "
            "list of (train, test) pairs."
        )
    return None, np.asarray(folds).T if len(shape) == 2 else folds


def _are_pairs(folds: Any) -> bool:
    """Tell whether folds are pairs of training and test rows."""
    is_list = isinstance(folds, (list, tuple)) and len(folds) > 0
    return is_list and all(map(_is_pair, folds))


def _is_pair(part: Any) -> bool:
    """Tell whether a part of folds has the row numbers of a training and of a test set."""
    return isinstance(part, (list, tuple)) and list(map(np.ndim, part)) == [1, 1]


def _refuse_left_out(design: SplitDesign) -> None:
    """Raise SplitDesignError for folds of one row or group each, and say what can be done."""
    if max(design.n_test) > 1 or design.n_splits == 1:
        return
    name = "leave-one-out"
    again = "RepeatedKFold(5, n_repeats=4)"
    if design.unit == "groups":
        name = "leave-one-group-out"
        again = "GroupKFold(5, shuffle=True) with other seeds"
        again += "; with fewer than 10 groups use compare_estimators(..., groups=groups)"
    raise SplitDesignError(
        f"Each was tested alone ({name}), and all others trained its model: the {design.n_samples} "
        "models are nearly the same, and one such repeat does not show how scores vary with the "
        f"training rows. To compare the algorithms predict again in repeated folds, as of {again}. "
        "Accuracies and losses of these models can be compared by the paired test of a holdout, "
        "compare_predictions; AUC over all rows is biased, as each row is ranked by another model."
    )


def _pairs_of(labels: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the training and the test rows of each fold, from labels of (n_rows, n_repeats)."""
    without = (missing_in(labels) | (labels == -1)).any(axis=1)  # -1 as in PredefinedSplit
    if without.any():
        raise SplitDesignError(
            f"folds has no label (nan, None or -1) for {int(without.sum())} of {len(without)} "
            f"rows, the first of them row {int(without.argmax())}, so no model predicted these out "
            "of fold. Leave them out everywhere."
        )
    for column in labels.T:
        distinct_labels, codes = classes_in("folds", column)
        n_folds = len(distinct_labels)
        if len(codes) > n_folds > len(codes) / 2:
            raise SplitDesignError(
                f"folds has {n_folds} labels for {len(codes)} rows; rows of one fold share a label."
            )
        for k in range(n_folds):
            yield np.flatnonzero(codes != k), np.flatnonzero(codes == k)


def _runs_of(test_set: TestSet, tests: Sequence[np.ndarray]) -> np.ndarray:
    """Return which run of each model predicted each split, of shape (n_models, n_splits)."""
    rows = np.concatenate(tests)
    offsets = np.cumsum([0, *map(len, tests)])
    n = test_set.n_rows
    remedy = (
        "Pass their folds; forecasts of a period go to compare_predictions(time=...), and scores "
        "of other splits to compare_scores."
    )
    n_repeats = len(find_folds(rows, offsets, n, who=_WHO, remedy=remedy).labels)
    if (np.sort(rows.reshape(n_repeats, n)) != np.arange(n)).any():
        raise SplitDesignError(
            f"{_WHO} needs the folds of one repeat after those of another, as predictions are, "
            "and these are mixed. Pass labels of shape (n_repeats, n_rows)."
        )
    counts = np.bincount(test_set.owners)
    if (counts != n_repeats).any():
        by_model = dict(zip(test_set.labels, counts.tolist(), strict=True))
        raise ValueError(
            f"folds has {counted(n_repeats, 'repeat')}, the predictions have {by_model}. Give each "
            "row one prediction in each repeat, by the model of its fold, and no means of repeats."
        )
    return np.arange(counts.sum()).reshape(-1, n_repeats)[:, offsets[:-1] // n]


def _vary_within_folds(values: np.ndarray, folds: Sequence[np.ndarray]) -> bool:
    """Tell whether predictions are not those of a constant, which is the same in each fold."""
    return any((values[fold] != values[fold][:1]).any() for fold in folds)


def _repeated(
    test_set: TestSet, repeats: np.ndarray, tests: Sequence[np.ndarray]
) -> tuple[Note, ...]:
    """Return a note of predictions that are the same in repeats of other folds; refuse all such."""
    splits_of = [np.flatnonzero(repeats == repeat).tolist() for repeat in np.unique(repeats)]
    n_repeats = len(splits_of)
    folds_of = [frozenset(np.sort(tests[k]).tobytes() for k in splits) for splits in splits_of]
    first_folds = [tests[k] for k in splits_of[0]]
    same = []
    differ = False
    for k, name in enumerate(test_set.labels):
        runs = test_set.runs[k * n_repeats : (k + 1) * n_repeats]
        predicted = [run.values.tobytes() for run in runs]
        if len(set(predicted)) == len(set(zip(predicted, folds_of, strict=True))):
            differ = True
        elif _vary_within_folds(runs[0].values, first_folds):
            same.append(name)
    if not same:
        return ()
    fact = (
        f"{listed(same)}: the predictions in some repeats are the same in all rows, though the "
        "folds differ"
    )
    if not (differ or test_set.has_labels):
        raise SplitDesignError(
            f"{fact}, so they were made once. Repeats of the same predictions make the variance "
            "too small: pass them once with their own folds, or predict again in each repeat."
        )
    text = f"{fact}: right for a fixed rule; if they were made once, pass each repeat once"
    return (Note("same repeats", text, None),)


def _score(
    test: Procedure, test_set: TestSet, planned: Any, tests: list[np.ndarray], verbose: int
) -> CVScores:
    """Return the scores of the folds, and of their rows where the procedure works on these."""
    y = test_set.y
    groups = test_set.groups
    plan = planned.plan
    runs_of_splits = _runs_of(test_set, tests)  # of shape (n_models, n_splits)
    splits = list(zip(runs_of_splits.T, tests, strict=True))
    repeat_notes = _repeated(test_set, runs_of_splits[0], tests)
    metric_notes = union(*map(find_notes, planned.check()))
    design = note_splits(SplitsEvidence(plan.design, plan.watch))
    metric = test_set.metric
    evidence = Evidence(
        y=y,
        groups=groups,
        design=design,
        metrics=[metric],
        procedures={metric.name: test},
        weights=planned.routed.weights,
    )
    data_notes = union(*before_fits(evidence).values())
    undefined: dict[str, list[str]] = {}
    values = np.array(
        [[score_on(test_set, k, rows, undefined) for k in runs] for runs, rows in splits]
    ).T
    refuse_losses(test_set.metric_name, values, "Pass make_scorer(..., greater_is_better=False).")
    row_scores = None
    if test.needs_rows:
        shown = with_progress(splits, len(splits), verbose, doing="leaving out rows", unit="fold")
        row_scores = _score_rows(test_set, shown, values)
    facts = test_set.facts()
    del facts["y_digest"]  # the design has it
    notes = (
        *find_notes(PassedEvidence(n_folds=len(tests))),
        *test_set.notes,
        *repeat_notes,
        *metric_notes,
        *data_notes,
        *two_valued_notes(test_set),
        *_note_undefined(test_set, undefined, len(tests)),
    )
    if groups is None:
        notes = (*notes, *_note_dependent_rows(test_set, evidence, row_scores))
    facts["notes"] = notes
    scores = CVScores(values=values, design=design, row_scores=row_scores, **facts)
    scores = scores.with_notes(_note_scores_over_rows(test, test_set, scores))
    facts = {"judged": metric, "predicted_of": partial(_predicted_of, test_set)}
    scores = scores.with_notes(on_scores(evidence, scores=scores, **facts))
    if test_set.weights is not None:
        return scores
    return with_notes(
        evidence,
        scores,
        metric=metric,
        of_classes=test_set.of_classes,
        splits=plan.splits.take(range(len(tests))),
        hint=OF_GIVEN,
    )


def _note_undefined(
    test_set: TestSet, undefined: Mapping[str, Sequence[str]], n_folds: int
) -> tuple[Note, ...]:
    """Return a note of folds in which a ratio is 0 to 0, such as a precision without positives."""
    if not undefined:
        return ()
    folds = [f"{len(said)} of {n_folds} folds of {name}" for name, said in undefined.items()]
    sentence = next(iter(undefined.values()))[0].partition(". ")[0]
    return find_notes(Undefined(test_set.metric_name, f"{first_of(folds, 3)}: {sentence}"))


def _predicted_of(
    test_set: TestSet, metric: Metric, scores: CVScores, codes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that were tested, and which of two classes each model predicted."""
    if not test_set.has_labels or test_set.classes is None:
        raise MissingEvidenceError("predictions")
    runs = np.stack([run.values == test_set.classes[-1] for run in test_set.runs])
    n_repeats = len(runs) // len(test_set.labels)
    predicted = runs.reshape(len(test_set.labels), -1).astype(int)
    return np.tile(np.arange(test_set.n_rows), n_repeats), predicted


def _score_rows(
    test_set: TestSet, splits: Iterable[tuple[np.ndarray, np.ndarray]], values: np.ndarray
) -> RowScores:
    """Return the scores of the rows of each fold, from its runs, its rows and its scores."""
    units = read_groups(test_set.groups, len(test_set.y)).codes
    row_scorer: Any = test_set.metric.rows
    read = row_scorer.function.reader
    scores_of_splits = []
    tests = []
    for (runs, rows), scores in zip(splits, values.T, strict=True):
        y = test_set.y[rows]
        fold_units = entries_of(units, rows)
        weights = entries_of(test_set.weights, rows)
        scores_of_runs = [
            row_scorer.score(
                read(test_set.runs[k], rows, y), score, units=fold_units, weights=weights
            )
            for k, score in zip(runs, scores, strict=True)
        ]
        scores_of_splits.append(np.stack(scores_of_runs))
        tests.append(rows)
    row_scores = RowScores.from_splits(scores_of_splits, tests)
    weights = entries_of(test_set.weights, row_scores.rows)
    return replace(row_scores, groups=units, weights=weights)


def _note_dependent_rows(
    test_set: TestSet, evidence: Evidence, row_scores: RowScores | None
) -> tuple[Note, ...]:
    """Return notes of rows that are alike, by the predictions of a repeat or their scores."""
    runs_of_repeats = np.arange(len(test_set.runs)).reshape(len(test_set.labels), -1).T
    copies = (
        on_scores(evidence, predicted=[test_set.runs[k].values for k in runs])
        for runs in runs_of_repeats
    )
    alike = next(filter(None, copies), ())
    return (*alike, *on_scores(evidence, of_rows=row_scores, noted=alike))


def _note_scores_over_rows(
    test: Procedure, test_set: TestSet, scores: CVScores
) -> tuple[Note, ...]:
    """Return a note of the metric over all rows, not the mean of the folds'."""
    if not (isinstance(test, RowTTest) and test_set.metric.of_rows in ("fold", "not measured")):
        return ()
    of_runs = score_runs(test_set, undefined={})
    evidence = OverRowsEvidence(
        metric_name=test_set.metric_name,
        labels=test_set.labels,
        over_rows=np.bincount(test_set.owners, of_runs) / np.bincount(test_set.owners),
        inference=test.run(scores),
    )
    return find_notes(evidence)
