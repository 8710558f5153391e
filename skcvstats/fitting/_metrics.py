"""What to measure: the one place that reads `scoring`, and all that is known of each metric."""

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from typing import Any, Self

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring, get_scorer, get_scorer_names
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from .._utils._arrays import missing_in
from .._utils._checks import is_list_of, listed, one_line
from .._utils._metrics import CALLED, METRICS, OF_CLASSES, OF_VARIATION, MetricFacts, known_of
from .._utils._text import check_printable, verb
from ._scorers import NO_FUNCTION, SCORER_TYPE, RowScorer, ScoringFunction

AREA = "roc_auc"
# In names of functions of more than labels: of the order of rows by scores, or of probabilities.
_OF_MORE = re.compile(
    "(?P<order>(^|_)p?r?_?auc|average_precision|hinge_loss|top_k|n?dcg|gini)"
    "|(?P<chances>log_?loss|brier|cross_?entropy)"
)
# The first parameter of a function of targets and predictions.
_OF_TARGETS = re.compile(
    "y|y_.+|ys|(y_?)?(true|truth|targets?|labels?|labels_true|actuals?|observed|obs)"
)
_FEWEST_ROWS = 10  # on fewer, scores may have two values by chance
# Functions of scikit-learn by the metric whose needs they have.
_SAME_NEEDS = {**CALLED, "fbeta_score": "f1"}
NO_FACTS = MetricFacts("", needs="")
_NEEDS_OF_OTHERS = dict.fromkeys(OF_VARIATION, "two values")
# By the kind of an estimator, what its `score` is in most classes, those of these modules.
_USUAL_METRICS = {"classifier": "accuracy", "regressor": "r2"}
_USUAL_SCORES = ("sklearn.base", "sklearn.dummy", "sklearn.neighbors")


@dataclass(frozen=True, eq=False)
class Metric:
    """A metric, read once: what measures it, from what, and what is known about it."""

    name: str  # of its scores
    given: Any  # its name in scikit-learn, a scorer, a callable, or None, an estimator's own score
    scorer: Any  # what measures it
    named: str  # its name in scikit-learn, or of a scorer that of its function
    measured: str  # what the scores are: minus the function, if less of that is better
    alone: bool = True  # whether it was given alone, not in a list or a dict
    facts: MetricFacts = NO_FACTS  # what is known about it, if it was given by its name
    needs: str = ""  # of the target of a test set, as in `MetricFacts`
    called: str = ""  # in sentences about what it needs; empty is by its name
    function: ScoringFunction = NO_FUNCTION  # that its scorer calls, if it is of predictions
    rows: RowScorer | None = None  # how the rows of a fold are scored, if they can be
    is_mute: bool = False  # whether an estimator lacks what it is computed from, which is known

    def __post_init__(self) -> None:
        check_printable([str(self.name)], "metrics")

    @property
    def of_rows(self) -> str | None:
        """What scores of rows it has; an argument of `Procedure.unsuitable`."""
        if self.rows is not None:
            return self.rows.kind
        if self.function.requests.keys() - {"sample_weight"}:
            return "metadata"
        return "none" if self.function.lacks_rows else None

    @property
    def responses(self) -> tuple[str, ...] | None:
        """The responses of estimators that it is computed from, if they are known."""
        return self.function.responses

    @property
    def options(self) -> Mapping[str, Any]:
        """The options with which its function is called."""
        return self.function.options

    @property
    def function_name(self) -> str:
        """The name of its function in scikit-learn; empty of others'."""
        return self.function.name

    @property
    def positive(self) -> Any:
        """The label of the positive class, of metrics that have one."""
        return self.options.get("pos_label", 1)

    @property
    def is_of_classes(self) -> bool:
        """Whether the scores of its rows depend on the probability of each class."""
        return self.function_name in OF_CLASSES and self.of_rows == "mean"

    @property
    def is_scorer(self) -> bool:
        """Whether it was given as a scorer from `make_scorer`."""
        return type(self.given) is SCORER_TYPE

    @property
    def name_of_function(self) -> str:
        """The name of its function, also of a partial."""
        return self.facts.function or self.named

    @property
    def is_known(self) -> bool:
        """Whether it was given by its name, and something is known about it."""
        return self.facts.function != ""

    @property
    def needed_values(self) -> str:
        """What its function needs besides labels: the "order" of scores, or "chances"."""
        match = _OF_MORE.search(self.name_of_function)
        if match is None:
            return ""
        return str(match.lastgroup)

    @property
    def is_for_two_classes(self) -> bool:
        """Whether it is by its name for two classes, of labels 0 and 1 mostly."""
        return self.given == AREA or self.facts.needs == "positive"

    def describe(self) -> str:
        """Return its name, or its representation."""
        if self.given is None:
            return f"None, the estimator's own score ({self.name})"
        return describe(self.given)

    def renamed(self, name: str) -> Self:
        """Return the metric under its name in a list or a dict."""
        called = name if self.is_scorer else ""
        return replace(self, name=name, called=called, alone=False)

    def in_sklearn(self) -> "Metric":
        """Return itself, or by its name where scikit-learn has the same scorer under one."""
        if not self.is_scorer:
            return self
        for name in get_scorer_names():
            if vars(get_scorer(name)) == vars(self.given):
                return read_metric(name)
        return self

    def can_score(self, model: Any) -> bool:
        """Return whether an estimator has a response that it is computed from, if it is known."""
        if self.responses is None:
            return True
        return any(hasattr(model, response) for response in self.responses)

    def sees_labels(self, values: Any, model: Any) -> bool:
        """Tell whether a metric of scores or probabilities got labels, or values like them."""
        if not self.needed_values or len(values) < _FEWEST_ROWS:
            return False
        if self.responses == ("predict",) and is_classifier(model):
            return True
        table = np.asarray(values).reshape(len(values), -1)
        if self.needed_values == "order" and table.shape[1] < 3:
            return len(np.unique(table[:, -1])) == 2
        return bool(np.isin(table, (0, 1)).all())

    def knowing_classes(self, y: Any) -> Self:
        """Return the metric with the classes of y if its rows are scored by their probabilities."""
        if not self.is_of_classes:
            return self
        function = self.function.knowing_classes(y)
        scorer = function.scorer_of(function.function)
        return replace(self, scorer=scorer, function=function, rows=RowScorer.of(function))

    def weights(self, params: Mapping[str, Any]) -> Any:
        """Return the weights of rows that it requests; None if it takes all rows alike."""
        request: Any = self.function.requests.get("sample_weight")
        if request is True:
            request = "sample_weight"
        return params.get(request)


