"""Turn predictions of fitted models on one test set into scores for a procedure."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_random_state

from .._utils._arrays import weights_or_ones
from .._utils._checks import check_flag, check_option, check_verbose, listed
from .._utils._metrics import known_of, scale_of, shown_as
from .._utils._shared_arguments import check_n_jobs, check_optional_integer, check_seed
from .._utils._text import counted, message_of, verb
from .._utils._warn import FILTERS, heard
from ..exceptions import AnticonservativeWarning, SplitDesignError
from ..fitting import OF_LABELS, RowScorer, Undefined, hint_for, needs, predicted_outside
from ..notes import (
    Evidence,
    LabelsEvidence,
    MetricEvidence,
    SomeRows,
    on_scores,
    rows_looked_at,
    with_notes,
)
from ..scores import CVScores, Note, RowScores, SplitDesign, find_notes
from ..stats import (
    DieboldMarianoTest,
    Groups,
    GroupSizes,
    LocationTest,
    few_groups,
    read_groups,
    student_quantile,
)
from ._bootstrap import (
    BootstrapTest,
    Resampling,
    bootstrap_scores,
    check_defined,
    notes_on_few,
    replicate,
    strata_of,
)
from ._delong import DeLongTest, auc_scores
from ._held_out import ClusteredTTest, mean_scores
from ._jackknife import JackknifeTTest, jackknife_scores
from ._mcnemar import McNemarScoreTest, correct_scores
from ._predictions import TestSet, sentence_of
from ._pseudo_values import defined_metric, is_examined, is_known_not_smooth, leave_out_units
from ._runs import pseudo_values
from ._stored import DECISION, PREDICT, PROBA, StoredDecisions, StoredLabels, StoredProbabilities
from ._units import unit_scorer

_FEWEST_REPLICATES = 2000
# sqrt(.025 * .975 / 1e6) / (normal density at 1.96) is .003: the chance error of a 95 % end.
_MOST_REPLICATES = 10**6
# With fewer rows of a class the jackknife was not measured.
_FEWEST_OF_CLASS = 10
# Intervals of a lower average precision miss it too often with 9 to so many positives.
_LOW_PRECISION = 0.4
_FEW_POSITIVES = 30
_SAID_WHEN_READ = "The y_prob values do not sum"
_LEVEL = 0.05  # of the note on models that are no better than a constant
_RESPONSES = {StoredLabels: PREDICT, StoredDecisions: DECISION, StoredProbabilities: PROBA}
OF_GIVEN = (
    "overfitted, overconfident, predictions in another order of rows, columns exchanged, or on "
    "another scale"
)


@dataclass(frozen=True, eq=False)
class Options:
    """The method, and the options of a bootstrap, if one is needed."""

    method: str
    n_resamples: int | None
    stratify: bool
    random_state: Any
    n_jobs: int | None
    verbose: int

    def __post_init__(self) -> None:
        check_flag("stratify", self.stratify)
        check_verbose(self.verbose)


def check_resampling(n_resamples: Any, random_state: Any, n_jobs: Any) -> None:
    """Raise ValueError for an argument of a bootstrap, also where none is needed."""
    why = (
        "the ends of an interval are replicates far out, and with the most an end moves by about "
        "0.003 standard errors"
    )
    check_optional_integer("n_resamples", n_resamples, _FEWEST_REPLICATES, why, _MOST_REPLICATES)
    check_seed(random_state)
    check_n_jobs(n_jobs)


def measure_test_set(test_set: TestSet, options: Options) -> tuple[CVScores, str]:
    """Return the scores of fitted models, and the method that they are for."""
    ways = list(_WAYS)
    also = ""
    if test_set.row_labels.is_timed:
        ways = ["diebold_mariano"]
        also = " Others need independent rows, and time= says that they may depend on each other."
    method = check_option("method", options.method, ["auto", *ways], also)
    _check_measurable(test_set)
    undefined: dict[str, list[str]] = {}
    values = score_runs(test_set, undefined)
    if undefined:
        test_set = _with_ratios_of_0(test_set, undefined)
    if method != "auto":
        ways = [method]
    for way in ways:
        scores = _WAYS[way](test_set, values, options)
        if scores is not None:
            noted = scores.with_notes([*two_valued_notes(test_set), *test_set.notes])
            return _with_constant(test_set, noted, way, options), way
    raise ValueError(
        f"method={way!r} needs {_NEEDS[way]}; it does not suit {test_set.metric_name!r} "
        "here. Choose another metric, or pass method='auto' and no time=."
    )


def _with_ratios_of_0(test_set: TestSet, undefined: Mapping[str, Sequence[str]]) -> TestSet:
    """Return a test set in whose metric 0/0 is 0, as a precision without positives, and a note."""
    metric = test_set.metric
    first, *_ = undefined
    if metric.function_name not in OF_LABELS:
        raise ValueError(_not_defined(test_set, first))
    options = {**metric.options, "zero_division": 0.0}
    function = replace(metric.function, options=options)
    scorer = function.scorer_of(function.function)
    metric = replace(metric, function=function, scorer=scorer, rows=RowScorer.of(function))
    sentence = undefined[first][0].partition(". ")[0]
    noted = find_notes(Undefined(test_set.metric_name, f"{listed(undefined)}: {sentence}"))
    return replace(test_set, metric=metric, notes=(*test_set.notes, *noted))


_NO_BOOTSTRAP = {"n_resamples": None, "stratify": False}


def check_bootstrap_options(options: Options, ways: Mapping[str, str]) -> None:
    """Raise ValueError where a bootstrap has options, but none of the metrics is resampled."""
    passed = {"n_resamples": options.n_resamples, "stratify": options.stratify}
    if passed != _NO_BOOTSTRAP and BootstrapTest.name not in ways.values():
        methods = ", ".join(f"{metric} by {way}" for metric, way in ways.items())
        raise ValueError(
            f"n_resamples={options.n_resamples} and stratify={options.stratify} are for the "
            f"bootstrap, and no metric is resampled here: {methods}. Leave them out, or pass "
            "method='bootstrap'."
        )


def _check_measurable(test_set: TestSet) -> None:
    """Raise ValueError where the metric is not defined, or means little, on this test set."""
    metric = test_set.metric
    if metric.name_of_function == "max_error":
        raise ValueError(
            f"{test_set.metric_name} has no valid confidence interval on a test set, by any "
            "method: other rows can have far larger errors than the largest one here. Choose "
            "another metric, such as neg_mean_absolute_error."
        )
    lack = needs(metric, test_set.known_labels, np.arange(test_set.n_rows))
    if lack is not None and lack.is_refused:
        raise ValueError(sentence_of(lack, test_set.metric_name))


def notes_of_order(test_set: TestSet, way: str) -> tuple[Note, ...]:
    """Return a note of rows in an order that matters, where the method does not allow for it."""
    y = test_set.y
    if way == "diebold_mariano" or test_set.groups is not None:
        return ()
    # Records, such as times, are not compared with predictions.
    are_numbers = y.dtype.kind in "biuf" and y.shape == test_set.runs[0].values.shape
    if not are_numbers and test_set.classes is None:
        return ()
    rows = rows_looked_at(test_set.n_rows)
    part = test_set.only(rows)
    scores = np.stack([_nearness(run.values, part) for run in part.runs])
    some_rows = SomeRows(rows, test_set.averaged(scores))
    return on_scores(Evidence(y=test_set.y), of_rows=some_rows, noted=test_set.notes)


def _nearness(values: np.ndarray, test_set: TestSet) -> np.ndarray:
    """Return how near predictions are to the target of each row, or scores as they are."""
    y = test_set.y
    if test_set.classes is None:
        squares = np.square(values - y).reshape(len(y), -1)
        return np.asarray(-squares.mean(axis=1))
    if test_set.has_labels:
        return np.asarray(-(values != y).astype(float))
    if values.ndim == 1:
        return values
    by_class: np.ndarray = values[np.arange(len(y)), np.searchsorted(test_set.runs[0].classes, y)]
    return by_class


def score_runs(test_set: TestSet, undefined: dict[str, list[str]]) -> np.ndarray:
    """Return the metric of each run on all rows; see `score_on`."""
    rows = test_set.all_rows
    return np.array([score_on(test_set, k, rows, undefined) for k in range(len(test_set.runs))])


def score_on(test_set: TestSet, k: int, rows: Any, undefined: dict[str, list[str]]) -> float:
    """Return the metric of a run on some rows, or raise an error that says why there is none.

    Of what scikit-learn takes for a ratio of 0 to 0, `undefined` gets what it says, by model.
    """
    name = test_set.labels[test_set.owners[k]]
    outside = predicted_outside(test_set.metric, test_set.runs[k].values)
    if outside:
        raise ValueError(f"The predictions of {name!r} are {outside}")
    try:
        with (
            np.errstate(over="ignore", invalid="ignore"),  # which is refused below
            heard(UndefinedMetricWarning, ignored=_SAID_WHEN_READ) as said,
        ):
            value = test_set.score(k, rows)
    except (TypeError, ValueError, ZeroDivisionError) as error:
        hint = hint_for(str(error))
        raise ValueError(
            f"{test_set.metric_name} cannot be computed for {name!r}: "
            f"{message_of(error).rstrip('.')}. {hint}".rstrip()
        ) from error
    if np.isfinite(value):
        if said:
            undefined.setdefault(name, []).append(said[0])
        return value
    raise ValueError(_not_defined(test_set, name))


def _not_defined(test_set: TestSet, name: str) -> str:
    return (
        f"{test_set.metric_name} is not defined for {name!r} on this test set, or some of its "
        "predictions are so large that it overflows. Correct them, leave the model out, or use "
        f"{defined_metric(test_set)}."
    )


_NEEDS = {
    "diebold_mariano": "time=, and a metric that is made from scores of rows",
    "clustered_t": "a metric that is a mean over rows, such as accuracy or neg_log_loss",
    "delong": "scoring='roc_auc' of two classes, and no weights",
    "jackknife_t": "a metric that changes smoothly as rows are left out",
    "mcnemar": "scoring='accuracy', one run of each model, no groups and no weights",
}


_OF_INDEX = Note(
    "dates",
    "the index has dates, so rows are in time order and may depend on those near in time; without "
    "the index, .reset_index(drop=True), they are taken to be independent",
    None,
)


def timed_scores(
    rows: np.ndarray,
    times: Any,
    stamps: Any,
    *,
    asked: bool,
    groups: Any,
    sample_weight: Any,
    **given: Any,
) -> CVScores | None:
    """Return scores with those of rows and their times; None where dates of an index do not do."""
    numbers = np.arange(rows.shape[1])
    known = {"groups": groups, "sample_weight": sample_weight, "times": times}
    reason = DieboldMarianoTest().unsuitable(tests=[numbers], **known)
    if reason:
        if asked:
            raise SplitDesignError(reason)
        return None
    design = SplitDesign.of_test_set(len(numbers), given.pop("y_digest", None))
    means = rows.mean(axis=1, keepdims=True)
    ends = np.array([0, len(numbers)])
    of_rows = RowScores(values=rows, rows=numbers, offsets=ends, times=times)
    notes = () if asked else (_OF_INDEX,)
    scores = CVScores(values=means, design=design, row_scores=of_rows, notes=notes, **given)
    return scores.with_notes(on_scores(Evidence(), scores=scores, stamps=stamps))


def _row_scores(test_set: TestSet, values: np.ndarray) -> np.ndarray:
    """Return the score of each row in each run."""
    row_scorer: Any = test_set.metric.rows
    read = row_scorer.function.reader
    numbers = np.arange(test_set.n_rows)
    with FILTERS:  # which scikit-learn changes there
        compared = [read(run, numbers, test_set.y) for run in test_set.runs]
    return np.stack(list(map(row_scorer.score, compared, values.tolist())))


def _by_time(test_set: TestSet, values: np.ndarray, options: Options) -> CVScores | None:
    """Return scores of rows in time order; None if these are not, or the metric does not do."""
    metric = test_set.metric
    asked = test_set.row_labels.is_timed
    taken = ("mean", "fold", "not measured") if asked else ("mean", "fold")
    if test_set.row_labels.times is None or metric.of_rows not in taken:
        return None
    rows = test_set.averaged(_row_scores(test_set, values))
    if not np.isfinite(rows).all():
        raise ValueError(
            f"{test_set.metric_name} is not defined without one of the rows, the only one of its "
            "class. Test on a longer period, or use scoring='neg_log_loss'."
        )
    more = {"groups": test_set.groups, "sample_weight": test_set.weights, "asked": asked}
    labels = test_set.row_labels
    scores = timed_scores(rows, labels.times, labels.stamps, **more, **test_set.facts())
    if scores is None or metric.of_rows != "not measured":
        return scores
    known = Evidence(procedures={test_set.metric_name: DieboldMarianoTest()}, weights={})
    named_metric = replace(metric, name=test_set.metric_name)
    return scores.with_notes(find_notes(MetricEvidence(known, named_metric)))


def _by_rows(test_set: TestSet, values: np.ndarray, options: Options) -> CVScores | None:
    """Return scores that are means over rows; of shares of right rows with Wilson's interval."""
    if test_set.metric.of_rows != "mean":
        return None
    more = {"groups": test_set.groups, "sample_weight": test_set.weights}
    more["are_shares"] = options.method == "auto" and _are_shares(test_set)
    rows = _row_scores(test_set, values)
    more["runs"] = test_set.by_model(rows)
    return mean_scores(test_set.averaged(rows), **more, **test_set.facts())


