"""What to measure: the one place that reads `scoring`, and all that is known of each metric."""

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import signature
from typing import Any, Self

import numpy as np
import sklearn.metrics
from sklearn import get_config
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier, is_regressor
from sklearn.metrics import accuracy_score, check_scoring, get_scorer, get_scorer_names, make_scorer
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from .._utils._arrays import missing_in, one_output
from .._utils._checks import listed, one_line
from .._utils._metrics import (
    CALLED,
    METRICS,
    OF_FOLDS,
    OF_VARIATION,
    RESPONSES,
    ROW_MEANS,
    WITHOUT_ROWS,
    MetricFacts,
    known_of,
)
from .._utils._text import check_printable
from ._row_scores import FORMS, OF_LABELS, OF_ROWS_ONLY, ROWS, rows_in_fold, without_each

AREA = "roc_auc"
# Before the name of a metric, that of what it compares; no name that a user gives holds it.
OF_ROWS = "\0rows of "
# What `of_rows` is of metrics that have scores of rows.
WITH_ROWS = ("mean", "fold", "not measured")
# In names of functions of more than labels: of the order of rows by scores, or of probabilities.
_OF_MORE = re.compile(
    "(?P<order>(^|_)p?r?_?auc|average_precision|hinge_loss|top_k|n?dcg|gini)"
    "|log_?loss|brier|cross_?entropy"
)
_FEWEST_ROWS = 10  # on which two values are no chance
_SCORER = type(make_scorer(accuracy_score))
_OF_CLASSES = ("brier_score_loss", "log_loss", "top_k_accuracy_score")