def read_metric(given: Any) -> Metric:
    """Read a metric, or raise ValueError for an unknown name or a scorer of the wrong direction."""
    if isinstance(given, str):
        return _read_name(given)
    function = ScoringFunction.read(given)
    if function is not NO_FUNCTION:
        return _read_scorer(given, function)
    if not callable(given):
        raise ValueError(
            f"scoring={given!r} must be the name of a metric, a callable, a list of names or a "
            "dict from names to metrics."
        )
    name = getattr(given, "__name__", "score")
    inner = _without_partials(given)
    measured = getattr(inner, "__name__", type(inner).__name__)
    return Metric(name, given, given, named=name, measured=measured)


def measured_name(metrics: Iterable[Metric], name: str) -> str:
    """Return the name of what a metric measures, which may have been given another name."""
    return {metric.name: metric.measured for metric in metrics}.get(name, name)


def _read_name(given: str) -> Metric:
    """Read the name of a metric in scikit-learn."""
    if given not in get_scorer_names():
        raise ValueError(_unknown(given))
    scorer = get_scorer(given)
    function = ScoringFunction.read(scorer)
    facts = METRICS.get(given, NO_FACTS)
    return Metric(
        given,
        given,
        scorer,
        named=given,
        measured=given,
        facts=facts,
        needs=facts.needs,
        function=function,
        rows=RowScorer.of(function),
    )


def _read_scorer(given: Any, function: ScoringFunction) -> Metric:
    """Read what `make_scorer` returned."""
    named = getattr(_without_partials(function.function), "__name__", "score")
    if known_of(named).sign == -function.sign:
        raise ValueError(_worst_is_best(given, named, function.sign))
    measured = f"neg_{named}" if function.sign < 0 else named
    known_name = _name_in_sklearn(function)
    return Metric(
        measured if measured.isidentifier() else "score",
        given,
        given,
        named=named,
        measured=measured,
        needs=_needs_of(function, known_name, named),
        called=known_name,
        function=function,
        rows=RowScorer.of(function),
    )


def _without_partials(function: Any) -> Any:
    while isinstance(function, partial):
        function = function.func
    return function


def _name_in_sklearn(function: ScoringFunction) -> str:
    """Return the name that scikit-learn has for a function with its average, or nothing."""
    function_name = getattr(function.function, "__name__", "")
    known_name = _SAME_NEEDS.get(function_name, "")
    average = function.options.get("average", "binary")
    averaged_name = f"{known_name}_{average}"
    return averaged_name if averaged_name in METRICS else known_name


