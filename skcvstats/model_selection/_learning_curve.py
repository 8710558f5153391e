"""learning_curve_inference: what more rows would bring, as far as it can be shown."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier

from .._utils._arrays import as_array, one_output
from .._utils._checks import (
    brief,
    check_estimators,
    check_level,
    is_integer,
    listed,
    without_weights,
)
from ..comparison import Comparison, PairTests, make_pair_tests
from ..exceptions import FitError, SplitDesignError
from ..fitting import FitOptions
from ..scores import CVScores, Note, union, with_shown_ends
from ..splitters import generator_from
from ..stats import MAX_T, Printed, Procedure, check_complete, is_symmetric, warn_once
from ._compare import check_one_metric, choose_procedure, procedure_of, settle

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
        The tests of the three families; None of differences if there is one estimator only.
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
    of_differences: PairTests | None = None
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

    def to_frame(self) -> "pd.DataFrame":
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

    def differences(self) -> "pd.DataFrame":
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


@without_weights()
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
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    confidence_level: float = 0.95,
    store: str | PathLike[str] | None = None,
    params: Mapping[str, Any] | None = None,
    fresh_seeds: bool = False,
) -> LearningCurveResult:
    """Measure learning curves: how scores grow with the number of training rows.

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
    {shared: random_state, n_jobs, verbose, verdict level, store}

    Returns
    -------
    LearningCurveResult
        The scores and the gains with simultaneous intervals; ``plot()`` draws them.

    {Other Parameters: params, fresh_seeds}

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
    check_one_metric(scoring)
    named = check_estimators(estimators, at_least=1)
    level = check_level(confidence_level)
    asked = _read_sizes(train_sizes)
    test = procedure_of(method)
    if (test.name if isinstance(method, Procedure) else method) not in _METHODS:
        raise ValueError(f"method={brief(method)} must be one of {list(_METHODS)} for a curve.")
    if not is_symmetric(test):
        raise ValueError(
            f"A curve has two-sided tests of gains against 0, and {brief(method)} asks for others. "
            "Leave null_value and alternative out."
        )
    options = FitOptions(
        params=params, n_jobs=n_jobs, verbose=verbose, store=store, fresh_seeds=fresh_seeds
    )
    options.uncloned(named)
    columns = {
        name if size is None else f"{name} at {size:g}": model
        for name, model in named.items()
        for size in asked
    }
    if len(columns) < len(named) * len(asked):
        raise ValueError(
            f"Some of the {listed(columns)} are named twice. Pass other names of the estimators, "
            "or train_sizes that are farther apart."
        )
    # A splitter that is given has a seed of its own; this one then draws the parts only.
    how = {"groups": groups, "scoring": scoring, "cv": cv, "options": options}
    how["random_state"] = random_state if cv is None else 0
    plan, why = choose_procedure(method, test, columns, X, y, **how)
    if plan.parts[0].in_order:
        raise SplitDesignError(
            "These splits are in time order, and parts of their training sets would leave out rows "
            "at random. Use compare_estimators with splits of other training sizes, "
            "TimeSeriesSplit(max_train_size=...)."
        )
    classes = one_output(plan.y) if all(map(is_classifier, named.values())) else None
    stream = generator_from(random_state)
    seed: Any = random_state if is_integer(random_state) else stream.randint(2**31)
    given = classes, plan.routed.split.get("groups")
    prefixes, sizes = plan.parts[0].prefixes(asked, len(named), int(seed), *given)
    measured = replace(plan, work=replace(plan.work, prefixes=prefixes)).measure()
    procedures, scores = settle(plan, test, measured, why), measured.only()
    try:
        check_complete(measured.scores)
    except FitError as error:
        raise error from measured.exception  # of the first fit that failed
    owners = dict(zip(columns, np.repeat([*named], len(asked)).tolist(), strict=True))
    notes = tuple(replace(note.of(owners), about=()) for note in scores.notes)
    scores = replace(scores, notes=notes)
    families = _families(procedures.get(scores.metric, test), scores, len(sizes), level)
    families["of_scores"] = replace(families["of_scores"], notes=why.get(scores.metric, ()))
    result = LearningCurveResult(
        names=tuple(named), sizes=sizes, scores=scores, confidence_level=level, **families
    )
    inferences = [tests.inference for tests in families.values()]
    warned = warn_once(inferences, result.notes, measured.said, scores=measured.scores)
    return replace(result, warned=warned)


def _read_sizes(given: Any) -> list[Any]:
    """Return the shares, or the numbers of rows, in ascending order; None for all rows."""
    sizes = as_array("train_sizes", given)
    numbers = sizes.dtype.kind in "iuf" and sizes.ndim == 1
    if not numbers or not 1 < sizes.size == len(set(sizes.tolist())):
        raise ValueError(
            f"train_sizes={brief(given)} must be two or more different numbers: shares of the "
            "training rows, such as (0.25, 0.5, 1.0), or numbers of rows."
        )
    if sizes.dtype.kind == "f" and not ((sizes > 0) & (sizes <= 1)).all():
        raise ValueError(
            f"train_sizes={brief(given)} has shares outside 0 to 1. Pass integers for numbers of "
            "rows."
        )
    shares = sizes.dtype.kind == "f"
    return [None if shares and size == 1 else size for size in sorted(sizes.tolist())]


def _families(test: Procedure, scores: CVScores, n_sizes: int, level: float) -> dict[str, Any]:
    """Return the tests of all scores, of all gains and of all differences at the same size."""
    how: dict[str, Any] = {"adjustment": MAX_T, "in_order": True, "confidence_level": level}
    columns = np.arange(len(scores.labels))
    larger, constant = columns[columns % n_sizes > 0], np.full(len(columns), len(columns))
    first, second = np.triu_indices(len(columns), k=1)
    same = first % n_sizes == second % n_sizes
    from_zero = make_pair_tests(
        test, _with_zero(scores), None, (columns, constant), with_constant=True, **how
    )
    found = {
        # With the notes on the scores themselves, as there is nothing to say about the zeros.
        "of_scores": replace(
            from_zero, inference=replace(from_zero.inference, notes=test.run(scores).notes)
        ),
        "of_gains": make_pair_tests(test, scores, None, (larger, larger - 1), **how),
    }
    # Equal scores at two sizes are no sign of the same model twice.
    found["of_gains"] = replace(found["of_gains"], notes=())
    if same.any():
        pairs = first[same], second[same]
        found["of_differences"] = make_pair_tests(test, scores, None, pairs, **how)
    return found


def _with_zero(scores: CVScores) -> CVScores:
    """Return the scores with an estimator that scores 0 everywhere: differences from it."""

    def extended(part: Any) -> dict[str, Any]:
        values = np.concatenate([part.values, np.zeros((1, part.values.shape[-1]))])
        return {**vars(part), "values": values, "magnitude": np.append(part.magnitude, 0.0)}

    rows = scores.row_scores
    more: dict[str, Any] = {"labels": (*scores.labels, "0"), "fit_times": None, "score_times": None}
    more["row_scores"] = None if rows is None else rows._made(**extended(rows))
    return CVScores._made(**extended(scores) | more)