def _by_delong(test_set: TestSet, values: np.ndarray, options: Options) -> CVScores | None:
    """Return areas under ROC curves with their placements; None of others, or with weights."""
    classes: Any = test_set.classes
    if test_set.metric.given != "roc_auc" or test_set.weights is not None or len(classes) != 2:
        return None
    by_model: dict[int, list[np.ndarray]] = {}
    for owner, run in zip(test_set.owners, test_set.runs, strict=True):
        scores_of_run = run.values.reshape(test_set.n_rows, -1)[:, -1]
        by_model.setdefault(owner, []).append(scores_of_run)
    scores_by_model = list(by_model.values())
    return auc_scores(test_set.y, scores_by_model, groups=test_set.groups, **test_set.facts())


def two_valued_notes(test_set: TestSet) -> tuple[Note, ...]:
    """Return a note of the models whose predictions are labels, though the metric needs more."""
    are_labels = [test_set.metric.sees_labels(run.values, run) for run in test_set.runs]
    of_all_runs = test_set.averaged(np.array(are_labels, dtype=float)) == 1
    coarse = [*compress(test_set.labels, of_all_runs)]
    return find_notes(LabelsEvidence(test_set.metric, coarse))


def _with_constant(test_set: TestSet, scores: CVScores, way: str, options: Options) -> CVScores:
    """Return scores that know that of a constant, with a note of the models that are worse."""

    def errors(scores: CVScores) -> Any:
        vary = [(run.values != run.values[:1]).any() for run in test_set.runs]
        is_constant = test_set.averaged(np.array(vary, dtype=float)) == 0  # only by chance worse
        return np.where(is_constant, np.inf, KINDS[way]().run(scores).standard_error)

    def is_ahead(winner: int, best: float, fit: Callable[[], Any]) -> bool:
        test: Any = KINDS[way]().run(scores.row(winner))
        gain = test.estimate - best
        metric = test_set.metric
        how = {"grouped": test_set.groups is not None, "weighted": test_set.weights is not None}
        if metric.of_rows == "mean" or metric.function.is_quick(**how):
            with suppress(ValueError):  # of ratios that a constant does not have
                test = _difference(test_set, winner, fit(), way, options)
                gain = test.estimate
        return bool(gain > -student_quantile(test.df, _LEVEL / 2) * test.standard_error)

    return with_notes(
        Evidence(y=test_set.y),
        scores,
        metric=test_set.metric,
        of_classes=test_set.of_classes,
        sample_weight=test_set.weights,
        errors=errors,
        is_ahead=is_ahead,
        hint=OF_GIVEN,
    )