def _needs_of(function: ScoringFunction, known_name: str, function_name: str) -> str:
    """Return what the function of a scorer needs of the target of a test set."""
    if function_name == "roc_auc_score":  # with any options
        return "every class"
    if function.options.keys() & {"labels", "zero_division"}:
        return ""
    if known_name in METRICS:
        return METRICS[known_name].needs
    return _NEEDS_OF_OTHERS.get(getattr(function.function, "__name__", ""), "")


def read_metrics(scoring: Any, estimator: Any = None, test: Any = None) -> list[Metric]:
    """Read the metrics in `scoring`, or raise ValueError; None is an estimator's own score.

    Of a dict of estimators it is the metric that they share, which a test must take.
    """
    if scoring is None:
        if not isinstance(estimator, Mapping):
            return [_own_score(estimator)]
        scoring = _shared_metric(estimator, test)
    if isinstance(scoring, (list, tuple)):
        _check_list(scoring)
        scoring = dict(zip(scoring, scoring, strict=True))
    if isinstance(scoring, Mapping):
        if not scoring:
            raise ValueError("scoring={} must name at least one metric.")
        return [read_metric(given).renamed(name) for name, given in scoring.items()]
    return [read_metric(scoring)]


def _shared_metric(estimators: Mapping[str, Any], test: Any) -> str:
    """Return the usual metric of some estimators, one that a test takes."""
    kinds = {name: get_tags(model).estimator_type for name, model in estimators.items()}
    if set(kinds.values()) not in ({"classifier"}, {"regressor"}):
        raise ValueError(
            "Without scoring= the estimators must be all classifiers or all regressors, but "
            f"they are {kinds}. Pass scoring=, one metric for all of them."
        )
    if "classifier" in kinds.values():
        return "accuracy"
    if test is not None and test.unsuitable("r2", of_rows="fold"):
        return "neg_mean_squared_error"
    return "r2"


def is_one_metric(scoring: Any) -> bool:
    """Tell whether `scoring` is one metric: a name, a callable, or None, an estimator's own."""
    return scoring is None or isinstance(scoring, str) or callable(scoring)


def _check_list(scoring: Collection[Any]) -> None:
    """Raise ValueError for a list without metrics, of something else, or of the same ones."""
    if not is_list_of(scoring, str) or not 0 < len(set(scoring)) == len(scoring):
        raise ValueError(
            f"scoring={scoring!r} must name at least one metric, each once; for callables pass a "
            "dict from names to callables."
        )


def resolve_metrics(
    metrics: Sequence[Metric],
    estimators: Mapping[str, Any],
    y: Any = None,
    *,
    may_be_mute: bool = False,
) -> list[Metric]:
    """Return metrics that know the classes of y; TypeError if estimators lack what one needs."""
    resolved = []
    for metric in metrics:
        refuse_function_of_predictions(metric)
        mute = [name for name, model in estimators.items() if not metric.can_score(model)]
        if mute:
            if not may_be_mute:
                raise TypeError(_cannot_score(metric, mute))
            metric = replace(metric, is_mute=True)
        resolved.append(metric.knowing_classes(y))
    return resolved


def refuse_function_of_predictions(metric: Metric) -> None:
    """Raise ValueError for a function of targets and predictions in place of a scorer."""
    if not callable(metric.given):  # a name, or None
        return
    names: list[str] = []
    with suppress(TypeError, ValueError):  # what has no signature
        names = list(signature(metric.given).parameters)
    if not _OF_TARGETS.fullmatch("".join(names[:1])):
        return
    raise ValueError(
        f"scoring={describe(metric.given)} is a function of ({', '.join(names)}), and no scorer. "
        "Pass make_scorer(function, response_method=('decision_function', 'predict_proba')) if it "
        "takes scores or probabilities, make_scorer(function) if it takes labels or values; with "
        "greater_is_better=False if smaller is better."
    )


def _cannot_score(metric: Metric, mute: Sequence[str]) -> str:
    """Say what to do about estimators without the response that a metric needs."""
    wanted: Any = metric.responses
    return (
        f"{listed(mute)} cannot be scored with {metric.describe()!r}: no "
        f"{' or '.join(wanted)}. Choose another metric or estimator, put a "
        "classifier into CalibratedClassifierCV, which gives it a predict_proba, or a transformer "
        "into a pipeline that ends in a classifier or regressor, or pass a callable "
        "scoring(estimator, X, y)."
    )


