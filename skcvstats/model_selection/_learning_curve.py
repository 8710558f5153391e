"""learning_curve_inference: what more rows would bring, as far as it can be shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier

from .._utils._arrays import as_array, classes_in, one_output
from .._utils._checks import brief, check_estimators, check_level, is_integer
from ..comparison import Comparison, PairTests, make_pair_tests
from ..exceptions import SplitDesignError
from ..fitting import FitOptions, Prefixes, measure
from ..scores import CVScores, Note, union, with_shown_ends
from ..splitters import encode_labels, generator_from
from ..stats import MAX_T, Printed, Procedure, check_complete, warn_once
from ._compare import choose_procedure, procedure_of

if TYPE_CHECKING:
    import pandas as pd

_METHODS = ("auto", "corrected_resampled_t", "row_t")
_OF_TABLE = ("difference", "low", "high", "pvalue_adjusted")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LearningCurveResult(Printed):
    """The scores of estimators at several training sizes, and what more rows were shown to bring.

    Intervals are simultaneous in three families: those of all scores, those of all gains, and those
    of all differences of estimators at the same size. Nothing is said of sizes that were not
    measured.

    Parameters
    ----------
    names : tuple of str
        The estimators.
    sizes : ndarray of shape (n_sizes,)
        The training sizes, ascending, means over the splits: of rows, or of groups.
    scores : CVScores
        The scores of each estimator at each size, estimator after estimator.
    of_scores, of_gains, of_differences : object
        The tests of the three families; None of one that has no members.
    confidence_level : float, default=0.95
        Of the intervals.
    warned : tuple of Note, default=()
        The notes that were given as warnings when this was made.
    """

    names: tuple[str, ...]
    sizes: np.ndarray
    scores: CVScores
    of_scores: PairTests
    of_gains: PairTests
    of_differences: PairTests | None
    confidence_level: float = 0.95
    warned: tuple[Note, ...] = ()

    @property
    def metric(self) -> str:
        """What the scores measure."""
        return self.scores.metric

    @property
    def unit(self) -> str:
        """What the sizes count."""
        return self.scores.design.unit

    @property
    def notes(self) -> tuple[Note, ...]:
        """The limitations of any of the tests, one of each kind."""
        families = (self.of_gains, self.of_differences, self.of_scores)
        found = union(*(tests.all_notes for tests in families if tests is not None))
        return tuple({note.code: note for note in reversed(found)}.values())[::-1]

    @property
    def gains(self) -> list[Comparison]:
        """The test of each gain: each size against the next smaller one, of each estimator."""
        return [self.of_gains.comparison(k) for k in np.argsort(self.of_gains.first).tolist()]

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each estimator and size.

        Returns
        -------
        DataFrame
            Columns ``estimator``, ``n_train``, ``score`` with ``low`` and ``high``; ``gain``, the
            difference from the next smaller size, with ``gain_low``, ``gain_high`` and
            ``gain_pvalue``, which are missing at the smallest one. P-values are adjusted.
        """
        import pandas as pd

        n_sizes = len(self.sizes)
        names = np.repeat(np.array(self.names, dtype=object), n_sizes)
        frame = pd.DataFrame({"estimator": names, "n_train": np.tile(self.sizes, len(self.names))})
        of_scores, of_gains = (
            tests.to_frame()[[*_OF_TABLE]].set_axis(tests.first)
            for tests in (self.of_scores, self.of_gains)
        )
        of_scores.columns = pd.Index(["score", "low", "high", "pvalue"])
        of_gains.columns = pd.Index(["gain", "gain_low", "gain_high", "gain_pvalue"])
        of_scores = with_shown_ends(of_scores.drop(columns="pvalue"), self.scores)
        return frame.join(of_scores).join(of_gains)

    def differences(self) -> pd.DataFrame:
        """Return one row for each pair of estimators and size.

        Returns
        -------
        DataFrame
            Columns ``estimator``, ``versus``, ``n_train``, ``difference``, ``low``, ``high`` and
            ``pvalue_adjusted``.

        Raises
        ------
        ValueError
            If there is one estimator only.
        """
        if (tests := self.of_differences) is None:
            raise ValueError("There is one estimator only, so there are no differences of two.")
        n_sizes, names = len(self.sizes), np.array(self.names, dtype=object)
        order = np.lexsort((tests.first % n_sizes, tests.second, tests.first // n_sizes))
        frame = tests.to_frame().loc[order, [*_OF_TABLE]].reset_index(drop=True)
        first, second = tests.first[order], tests.second[order]
        frame.insert(0, "estimator", names[first // n_sizes])
        frame.insert(1, "versus", names[second // n_sizes])
        frame.insert(2, "n_train", self.sizes[first % n_sizes])
        return frame

    def plot(self, ax: Any = None, **kwargs: Any) -> Any:
        """Draw the curves with their bands; this needs matplotlib.

        {Parameters: ax, display options}
        {Returns: drawn display}
        """
        from ..plotting import draw

        return draw(self, None, ax, **kwargs)


def learning_curve_inference(
    estimators: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    train_sizes: ArrayLike = (0.25, 0.5, 1.0),
    groups: ArrayLike | None = None,
    scoring: str | Callable[..., Any] | None = None,
    cv: Any = None,
    method: str | Procedure = "auto",
    params: Mapping[str, Any] | None = None,
    random_state: int | np.random.RandomState | None = 0,
    fresh_seeds: bool = False,
    n_jobs: int | None = None,
    verbose: int = 0,
    confidence_level: float = 0.95,
    store: str | PathLike[str] | None = None,
) -> LearningCurveResult:
    """Measure how the scores of estimators grow with the number of training rows.

    Each estimator is trained on parts of the training set of each split, and tested on the same
    test set. The parts are nested, and the same for all estimators. Only sizes that were measured
    are spoken of: a gain up to all rows does not say what twice as many would bring.

    Parameters
    ----------
    estimators : estimator, or dict of str to estimator
        One or more. They are cloned, never fitted.
    {shared: X, y}
    train_sizes : array-like of float or int, default=(0.25, 0.5, 1.0)
        Two or more: shares of each training set above 0 and up to 1, or numbers of rows, as in
        scikit-learn's `learning_curve`. With groups, which stay whole, of groups. The parts keep
        the shares of the classes if all estimators are classifiers and there are no groups.
    {shared: groups}
    scoring : str or callable, default=None
        One metric. None is accuracy for classifiers and R2 for regressors.
    {shared: cv}
    method : {"auto", "row_t", "corrected_resampled_t"} or such a procedure, default="auto"
        How the differences are tested, as in `compare_estimators`.
    {shared: params, random_state, fresh_seeds, n_jobs, verbose, verdict level, store}

    Returns
    -------
    LearningCurveResult
        The scores and the gains with simultaneous intervals; ``plot()`` draws them.

    {Raises: unsuitable cv}
    FitError
        If an estimator cannot be cloned, or a fit or a score failed.
    ValueError, TypeError
        For sizes that the splits do not have; parts of training sets that lack a class; splits in
        time order, several metrics, or another method.

    {See Also: compare_estimators, cross_val_inference}

    Notes
    -----
    Each estimator at each size is a column of one comparison, tested on the test sets of the full
    splits [1]_. A gain is the difference of a size and the next smaller one. The intervals of all
    scores cover at once with the confidence level, as do those of all gains, and those of all
    differences of estimators at the same size: each by the max-t method. With all rows the scores
    are those of `compare_estimators`.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", Machine Learning 52,
       2003: a score is that of models trained on so many rows.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from skcvstats import learning_curve_inference
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "knn": KNeighborsClassifier()}
    >>> result = learning_curve_inference(models, X, y)
    >>> result.to_frame()[["estimator", "n_train"]].to_numpy().tolist()[:3]
    [['bayes', 113.2], ['bayes', 227.2], ['bayes', 455.2]]
    """
    named = check_estimators(estimators, at_least=1)
    level = check_level(confidence_level)
    asked = _read_sizes(train_sizes)
    test = procedure_of(method)
    if (test.name if isinstance(method, Procedure) else method) not in _METHODS:
        raise ValueError(f"method={brief(method)} must be one of {list(_METHODS)} for a curve.")
    options = FitOptions(
        params=params, n_jobs=n_jobs, verbose=verbose, store=store, fresh_seeds=fresh_seeds
    )
    options.uncloned(named)
    columns = {
        name if size == 1.0 and isinstance(size, float) else f"{name} at {size:g}": model
        for name, model in named.items()
        for size in asked
    }
    # A splitter that is given has a seed of its own; this one then draws the parts only.
    drawn = {"cv": cv, "random_state": random_state if cv is None else 0}
    how = {"groups": groups, "scoring": scoring, **drawn, "options": options}
    plan, why = choose_procedure(method, test, columns, X, y, **how)
    splits = plan.parts[0]
    if splits.is_in_order(X):
        raise SplitDesignError(
            "These splits are in time order, and parts of their training sets would leave out rows "
            "at random. Use compare_estimators with splits of other training sizes, "
            "TimeSeriesSplit(max_train_size=...)."
        )
    (metric, *others) = plan.work.metrics
    if others:
        raise ValueError(
            f"scoring gave {len(others) + 1} metrics; a curve has one. Pass one, and call once for "
            "each."
        )
    prefixes = _prefixes(asked, plan, named, random_state)
    measured = measure(replace(plan, work=replace(plan.work, prefixes=prefixes)))
    try:
        check_complete(measured.scores)
    except Exception as error:
        raise error from measured.exception  # of the first fit that failed
    ((name, scores),) = measured.scores.items()
    sizes = [
        np.mean([prefixes.count(e, n) for n in splits.design.n_train]) for e in range(len(asked))
    ]
    families = _families(plan.procedures[metric.name], scores, len(asked), level)
    of_scores = replace(families[0], notes=union(families[0].notes, why.get(name, ())))
    result = LearningCurveResult(
        names=tuple(named),
        sizes=np.array(sizes),
        scores=scores,
        of_scores=of_scores,
        of_gains=families[1],
        of_differences=families[2] if len(named) > 1 else None,
        confidence_level=level,
    )
    inferences = [of.inference for of in families]
    warned = warn_once(inferences, result.notes, measured.said, scores=measured.scores)
    return replace(result, warned=warned)


def _read_sizes(given: Any) -> list[Any]:
    """Return the shares, or the numbers of rows, in ascending order."""
    sizes = as_array("train_sizes", given)
    numbers = sizes.dtype.kind in "iuf" and sizes.ndim == 1 and len(set(sizes.tolist())) > 1
    if not numbers or len(set(sizes.tolist())) < sizes.size:
        raise ValueError(
            f"train_sizes={brief(given)} must be two or more different numbers: shares of the "
            "training rows, such as (0.25, 0.5, 1.0), or numbers of rows."
        )
    if sizes.dtype.kind == "f" and not ((sizes > 0) & (sizes <= 1)).all():
        raise ValueError(
            f"train_sizes={brief(given)} has shares outside 0 to 1. Pass integers for numbers of "
            "rows."
        )
    return sorted(sizes.tolist())


def _prefixes(
    asked: Sequence[Any], plan: Any, named: Mapping[str, Any], random_state: Any
) -> Prefixes:
    """Return the parts of the training sets, which suit the splits and have every class."""
    splits, y = plan.parts[0], one_output(plan.y)
    fewest, unit = min(splits.design.n_train), splits.design.unit
    if is_integer(asked[0]) and not 1 <= asked[0] <= asked[-1] <= fewest:
        raise ValueError(
            f"train_sizes={asked} must be from 1 to {fewest}, the {unit} of the smallest training "
            "set of these splits."
        )
    groups, of_classes = plan.routed.split.get("groups"), all(map(is_classifier, named.values()))
    codes = classes_in("y", y)[1] if of_classes and y is not None else None
    stream = generator_from(random_state)
    seed = random_state if is_integer(random_state) else stream.randint(2**31)
    prefixes = Prefixes(
        sizes=tuple(None if size == 1.0 and isinstance(size, float) else size for size in asked)
        * len(named),
        seed=int(seed),
        classes=codes,
        groups=encode_labels("groups", groups) if unit == "groups" else None,
    )
    counts = [[prefixes.count(e, n) for e in range(len(asked))] for n in splits.design.n_train]
    if (np.diff(counts) < 1).any():
        raise ValueError(
            f"train_sizes={asked} are the same number of {unit} in a training set of {fewest}: "
            f"{sorted(counts[0])}. Pass sizes that are farther apart."
        )
    if codes is not None:
        prefixes.check_classes(codes, splits.splits.take(range(splits.design.n_splits)))
    return prefixes


def _families(test: Procedure, scores: CVScores, n_sizes: int, level: float) -> list[PairTests]:
    """Return the tests of all scores, of all gains and of all differences at the same size."""
    n_columns = len(scores.labels)
    columns = np.arange(n_columns)
    larger = columns[columns % n_sizes > 0]
    first, second = np.triu_indices(n_columns, k=1)
    same = first % n_sizes == second % n_sizes
    families = [
        (_with_zero(scores), (columns, np.full(n_columns, n_columns))),
        (scores, (larger, larger - 1)),
        *([(scores, (first[same], second[same]))] if same.any() else []),
    ]
    how: dict[str, Any] = {"adjustment": MAX_T, "in_order": True, "confidence_level": level}
    return [make_pair_tests(test, of, None, pairs, **how) for of, pairs in families]


def _with_zero(scores: CVScores) -> CVScores:
    """Return the scores with an estimator that scores 0 everywhere: differences from it."""

    def extended(part: Any) -> dict[str, Any]:
        values = np.concatenate([part.values, np.zeros((1, part.values.shape[-1]))])
        return vars(part) | {"values": values, "magnitude": np.append(part.magnitude, 0.0)}

    rows = scores.row_scores
    more: dict[str, Any] = {"labels": (*scores.labels, "0"), "fit_times": None, "score_times": None}
    more["row_scores"] = None if rows is None else rows._made(**extended(rows))
    return CVScores._made(**extended(scores) | more)