def _difference(test_set: TestSet, model: int, constant: Any, way: str, options: Options) -> Any:
    """Return the test of the difference of a model and a constant on the same rows."""
    own = [*compress(test_set.runs, np.equal(test_set.owners, model))]
    response = _RESPONSES[type(own[0])]
    values = getattr(constant, response)(np.zeros((test_set.n_rows, 1)))
    other = type(own[0])(**(own[0].get_params() | {"values": values}))
    owners = (*[0] * len(own), *[1] * len(own))  # which was run as often
    runs = (*own, *[other] * len(own))
    pair = replace(test_set, labels=("model", "constant"), runs=runs, owners=owners)
    scores: Any = _WAYS[way](pair, score_runs(pair, {}), replace(options, verbose=0))
    return KINDS[way]().run(scores.differences([0], [1])).take(0)


def _are_shares(test_set: TestSet) -> bool:
    """Tell whether the metric is the share of right rows of single runs on independent rows."""
    is_share = test_set.metric.given == "accuracy" and test_set.y.ndim == 1
    return is_share and test_set.has_single_runs_of_alike_rows


def _by_mcnemar(test_set: TestSet, values: np.ndarray, options: Options) -> CVScores | None:
    if not _are_shares(test_set):
        return None
    correct = np.stack([run.values == test_set.y for run in test_set.runs])
    return correct_scores(correct, **test_set.facts())


