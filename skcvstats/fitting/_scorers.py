"""The functions that scorers call, how they are called, and how the rows of a fold are scored."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any, Self

import numpy as np
import sklearn.metrics
from sklearn import get_config
from sklearn.metrics import accuracy_score, make_scorer

from .._utils._arrays import one_output
from .._utils._metrics import OF_FOLDS, RESPONSES, ROW_MEANS, WITHOUT_ROWS
from ._row_scores import OF_LABELS, ROWS, closed_form, rows_in_fold, with_weights, without_each

SCORER_TYPE = type(make_scorer(accuracy_score))


@dataclass(frozen=True)
class Compared:
    """A score, and the targets and the predictions that it is of."""

    score: Any
    y_true: Any
    y_pred: Any

    def __rmul__(self, sign: int) -> "Compared":
        # A scorer multiplies what its function returns by its sign.
        return Compared(sign * self.score, self.y_true, self.y_pred)


class _ComparingFunction:
    """A function that also returns what it compared, with the same parameters."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        self.__wrapped__ = function  # where `inspect.signature` looks for the parameters

    def __call__(self, y_true: Any, y_pred: Any, **options: Any) -> Compared:
        return Compared(self.__wrapped__(y_true, y_pred, **options), y_true, y_pred)


def _compared(y_true: Any, y_pred: Any, **_: Any) -> tuple[Any, Any]:
    return y_true, y_pred


@dataclass(frozen=True, eq=False)
class ScoringFunction:
    """A function of targets and predictions, and how its scorer calls it."""

    function: Any  # None if a metric is not known to have one
    name: str = ""  # in `sklearn.metrics`; empty of other functions
    options: Mapping[str, Any] = field(default_factory=dict)
    sign: int = 1  # -1 if the scores are minus the function
    responses: tuple[str, ...] | None = None  # of estimators, if the scorer states known ones
    requests: Mapping[str, Any] = field(default_factory=dict)  # the metadata that are routed to it

    @classmethod
    def read(cls, scorer: Any) -> "ScoringFunction":
        """Return the function of a scorer that `make_scorer` made, else `NO_FUNCTION`."""
        if type(scorer) is not SCORER_TYPE:
            return NO_FUNCTION
        # The only way to know all of these exactly: scikit-learn has no public names for them.
        private = vars(scorer)
        function = private["_score_func"]
        name = getattr(function, "__name__", "")
        is_in_sklearn = getattr(sklearn.metrics, name, None) is function
        responses = np.atleast_1d(private.get("_response_method", "")).tolist()  # one or several
        is_known = set(responses) <= set(RESPONSES)
        return cls(
            function=function,
            name=name if is_in_sklearn else "",
            options=dict(private["_kwargs"]),
            sign=private["_sign"],
            responses=tuple(responses) if is_known else None,
            requests=_requests_of(scorer),
        )

    @property
    def is_sum(self) -> bool:
        """Whether it is asked for a sum, which depends on the number of rows."""
        return not self.options.get("normalize", True)

    @property
    def lacks_rows(self) -> bool:
        """Whether its value is known to depend on the size of the test set."""
        return self.name in WITHOUT_ROWS or bool(self.name and self.is_sum)

    @property
    def reader(self) -> Any:
        """A scorer that returns the targets and the predictions that the function compares."""
        options = dict(self.options)
        parameters = signature(self.function).parameters
        if "pos_label" in parameters:  # whose probability scikit-learn takes
            options.setdefault("pos_label", parameters["pos_label"].default)
        return make_scorer(_compared, response_method=self.responses, **options)

    @property
    def comparing_scorer(self) -> Any:
        """A scorer that returns a score and what it compared."""
        return self.scorer_of(_ComparingFunction(self.function))

    def scorer_of(self, function: Callable[..., Any]) -> Any:
        """Return a scorer that calls another function as this one is called."""
        scorer: Any = make_scorer(
            function,
            response_method=self.responses,
            greater_is_better=self.sign > 0,
            **self.options,
        )
        if self.requests and get_config().get("enable_metadata_routing", True):
            scorer.set_score_request(**self.requests)
        return scorer

    def measure(self, y_true: Any, y_pred: Any, weights: Any = None) -> float:
        """Return the score of predictions, of all rows alike or with weights."""
        without = without_each(self.name, self.options, y_true, y_pred, weights=weights)
        if without is not None:  # in less time
            return self.sign * float(without[0])
        options = with_weights(self.options, weights)
        return self.sign * float(self.function(y_true, y_pred, **options))

    def is_quick(self, *, grouped: bool, weighted: bool) -> bool:
        """Tell whether scores of rows have a closed form, with groups or weights or without."""
        return closed_form(self.name, self.options, grouped=grouped, weighted=weighted) is not None

    def knowing_classes(self, y: Any) -> Self:
        """Return a function of probabilities that knows all classes; a test set may lack some."""
        labels = one_output(y)
        if labels is None:
            return self
        classes = np.unique(labels)
        if self.name == "brier_score_loss" and len(classes) == 2:
            return replace(self, options={"pos_label": classes.tolist()[-1], **self.options})
        if "labels" not in signature(self.function).parameters:
            return self  # of two classes only, before scikit-learn 1.7
        return replace(self, options={"labels": classes, **self.options})


NO_FUNCTION = ScoringFunction(None)


def _requests_of(scorer: Any) -> dict[str, Any]:
    """Return the metadata that a scorer requests."""
    requests = scorer.get_metadata_routing().score.requests
    return {name: alias for name, alias in requests.items() if alias is not None}


@dataclass(frozen=True, eq=False)
class RowScorer:
    """How the rows of a fold are scored in a metric."""

    # Of a "mean" each row has its own score. In a metric of a "fold" a row has the score of the
    # fold and its own contribution; some of these are "not measured" with tests on rows.
    kind: str
    function: ScoringFunction

    @classmethod
    def of(cls, function: ScoringFunction) -> Self | None:
        """Return how rows are scored by a function, None if it has no scores of rows."""
        if _is_mean_of_rows(function):
            return cls("mean", function)
        takes_other_metadata = not function.requests.keys() <= {"sample_weight"}
        if function.lacks_rows or not function.responses or takes_other_metadata:
            return None
        if function.name in OF_FOLDS and not function.options.get("max_fpr"):
            return cls("fold", function)
        return cls("not measured", function)

    def score(
        self,
        compared: tuple[Any, Any],
        score: float = np.nan,
        *,
        units: Any = None,
        weights: Any = None,
    ) -> np.ndarray:
        """Return the score of each row, greater is better, of targets and predictions of a fold."""
        y_true, y_pred = compared
        function = self.function
        is_alike = units is None and weights is None
        is_area = self.kind == "fold" and function.name == "roc_auc_score"
        if self.kind == "mean" or (is_area and is_alike and np.ndim(y_pred) == 1):
            return function.sign * ROWS[function.name](y_true, y_pred, **function.options)
        return rows_in_fold(
            function.function,
            function.options,
            score,
            y_true,
            y_pred,
            sign=function.sign,
            units=units,
            weights=weights,
        )


def _is_mean_of_rows(function: ScoringFunction) -> bool:
    """Return whether a function is the mean of scores of single rows."""
    options = function.options
    filler = options.get("zero_division")
    is_without_some = filler != filler  # the rows that lack a value
    if function.is_sum or is_without_some:
        return False
    if function.name in OF_LABELS:
        return bool(options.get("average") == "samples")
    return function.name in ROW_MEANS