@dataclass(frozen=True, eq=False)
class Metric:
    """A metric, read once: what measures it, from what, and what is known about it."""

    name: str  # of its scores
    given: Any  # its name in scikit-learn, a scorer, a callable, or None, an estimator's own score
    scorer: Any  # what measures it
    alone: bool  # whether it was given alone, not in a list or a dict
    named: str  # its name in scikit-learn, or of a scorer that of its function
    facts: MetricFacts | None = None  # what is known about it, if it was given by its name
    responses: tuple[str, ...] | None = None  # of estimators, as known or stated by the scorer
    function: Any = None  # of a scorer, with its options
    options: Mapping[str, Any] = field(default_factory=dict)
    sign: int = 1  # -1 if the scores are minus the function
    needs: str = ""  # of the target of a test set, as in `MetricFacts`
    positive: str = "1"
    called: str = ""  # in sentences about what it needs; empty is by its name
    # What scores of rows it has; an argument of `Procedure.unsuitable`.
    of_rows: str | None = None
    is_scorer: bool = False  # whether it was given as a scorer from `make_scorer`
    is_of_classes: bool = False  # whether scores of rows depend on the probability of each class
    written: str = ""  # the name of its function, also of a partial
    measured: str = ""  # what the scores are: minus the function, if less of that is better
    is_mute: bool = False  # whether an estimator lacks what it is computed from, which is known
    function_name: str = ""  # of its function in scikit-learn; empty of others'
    of_two: bool = False  # whether it is by its name for two classes, of labels 0 and 1 mostly
    more: str = ""  # what its function needs besides labels: the "order" of scores, or "chances"

    def __post_init__(self) -> None:
        check_printable([str(self.name)], "metrics")

    def describe(self) -> str:
        """Return its name, or its representation."""
        if self.given is None:
            return f"None, the estimator's own score ({self.name})"
        return describe(self.given)

    def in_sklearn(self) -> "Metric":
        """Return itself, or by its name where scikit-learn has the same scorer under one."""
        own = vars(self.given) if self.is_scorer else None
        names = (name for name in get_scorer_names() if own and vars(get_scorer(name)) == own)
        return next(map(read_metric, names), self)

    def row_scores(self, compared: tuple[Any, Any], score: float = np.nan, **of: Any) -> np.ndarray:
        """Return the score of each row, greater is better; `of` is what `rows_in_fold` takes."""
        y_true, y_pred = compared
        whole = all(part is None for part in of.values()) and np.ndim(y_pred) == 1
        is_area = self.of_rows == "fold" and self.function_name == "roc_auc_score"
        if self.of_rows == "mean" or (is_area and whole):
            return self.sign * ROWS[self.function.__name__](y_true, y_pred, **self.options)
        about = self.function, self.options, score, y_true, y_pred
        return rows_in_fold(*about, sign=self.sign, **of)

    def measure(self, y_true: Any, y_pred: Any, weights: Any = None) -> float:
        """Return the score of predictions, of all rows alike or with weights."""
        about = self.function_name, self.options, y_true, y_pred
        if (found := without_each(*about, weights=weights)) is not None:  # in less time
            return self.sign * float(found[0])
        more = self.options if weights is None else {**self.options, "sample_weight": weights}
        return self.sign * float(self.function(y_true, y_pred, **more))

    def sees_labels(self, values: Any, model: Any) -> bool:
        """Whether it is one of scores or probabilities, and these are labels, or like them."""
        values, is_predicted = np.asarray(values), self.responses == ("predict",)
        is_predicted = is_predicted and is_classifier(model)
        if self.function is None or not self.more or len(values) < _FEWEST_ROWS:
            return False
        values = values[:, -1] if values.ndim == 2 and values.shape[1] < 3 else values
        if self.more == "order" and values.ndim == 1:
            return is_predicted or len(np.unique(values)) == 2
        return is_predicted or bool(np.isin(values, (0, 1)).all())

    def is_quick(self, *, of_rows: bool) -> bool:
        """Whether scores of rows have a closed form, with rows as units that weigh alike or not."""
        if self.function_name in OF_ROWS_ONLY and not of_rows:
            return False
        form = FORMS.get(self.function_name)
        return form is not None and self.options.keys() <= set(form[1])

    @property
    def reader(self) -> Any:
        """A scorer that returns the targets and the predictions that the metric compares."""
        options, known = dict(self.options), signature(self.function).parameters
        if "pos_label" in known:  # of which scikit-learn takes the probability
            options.setdefault("pos_label", known["pos_label"].default)
        return make_scorer(_compared, response_method=self.responses, **options)

    def knowing_classes(self, y: Any) -> Self:
        """Return a metric of probabilities with the classes, of which a test set may lack some."""
        labels = one_output(y)
        if labels is None:
            return self
        known: dict[str, Any] = {"labels": np.unique(labels)}
        if self.function.__name__ == "brier_score_loss" and len(known["labels"]) == 2:
            known = {"pos_label": known["labels"].tolist()[-1]}
        elif "labels" not in signature(self.function).parameters:
            return self  # of two classes only, before scikit-learn 1.7
        options = known | dict(self.options)
        scorer: Any = make_scorer(
            self.function,
            response_method=self.responses,
            greater_is_better=self.sign > 0,
            **options,
        )
        requested = requests_of(self.scorer)
        if requested and get_config().get("enable_metadata_routing", True):
            scorer.set_score_request(**requested)
        return replace(self, scorer=scorer, options=options)

    def weights(self, params: Mapping[str, Any]) -> Any:
        """Return the weights of rows that it requests; None if it takes all rows alike."""
        name = requests_of(self.given).get("sample_weight") if self.is_scorer else None
        return None if name is None else params.get("sample_weight" if name is True else name)

    def complaint(self, y: Any, target: str = "y") -> tuple[str, str] | None:
        """Return that a metric `of_two` classes does not know the labels, and the remedy."""
        labels = one_output(y)
        if not self.of_two or self.facts is None:
            return None
        if labels is None or labels.dtype.kind not in "biUSO":
            return None
        try:
            classes = np.unique(labels).tolist()
        except TypeError:  # labels of different types
            return None
        has_average = self.given != "average_precision"
        if len(classes) > 2 and has_average:
            return (
                f"scoring={self.given!r} is for two classes, and {target} has {len(classes)}: "
                f"{listed(classes)}",
                f"For more than two classes use an average, such as scoring='{self.given}_"
                f"{'ovr' if self.given == AREA else 'macro'}'.",
            )
        if 1 in classes or len(classes) < 2 or self.given == AREA:
            return None
        average = f"an averaged metric such as scoring='{self.given}_macro', or "
        response = ", response_method='predict_proba'"
        return (
            f"scoring={self.given!r} takes 1 for the positive class, and {target} has the labels "
            f"{listed(classes)}: pos_label=1 is not a valid label",
            f"For labels other than 0 and 1 use {average if has_average else ''}"
            f"make_scorer({self.facts.function}, pos_label={classes[-1]!r}"
            f"{'' if has_average else response}).",
        )