def _by_jackknife(test_set: TestSet, values: np.ndarray, options: Options) -> CVScores | None:
    """Return scores with pseudo-values; None of a metric that is not smooth."""
    if is_known_not_smooth(test_set):
        return None
    groups = read_groups(test_set.groups, test_set.n_rows, test_set.weights)
    seed = _seed(options)
    left_out = leave_out_units(test_set, groups, seed, options.n_jobs, options.verbose)
    if options.method == "auto" and not left_out.is_smooth:
        return None
    notes = [*_notes_on_few(_sizes(test_set, groups)), *_notes_on_precision(test_set, values)]
    if is_examined(test_set):
        notes.append(_smoothness_note(test_set, is_smooth=left_out.is_smooth))
    facts = {
        "n_groups": groups.n_groups,
        "grouped": test_set.groups is not None,
        "weighted": test_set.weights is not None,
        "scaled": _is_scaled(test_set),
    }
    shared = {}
    if not test_set.has_alike_rows:
        shared["sizes"] = left_out.units.sizes(test_set.weights, test_set.n_rows)
    if test_set.weights is not None:
        shared["squares"] = left_out.units.sums(test_set.weights**2)
    return jackknife_scores(
        test_set.averaged(values),
        left_out.without_units,
        runs=test_set.by_model(pseudo_values(values, left_out.of_runs)),
        facts=facts,
        shared=shared,
        rows_of_share=_rows_of_share(test_set, values),
        highest=known_of(test_set.metric.measured).high,
        n_rows=test_set.n_rows,
        notes=notes,
        **test_set.facts(),
    )