def scorer_of(
    metrics: Sequence[Metric],
    estimators: Mapping[str, Any],
    *,
    of_rows: Collection[str] = (),
    fails: bool = True,
) -> Any:
    """Return what scores a fitted estimator: a number for a metric that is alone, else a dict.

    Of metrics whose rows are scored it has what they compared, besides the score.
    """
    some = next(iter(estimators.values()))
    if metrics[0].alone and not of_rows:
        return check_scoring(some, scoring=metrics[0].scorer)
    scorers = {}
    for metric in metrics:
        scorer = metric.scorer
        if metric.name in of_rows:
            scorer = metric.function.comparing_scorer
        # A partial shares no responses, so that only this metric fails without one.
        scorers[metric.name] = partial(scorer) if metric.is_mute else scorer
    return check_scoring(some, scoring=scorers, raise_exc=fails)


def describe(given: Any) -> str:
    """Describe a metric or an estimator for a reader: its name, or its representation."""
    if isinstance(given, str):
        return given
    if hasattr(given, "__qualname__"):
        return f"{given.__module__}.{given.__qualname__}"
    try:
        return one_line(given)
    except Exception:  # of a scorer of a partial, in scikit-learn 1.6.0
        return type(given).__name__.lstrip("_")


def check_target(y: Any, metrics: Iterable[Metric], estimators: Mapping[str, Any]) -> None:
    """Raise ValueError if there is no target and estimators need one."""
    # A callable may score without a target.
    if y is not None or any(callable(metric.given) for metric in metrics):
        return
    learning = [name for name, model in estimators.items() if learns_from_target(model)]
    if learning:
        raise ValueError(
            f"y is None, but a target is needed by {listed(learning)}; pass y, one entry for "
            "each row of X."
        )


def learns_from_target(model: Any) -> bool:
    """Return whether an estimator needs the target, or takes it, as univariate selectors do."""
    with suppress(Exception):  # not as scikit-learn's
        tags = get_tags(model)
        is_predictor = tags.estimator_type in _USUAL_METRICS
        return is_predictor or tags.target_tags.required or hasattr(model, "score_func")
    return hasattr(model, "predict")


def check_whole_target(y: Any, metrics: Iterable[Metric]) -> None:
    """Raise ValueError if the target of some rows is missing, unless a callable may take such."""
    values = np.asarray(y)
    is_dense = values.ndim > 0  # a sparse target is one object, and so is None
    if not is_dense or any(callable(metric.given) and not metric.is_scorer for metric in metrics):
        return
    missing = np.flatnonzero(missing_in(values).reshape(len(values), -1).any(axis=1))
    if missing.size:
        raise ValueError(
            f"y is missing (nan, None) in {missing.size} of {len(y)} rows, where no score can be "
            f"computed: {verb(missing.size, 'row', 'rows')} {listed(missing.tolist(), 5)}. Leave "
            "those rows out of X and y: y = y.dropna() and X = X.loc[y.index]; of arrays "
            "kept = ~pandas.isna(y) and X[kept], y[kept]."
        )


def _unknown(name: str) -> str:
    """Say that scikit-learn does not know a name, and which are like it."""
    known = get_scorer_names()
    plain = re.sub(r"\W", "_", name.lower())
    meant = [plain, f"neg_{plain}", CALLED.get(plain), CALLED.get(plain.removeprefix("neg_"))]
    close = [word for word in (*meant, *difflib.get_close_matches(plain, known)) if word in known]
    hint = f" Did you mean {close[0]!r}?" if close else ""
    return (
        f"scoring={name!r} is not a metric that scikit-learn knows.{hint} "
        "sklearn.metrics.get_scorer_names() lists them all."
    )


def _worst_is_best(given: Any, named: str, sign: int) -> str:
    """Say that greater is not better for a scorer."""
    better = {1: "smaller", -1: "greater"}[sign]
    return (
        f"scoring={describe(given)}: {better} is better in {named}, so the worst model would have "
        f"the highest score. Pass greater_is_better={sign < 0} to make_scorer."
    )


def _own_score(estimator: Any) -> Metric:
    """Return the metric that is an estimator's own ``score``, by the name of what it measures."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    score = getattr(type(estimator), "score", None)
    name = f"{type(estimator).__name__}.score"
    if getattr(score, "__module__", "").startswith(_USUAL_SCORES):
        name = _USUAL_METRICS.get(get_tags(estimator).estimator_type, name)
    return Metric(name, None, None, named=name, measured=name)