def _compared(y_true: Any, y_pred: Any, **_: Any) -> tuple[Any, Any]:
    return y_true, y_pred


def read_metric(
    given: Any, name: str | None = None, *, estimator: Any = None, alone: bool = True
) -> Metric:
    """Read a metric, or raise ValueError for an unknown name or a scorer of the wrong direction."""
    is_name = isinstance(given, str)
    if is_name and given not in get_scorer_names():
        raise ValueError(_unknown(given))
    scorer, facts = (get_scorer(given), METRICS.get(given)) if is_name else (given, None)
    # The only way to know all of these exactly: scikit-learn has no public names for them.
    private = vars(scorer) if type(scorer) is _SCORER else {}
    is_scorer = bool(private) and not is_name
    own = private["_score_func"] if is_scorer else given
    while isinstance(own, partial):
        own = own.func
    called = given if is_name else getattr(given, "__name__", "score")
    measured = given if is_name else getattr(own, "__name__", type(own).__name__)
    if given is None:
        called = measured = _own_score(estimator)
    named = getattr(own, "__name__", "score") if is_scorer else called
    written = named if facts is None else facts.function
    found: dict[str, Any] = {"named": named, "facts": facts, "written": written}
    if more := _OF_MORE.search(written):
        found["more"] = "order" if more["order"] else "chances"
    if facts is not None:
        found |= {"responses": facts.responses, "needs": facts.needs}
        found["of_two"] = facts.needs == "positive" or given == AREA
    if not private:
        return Metric(name or called, given, scorer, alone, measured=measured, **found)
    function, options, sign = private["_score_func"], private["_kwargs"], private["_sign"]
    response, function_name = private.get("_response_method"), getattr(function, "__name__", "")
    responses = (response,) if isinstance(response, str) else tuple(response or ())
    if facts is None and responses and set(responses) <= set(RESPONSES):
        found["responses"] = responses
    if is_scorer:
        if known_of(named).sign == -sign:
            raise ValueError(_worst_is_best(given, named, sign))
        measured = f"neg_{named}" if sign < 0 else named
        called = measured if measured.isidentifier() else called
        known = "f1" if function_name == "fbeta_score" else CALLED.get(function_name, "")
        if options.get("average", "binary") != "binary" and f"{known}_macro" in METRICS:
            known = f"{known}_{options['average']}"
        if not options.keys() & {"labels", "zero_division"}:
            of_values = "two values" if function_name in OF_VARIATION else ""
            found["needs"] = METRICS[known].needs if known in METRICS else of_values
            found["positive"] = str(options.get("pos_label", 1))
        found |= {"is_scorer": True, "called": name or known}
    filler = options.get("zero_division")  # a mean without the rows that lack a value
    is_mean = options.get("normalize", True) and not options.get("max_fpr") and filler == filler
    is_mean = is_mean and (function_name not in OF_LABELS or options.get("average") == "samples")
    is_own = getattr(sklearn.metrics, function_name, None) is function
    found |= {"function": function, "options": dict(options), "sign": sign, "measured": measured}
    found["function_name"] = function_name if is_own else ""
    if is_own and is_mean and function_name in ROW_MEANS:
        found |= {"of_rows": "mean", "is_of_classes": function_name in _OF_CLASSES}
    elif is_own and (function_name in WITHOUT_ROWS or not options.get("normalize", True)):
        found["of_rows"] = "none"
    elif found.get("responses") and requests_of(scorer).keys() <= {"sample_weight"}:
        was_measured = is_own and function_name in OF_FOLDS and not options.get("max_fpr")
        found["of_rows"] = "fold" if was_measured else "not measured"
    return Metric(name or called, given, scorer, alone, **found)