def _is_scaled(test_set: TestSet) -> bool:
    """Return whether the metric has a range, for which there is a scale."""
    metric = test_set.metric
    if not metric.function_name or metric.of_rows == "mean":
        return False
    options = metric.function.options
    # Values that reach below the range of the name, or are counts.
    if options.get("adjusted") or not options.get("normalize", True):
        return False
    return bool(scale_of(metric.measured))


def _seed(options: Options) -> int:
    return int(check_random_state(options.random_state).randint(np.iinfo(np.int32).max))


def _notes_on_few(sizes: Sequence[GroupSizes]) -> tuple[Note, ...]:
    """Return a note on few rows or groups of the rarer class, or on few groups."""
    fewest = min(sizes, key=lambda one: one.n_units)
    of_class = "" if fewest is sizes[0] else f" with {fewest.of}"
    if fewest.unit == "group":
        return few_groups(fewest.n_units, of_class)
    if not of_class or fewest.n_units >= _FEWEST_OF_CLASS:
        return ()
    text = (
        f"only {fewest.units}: the interval is approximate, and tests may reject true null "
        f"hypotheses too often; test on at least {_FEWEST_OF_CLASS}"
    )
    return (Note("few of a class", text),)


def _notes_on_precision(test_set: TestSet, values: np.ndarray) -> tuple[Note, ...]:
    """Return a note on a low average precision of few positives."""
    if test_set.metric.function_name != "average_precision_score" or values.min() >= _LOW_PRECISION:
        return ()
    n_positive = int(np.count_nonzero(test_set.y == test_set.metric.options.get("pos_label", 1)))
    if not _FEWEST_OF_CLASS - 1 <= n_positive <= _FEW_POSITIVES:
        return ()
    text = (
        f"an average precision below {_LOW_PRECISION} of only {n_positive} positive rows: the 95 % "
        "interval of a single score misses it in 8 to 12 % of data sets"
    )
    return (Note("few positives", text, None),)


