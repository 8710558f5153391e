"""learning_curve_inference: what more rows would bring, as far as it can be shown."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import product
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.utils import check_random_state

from .._utils._arrays import as_array
from .._utils._checks import brief, explain_arguments, is_integer, listed, n_rows, named_estimators
from .._utils._shared_arguments import check_level, check_n_jobs, check_seed, select_columns
from .._utils._text import without_conventions
from ..comparison import Comparison, PairTests, is_symmetric, make_pair_tests
from ..fitting import FitOptions, TrainOn, part_size, plan_fits
from ..notes import Evidence, SplitsWatch, measure, note_planned_splits
from ..scores import CVScores, Note, SplitDesign, union, with_shown_ends
from ..splitters import encode_labels
from ..stats import MAX_T, Inference, Printed, Procedure, warn_once
from ._compare import check_one_metric, methods_of, settle

if TYPE_CHECKING:
    import pandas as pd

_METHODS = ("auto", "corrected_resampled_t", "row_t")
_NOT_OVER_TIME = (
    "These splits are in time order, and parts of their training sets would leave out rows at "
    "random. Use compare_estimators with splits of other training sizes, "
    "TimeSeriesSplit(max_train_size=...)."
)
_OF_TABLE = ("difference", "low", "high", "pvalue_adjusted")
_OF_CURVE = (
    *("estimator", "n_train", "score", "low", "high"),
    *("gain", "gain_low", "gain_high", "gain_pvalue"),
)
_OF_PAIRS = ["metric", "estimator", "versus", "score", "score_versus"]
_GAINS_RENAMED = {
    "gain_difference": "gain",
    "gain_pvalue": "gain_pvalue_unadjusted",
    "gain_pvalue_adjusted": "gain_pvalue",
}
# The notes on seeds, which are about a model at any size; others list models at their sizes.
_ON_SEEDS = ("fixed seeds", "fresh seeds")


class Gains(PairTests):
    """Tests of one estimator at two sizes, where equal scores are no sign of a copy."""

    found_notes = ()


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LearningCurveResult(Printed):
    """The scores of estimators at several training sizes, and what more rows were shown to bring.

    Intervals are simultaneous in three families: those of all scores, those of all gains, and those
    of all differences of estimators at the same size. No statement covers sizes that were not
    measured.

    Parameters
    ----------
    names : tuple of str
        The estimators.
    sizes : ndarray of shape (n_sizes,)
        The training sizes, ascending, means over the splits: of rows, or of groups.
    scores : CVScores
        The scores of each estimator at each size, estimator after estimator.
    of_scores : Inference
        That of each score alone; the intervals of `to_frame` cover at once.
    of_gains : object
        The tests of the gains.
    of_differences : object, default=None
        The tests of the differences; None if there is one estimator only.
    confidence_level : float, default=0.95
        Of the intervals.
    warned : tuple of Note, default=()
        The notes that were given as warnings when this was made.
    """

    names: tuple[str, ...]
    sizes: np.ndarray
    scores: CVScores
    of_scores: Inference
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
        of_differences = () if self.of_differences is None else self.of_differences.all_notes
        notes = union(self.of_gains.all_notes, of_differences, self.of_scores.notes)
        return tuple({note.code: note for note in reversed(notes)}.values())[::-1]

    @property
    def gains(self) -> list[Comparison]:
        """The test of each gain: each size against the next smaller one, of each estimator."""
        return list(map(self.of_gains.comparison, np.argsort(self.of_gains.first).tolist()))

    def to_frame(self, *, full: bool = False) -> "pd.DataFrame":
        """Return one row for each estimator and size.

        {Parameters: full}

        Returns
        -------
        DataFrame
            Columns ``estimator``, ``n_train``, ``score`` with ``low`` and ``high``; ``gain``, the
            difference from the next smaller size, with ``gain_low``, ``gain_high`` and
            ``gain_pvalue``, which are missing at the smallest one. P-values are adjusted. With
            ``full=True`` also ``standard_error``, and all that `ComparisonResult.to_frame` has of
            the gain, such as ``gain_standard_error``, ``gain_outcome`` and ``gain_note``;
            ``gain_pvalue_unadjusted`` is its unadjusted p-value.
        """
        import pandas as pd

        scores = self.of_scores
        joint = self.of_gains.compared
        low, high = joint.score_family.intervals(scores, self.confidence_level)
        columns = {
            "estimator": np.repeat(np.array(self.names, dtype=object), len(self.sizes)),
            "n_train": np.tile(self.sizes, len(self.names)),
            "score": scores.estimate,
            "standard_error": scores.standard_error,
            "low": low,
            "high": high,
        }
        frame = without_conventions(pd.DataFrame(columns), scores.undetermined)
        frame = with_shown_ends(frame, self.scores)
        gains = self.of_gains.to_frame().set_axis(self.of_gains.first).drop(columns=_OF_PAIRS)
        gains = gains.add_prefix("gain_").rename(columns=_GAINS_RENAMED)
        joined: pd.DataFrame = frame.join(gains)
        return select_columns(joined, _OF_CURVE, full)

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
        tests = self.of_differences
        if tests is None:
            raise ValueError("There is one estimator only, so there are no differences of two.")
        n_sizes = len(self.sizes)
        names = np.array(self.names, dtype=object)
        order = np.lexsort((tests.first % n_sizes, tests.second, tests.first // n_sizes))
        frame = tests.to_frame().loc[order, [*_OF_TABLE]].reset_index(drop=True)
        first = tests.first[order]
        second = tests.second[order]
        frame.insert(0, "estimator", names[first // n_sizes])
        frame.insert(1, "versus", names[second // n_sizes])
        frame.insert(2, "n_train", self.sizes[first % n_sizes])
        return frame

    def plot(self, kind: str | None = None, ax: Any = None, **kwargs: Any) -> Any:
        """Draw the curves with their bands; this needs matplotlib.

        Parameters
        ----------
        kind : {"curve"}, default=None
            `LearningCurveDisplay`, which None is too.
        {shared: ax, display options}

        {Returns: drawn display}
        """
        from ..plotting import draw

        return draw(self, kind, ax, **kwargs)


@explain_arguments()
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
        the shares of the classes if all estimators are classifiers.
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
        If an estimator cannot be cloned, a part of a training set is too small for all classes, or
        a fit or a score failed.
    ValueError, TypeError
        For sizes that the splits do not have; splits in time order, several metrics, or another
        method.

    {See Also: compare_estimators, cross_val_inference}

    Notes
    -----
    Each estimator at each size is compared as `compare_estimators` compares estimators, on the test
    sets of the full splits [1]_. With all rows it is the estimator itself: it has the same scores,
    and the same fits in a `store`. On fewer rows it is fitted on a part of each training set; a
    report calls this ``TrainOn(estimator, train_size)``. The part is drawn from the seed, anew for
    each training set, and a larger one has all rows of a smaller one. If all estimators are
    classifiers, each part has every class, so a rare one is more frequent in a part of few rows;
    otherwise the classes keep their shares, with groups, which stay whole, only roughly.

    A gain is the difference of a size and the next smaller one. The intervals of all scores cover
    at once with the confidence level, as do those of all gains, and those of all differences of
    estimators at the same size: each by the max-t method.

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
    check_seed(random_state)
    check_n_jobs(n_jobs)
    level = check_level(confidence_level)
    check_one_metric(scoring)
    named = named_estimators(estimators)
    sizes = _read_sizes(train_sizes)
    methods = methods_of(method)
    test = methods.general
    if test.name not in _METHODS:
        raise ValueError(f"method={brief(method)} must be one of {list(_METHODS)} for a curve.")
    if not is_symmetric(test):
        raise ValueError(
            f"A curve has two-sided tests of gains against 0, and {brief(method)} asks for others. "
            "Leave null_value and alternative out."
        )
    options = FitOptions(
        params=params, n_jobs=n_jobs, verbose=verbose, store=store, fresh_seeds=fresh_seeds
    )
    generator = check_random_state(random_state)
    # A splitter that is given has a seed of its own; this one then draws the parts only.
    seed_of_splits: Any = 0
    if cv is None:  # it also draws the splits, which are those of compare_estimators
        generator = deepcopy(generator)
        seed_of_splits = random_state
    seed: Any = random_state if is_integer(random_state) else generator.randint(2**31)
    columns = _columns(named, sizes, int(seed))
    plan = plan_fits(
        methods,
        columns,
        X,
        y,
        groups=groups,
        scoring=scoring,
        cv=cv,
        random_state=seed_of_splits,
        options=options,
        observe=SplitsWatch,
        not_over_time=_NOT_OVER_TIME,
    )
    plan = note_planned_splits(plan)
    n_train = _count_units(sizes, plan.parts[0].design)
    measured = measure(_with_units(plan), Evidence.of_fits(plan))
    procedures, notes_on_method = settle(plan, methods, measured)
    scores = measured.only()
    measured.check_complete()
    owners = dict(zip(columns, np.repeat([*named], len(sizes)).tolist(), strict=True))
    notes = tuple(replace(_at_any_size(note, owners), about=()) for note in scores.notes)
    scores = replace(scores, notes=notes)
    test = procedures.get(scores.metric, test)
    families: Any = _families(test, scores, len(sizes), level)
    result = LearningCurveResult(
        names=tuple(named),
        sizes=n_train,
        scores=scores,
        of_scores=test.run(scores).with_notes(notes_on_method.get(scores.metric, ())),
        **families,
        confidence_level=level,
    )
    inferences = [result.of_scores, *(tests.inference for tests in families.values())]
    warned = warn_once(inferences, result.notes, measured.said, scores=measured.scores)
    return replace(result, warned=warned)


def _at_any_size(note: Note, owners: Mapping[str, str]) -> Note:
    """Return a note on seeds under the names of the models, any other as it is."""
    return note.renamed(owners) if note.code in _ON_SEEDS else note


def _read_sizes(train_sizes: Any) -> list[Any]:
    """Return the shares, or the numbers of units, in ascending order."""
    array = as_array("train_sizes", train_sizes)
    is_numeric = array.dtype.kind in "iuf" and array.ndim == 1
    if not is_numeric or not 1 < array.size == len(set(array.tolist())):
        raise ValueError(
            f"train_sizes={brief(train_sizes)} must be two or more different numbers: shares of "
            "the training rows, such as (0.25, 0.5, 1.0), or numbers of rows."
        )
    if array.dtype.kind == "f" and not ((array > 0) & (array <= 1)).all():
        raise ValueError(
            f"train_sizes={brief(train_sizes)} has shares outside 0 to 1. Pass integers for "
            "numbers of rows."
        )
    return sorted(array.tolist())


def _columns(named: Mapping[str, Any], sizes: Sequence[Any], seed: int) -> dict[str, Any]:
    """Return what is compared: each estimator on a part of each size; on all rows it is itself."""
    stratify = all(map(is_classifier, named.values()))
    columns = {}
    for (name, model), size in product(named.items(), sizes):
        if isinstance(size, float) and size == 1:
            columns[name] = model
        else:
            part = TrainOn(model, size, seed=seed, stratify=stratify)
            columns[f"{name} at {size:g}"] = part
    if len(columns) < len(named) * len(sizes):
        raise ValueError(
            f"Some of the {listed(columns)} are named twice. Pass other names of the estimators, "
            "or train_sizes that are farther apart."
        )
    return columns


def _count_units(sizes: Sequence[Any], design: SplitDesign) -> np.ndarray:
    """Return the mean number of rows or groups at each size, after checking them."""
    smallest = min(design.n_train)
    unit = design.unit
    if is_integer(sizes[0]) and not 1 <= sizes[0] <= sizes[-1] <= smallest:
        raise ValueError(
            f"train_sizes={sizes} must be from 1 to {smallest}, the {unit} of the smallest "
            "training set of these splits."
        )
    counts = np.array([[part_size(size, n) for size in sizes] for n in design.n_train])
    if (np.diff(counts) < 1).any():
        raise ValueError(
            f"train_sizes={sizes} are the same number of {unit} in a training set of {smallest}: "
            f"{counts[0].tolist()}. Pass sizes that are farther apart."
        )
    means: np.ndarray = counts.mean(axis=0)
    return means


def _with_units(plan: Any) -> Any:
    """Return a plan whose fits on parts get the number of each row's group, or of the row."""
    work = plan.work
    units = np.arange(n_rows(plan.X))
    if plan.parts[0].design.unit == "groups":
        units = encode_labels("groups", plan.routed.split["groups"])
    fit_params = [
        {**params, "part_units": units} if isinstance(model, TrainOn) else params
        for model, params in zip(work.estimators, work.fit_params, strict=True)
    ]
    return replace(plan, work=replace(work, fit_params=fit_params))


def _families(
    test: Procedure, scores: CVScores, n_sizes: int, level: float
) -> dict[str, PairTests]:
    """Return the tests of all gains, and of all differences at the same size if there are some."""
    options: dict[str, Any] = {"adjustment": MAX_T, "in_order": True, "confidence_level": level}
    columns = np.arange(len(scores.labels))
    larger = columns[columns % n_sizes > 0]
    gains = make_pair_tests(test, scores, None, (larger, larger - 1), **options)
    families: dict[str, PairTests] = {"of_gains": Gains(**vars(gains))}
    first, second = np.triu_indices(len(columns), k=1)
    is_same_size = first % n_sizes == second % n_sizes
    if is_same_size.any():
        pairs = first[is_same_size], second[is_same_size]
        families["of_differences"] = make_pair_tests(test, scores, None, pairs, **options)
    return families