def read_metrics(scoring: Any, estimator: Any = None, test: Any = None) -> list[Metric]:
    """Read the metrics in `scoring`, or raise ValueError; None is an estimator's own score.

    Of a dict of estimators it is the metric that they share, and a test takes.
    """
    if scoring is None and isinstance(estimator, Mapping):
        kinds = dict.fromkeys(estimator, "neither")
        kinds |= {name: "classifier" for name, model in estimator.items() if is_classifier(model)}
        kinds |= {name: "regressor" for name, model in estimator.items() if is_regressor(model)}
        if len(set(kinds.values())) > 1 or "neither" in kinds.values():
            raise ValueError(
                "Without scoring= the estimators must be all classifiers or all regressors, but "
                f"they are {kinds}. Pass scoring=, one metric for all of them."
            )
        of_squares = test is not None and test.unsuitable("r2", of_rows="fold")
        of_numbers = "neg_mean_squared_error" if of_squares else "r2"
        scoring = "accuracy" if "classifier" in kinds.values() else of_numbers
    if isinstance(scoring, Mapping):
        if not scoring:
            raise ValueError("scoring={} must name at least one metric.")
        for name, metric in scoring.items():
            if not isinstance(metric, str) and not callable(metric):
                raise ValueError(
                    f"scoring[{name!r}] is {metric!r}; it must be a metric's name or a callable."
                )
        return [read_metric(given, name, alone=False) for name, given in scoring.items()]
    if isinstance(scoring, (list, tuple, set)):
        if not all(isinstance(metric, str) for metric in scoring):
            raise ValueError(
                f"scoring={scoring!r} must list names of metrics; for callables pass a dict from "
                "names to callables."
            )
        if not scoring or len(set(scoring)) != len(scoring):
            raise ValueError(f"scoring={scoring!r} must name at least one metric, each once.")
        names = sorted(scoring) if isinstance(scoring, set) else scoring
        return [read_metric(name, alone=False) for name in names]
    is_own = scoring is None and estimator is not None
    if not callable(scoring) and not isinstance(scoring, str) and not is_own:
        raise ValueError(
            f"scoring={scoring!r} must be the name of a metric, a callable, a list of names or a "
            "dict from names to metrics."
        )
    return [read_metric(scoring, estimator=estimator)]


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
        if metric.alone:  # an error for a function of scikit-learn that is no scorer
            check_scoring(next(iter(estimators.values())), scoring=metric.given)
        wanted = (isinstance(metric.given, str) and metric.responses) or RESPONSES
        mute = [n for n, it in estimators.items() if not any(hasattr(it, way) for way in wanted)]
        if mute and may_be_mute:
            metric = replace(metric, is_mute=True)
        elif mute and not (metric.alone and callable(metric.given)):
            raise TypeError(
                f"{listed(mute)} cannot be scored with {metric.given!r}: no "
                f"{' or '.join(wanted)}. {_instead_of([estimators[name] for name in mute], wanted)}"
            )
        resolved.append(metric.knowing_classes(y) if metric.is_of_classes else metric)
    return resolved


def _instead_of(mute: Iterable[Any], wanted: Sequence[str]) -> str:
    """Say what to do about estimators without the response that a metric needs."""
    classifiers = all(hasattr(it, "__sklearn_tags__") and is_classifier(it) for it in mute)
    if tuple(wanted) == ("predict_proba",) and classifiers:
        return (
            "Choose another metric or a classifier with predict_proba, or wrap this one in "
            "sklearn.calibration.CalibratedClassifierCV, which gives it one."
        )
    return (
        "Choose another metric or estimator, put a transformer into a pipeline that ends in a "
        "classifier or regressor, or pass a callable scoring(estimator, X, y)."
    )