def _smoothness_note(test_set: TestSet, *, is_smooth: bool) -> Note:
    """Return a note on the jackknife of a metric whose smoothness was examined."""
    name = shown_as(test_set.metric_name).name
    if is_smooth:
        why = f"{name} was found to change smoothly as rows are left out"
        return Note("smoothness", f"{why}, so the jackknife t-test is used", None)
    text = (
        f"{name} does not change smoothly as rows are left out, so its standard error may be far "
        "too small or too large; use method='bootstrap'"
    )
    return Note("smoothness", text, AnticonservativeWarning)


def _rows_of_share(test_set: TestSet, values: np.ndarray) -> np.ndarray:
    """Return how many rows a recall or precision of 0 or 1 of each model is of; else 0."""
    function = test_set.metric.function
    is_share = function.options.get("average", "binary") == "binary"
    n_rows = np.zeros(len(test_set.labels))
    if is_share and test_set.has_single_runs_of_alike_rows:
        positive = function.options.get("pos_label", 1)
        if function.name == "recall_score":
            n_rows += np.count_nonzero(test_set.y == positive)
        elif function.name == "precision_score":
            n_rows += [np.count_nonzero(run.values == positive) for run in test_set.runs]
        n_rows *= np.isin(values, (0, 1))
    return n_rows


def _by_bootstrap(test_set: TestSet, values: np.ndarray, options: Options) -> CVScores:
    groups = read_groups(test_set.groups, test_set.n_rows, test_set.weights)
    strata: tuple[np.ndarray, ...] = (np.arange(groups.n_groups),)
    if options.stratify:
        strata = strata_of(test_set.y, groups.codes)
    seed = _seed(options)
    n_resamples = options.n_resamples or _FEWEST_REPLICATES
    drawn, left_out, n_undefined = replicate(
        unit_scorer(test_set, groups),
        Resampling(groups.n_groups, seed, strata),
        n_resamples,
        options.n_jobs,
        options.verbose,
    )
    metric = test_set.metric_name
    check_defined(drawn, n_undefined, n_resamples, metric)
    notes = list(notes_on_few(_sizes(test_set, groups), are_alike=test_set.has_alike_rows))
    if options.method == "auto":  # which comes here from the jackknife
        why = f"{shown_as(metric).name} does not change smoothly as rows are left out"
        notes.append(Note("smoothness", f"{why}, so the bootstrap is used", None))
    if n_undefined > 0:
        samples = counted(n_undefined, "bootstrap sample")
        were = verb(n_undefined, "was", "were")
        text = f"{samples} on which {metric} is not defined {were} drawn again"
        notes.append(Note("undefined replicates", text, None))
    facts = {
        "n_groups": groups.n_groups,
        "grouped": test_set.groups is not None,
        "stratified": options.stratify,
    }
    return bootstrap_scores(
        test_set.averaged(values),
        test_set.averaged(drawn),
        test_set.averaged(left_out),
        facts=facts,
        n_rows=test_set.n_rows,
        notes=notes,
        **test_set.facts(n_resamples=n_resamples, seed_of_resamples=seed),
    )


def _sizes(test_set: TestSet, groups: Groups) -> list[GroupSizes]:
    """Return the sizes of groups, or weights, of all rows, and of those of each of two classes."""
    weights = weights_or_ones(test_set.weights, test_set.n_rows)
    are = {"grouped": test_set.groups is not None, "weighted": test_set.weights is not None}
    all_rows = GroupSizes.named(groups.sums(weights), None, **are)
    sizes = [all_rows]
    if test_set.classes is None:
        return sizes
    labels = np.unique(test_set.y).tolist()
    if len(labels) == 2:
        for label in labels:
            of_class = groups.sums(weights * (test_set.y == label))
            what = f"{all_rows.of} of class {label!r}"
            sizes.append(replace(all_rows, sizes=of_class, of=what))
    return sizes


_TESTS: tuple[type[LocationTest], ...] = (
    *(ClusteredTTest, DeLongTest, McNemarScoreTest, JackknifeTTest, BootstrapTest),
    DieboldMarianoTest,
)
KINDS = {kind.name: kind for kind in _TESTS}
_WAYS: dict[str, Callable[[TestSet, np.ndarray, Options], CVScores | None]] = {
    "diebold_mariano": _by_time,
    "clustered_t": _by_rows,
    "delong": _by_delong,
    "mcnemar": _by_mcnemar,
    "jackknife_t": _by_jackknife,
    "bootstrap": _by_bootstrap,
}