def scorer_of(
    metrics: Sequence[Metric],
    estimators: Mapping[str, Any],
    *,
    of_rows: Collection[str] = (),
    fails: bool = True,
) -> Any:
    """Return what scores a fitted estimator: a number for a metric that is alone, else a dict."""
    some = next(iter(estimators.values()))
    if metrics[0].alone and not of_rows:
        return check_scoring(some, scoring=metrics[0].scorer)
    several = {metric.name: metric.scorer for metric in metrics}
    if of_rows:
        scored = (it for it in metrics if it.name in of_rows and it.of_rows in WITH_ROWS)
        several |= {OF_ROWS + metric.name: metric.reader for metric in scored}
    # A partial shares no responses, so that only this metric fails without one.
    silent = {name for it in metrics if it.is_mute for name in (it.name, OF_ROWS + it.name)}
    several |= {name: partial(several[name]) for name in silent & several.keys()}
    return check_scoring(some, scoring=several, raise_exc=fails)


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


def requests_of(scorer: Any) -> dict[str, Any]:
    """Return the metadata that a scorer requests."""
    asked = scorer.get_metadata_routing().score.requests
    return {name: alias for name, alias in asked.items() if alias is not None}


def check_target(
    y: Any, metrics: Iterable[Metric], estimators: Mapping[str, Any], *, whole: bool = True
) -> None:
    """Raise ValueError if there is no target and estimators need one, or if it is not `whole`."""
    own = [metric for metric in metrics if callable(metric.given)]
    if y is None:
        learning = [  # of a pipeline no tag says that it does
            name
            for name, model in estimators.items()
            if hasattr(model, "__sklearn_tags__")
            and (
                is_classifier(model) or is_regressor(model) or get_tags(model).target_tags.required
            )
        ]
        if learning and not own:
            raise ValueError(
                f"y is None, but a target is needed by {listed(learning)}; pass y, one entry for "
                "each row of X."
            )
        return
    if not whole or not all(metric.is_scorer for metric in own) or hasattr(y, "toarray"):
        return
    try:
        values = np.asarray(y)
    except ValueError:  # rows of different lengths
        return
    missing = np.flatnonzero(missing_in(values).reshape(len(values), -1).any(axis=1))
    if missing.size:
        raise ValueError(
            f"y is missing (nan, None) in {missing.size} of {len(y)} rows, the first of them row "
            f"{missing[0]}. Leave those rows out of X and y, or fill them: no score can be "
            "computed there."
        )


def _unknown(name: str) -> str:
    """Say that scikit-learn does not know a name, and which are like it."""
    known, plain = get_scorer_names(), re.sub(r"\W", "_", name.lower())
    meant = [plain, f"neg_{plain}", CALLED.get(plain), CALLED.get(plain.removeprefix("neg_"))]
    close = [word for word in dict.fromkeys(meant) if word in known]
    close = close[:1] or difflib.get_close_matches(plain, known)
    hint = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
    return (
        f"scoring={name!r} is not a metric that scikit-learn knows.{hint} "
        "sklearn.metrics.get_scorer_names() lists them all."
    )


def _worst_is_best(given: Any, named: str, sign: int) -> str:
    """Say that greater is not better for a scorer."""
    better, remedy = "smaller", "Pass greater_is_better=False to make_scorer"
    if sign < 0:
        better, remedy = "greater", "Leave greater_is_better=False out"
    return (
        f"scoring={describe(given)}: {better} is better in {named}, so the worst model would have "
        f"the highest score. {remedy}."
    )


def _own_score(estimator: Any) -> str:
    """Return the name of what an estimator's own ``score`` measures."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    score = getattr(type(estimator), "score", None)
    usual = getattr(score, "__module__", "").startswith(("sklearn.dummy", "sklearn.neighbors"))
    if score is ClassifierMixin.score or (usual and is_classifier(estimator)):
        return "accuracy"
    if score is RegressorMixin.score or (usual and is_regressor(estimator)):
        return "r2"
    return f"{type(estimator).__name__}.score"
