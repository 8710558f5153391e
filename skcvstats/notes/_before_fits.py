"""The notes on what is known before the first fit: models, data, splits, and metrics on them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from math import comb
from operator import attrgetter
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import get_tags

from .._utils._arrays import as_array, one_output
from .._utils._date_columns import has_dates_in_index
from .._utils._metrics import shown_as
from .._utils._text import counted, cut, first_of
from ..exceptions import AnticonservativeWarning, SplitDesignWarning
from ..fitting import MOST_CLASSES, are_over_time, kept_parts, needed_labels
from ..scores import Note
from ..splitters import is_stratified, n_tested, strata_of
from ._columns import Column
from ._evidence import Evidence, MetricEvidence
from ._registry import note
from ._shared_rows import LEAST_SHARE

# The code of the note on classifiers of numbers.
NUMBERS_AS_CLASSES = "numbers as classes"
_EACH_ONCE = {"rows": "LeaveOneOut", "groups": "LeaveOneGroupOut"}
_FEWEST_TESTED = {"rows": 10, "groups": 3}
_FEWEST_LEFT_OUT = 10  # fewer groups are left out one by one, which was measured
# With fewer rows of a class the test of AUC on 4 x 3 folds rejected up to 23 % at the 5 % level.
_FEWEST_OF_A_CLASS = 10


@note(
    "rare class",
    title="Rare class",
    looks_for="A class with fewer rows than stratified splits need.",
    why="Some training or test sets may lack the class, and metrics over classes are then not "
    "defined.",
    remedy="Pass more rows of the class, merge it with another one, or leave it out.",
)
def rare_class(evidence: Evidence) -> Iterator[Note]:
    request = evidence.request
    if request is None or not all(map(is_classifier, evidence.estimators.values())):
        return
    strata = strata_of(request, evidence.y, evidence.groups)
    if strata is None:
        return
    classes, counts = strata
    n_fewest = int(counts.min())
    is_of_folds = request.kind == "folds"
    if is_of_folds and n_fewest >= request.n_folds:
        return
    n_folds = request.n_folds
    n_rows = int(counts.sum())
    is_possible = is_stratified(request, n_rows, counts)
    if is_possible and not is_of_folds:
        return
    rarest = f"class {classes.tolist()[counts.argmin()]!r} has {counted(n_fewest, 'row')}"
    if is_possible:
        without = f"{counted(n_folds - n_fewest, 'test set')} without it"
        text = f"{rarest} for {n_folds} folds, so each repeat has {without}"
    elif is_of_folds:
        text = f"the folds are not stratified: no class has {n_folds} rows"
    else:
        few = f"{len(classes)} classes for {counted(n_tested(request, n_rows), 'test row')}"
        text = f"the splits are not stratified: {rarest}, and there are {few} in each split"
    yield Note("rare class", text, None)


@note(
    "frozen transformer",
    title="Frozen transformer",
    looks_for="A fitted part of a model that is not fitted again on each training set.",
    why="If it was fitted on these rows, it has seen the test rows, and scores are too good.",
    remedy="Pass the transformer itself, or make sure that it was fitted on other rows.",
)
def frozen_transformer(evidence: Evidence) -> Iterator[Note]:
    for part in kept_parts(evidence.parts):
        if _requires_fit(part.model):
            text = (
                f"{part.owner} contains {part.title}, which is not fitted again: its scores are "
                "valid only if it was fitted on other rows"
            )
            yield Note("frozen transformer", text, SplitDesignWarning, about=(part.owner,))


def _requires_fit(model: Any) -> bool:
    with suppress(Exception):  # not as scikit-learn's
        return bool(get_tags(model).requires_fit)
    return True


@note(
    "groups of one row",
    title="Groups of one row",
    looks_for="Groups that all have one row.",
    why="Such groups change nothing, so rows that belong together are not kept together.",
    remedy="Pass the label of what rows belong to, or leave groups out.",
)
def groups_of_one_row(evidence: Evidence) -> Iterator[Note]:
    if evidence.groups is None:
        return
    labels = as_array("groups", evidence.groups)
    if labels.ndim != 1 or len(set(labels.tolist())) < len(labels):
        return
    text = (
        "each group has one row, so groups= changes nothing; give the label of what rows belong "
        "to, such as a patient, or leave it out"
    )
    yield Note("groups of one row", text, None)


def _notes_on_dates(
    code: str,
    columns: Sequence[Column],
    consequence: str,
    detail: str,
    category: type[Warning] | None,
) -> Iterator[Note]:
    """Yield a note on the dates in the first table that has some: the consequence first."""
    for table, in_it in groupby(columns, attrgetter("table")):
        titles = [column.dates_in_it for column in in_it]
        text = f"{consequence}: {table} has {first_of(titles, 3)}, {detail}"
        yield Note(code, text, category)
        return


def _are_over_time(evidence: Evidence) -> bool:
    """Tell whether splits are in time order, which of a single one only its rows show."""
    if evidence.has_later_training_rows:
        return False
    return are_over_time(evidence.design, evidence.splits, evidence.tables["X"])


@note(
    "dates do not ascend",
    title="Dates do not ascend",
    looks_for="Splits in time order of rows whose dates do not ascend.",
    why="The splits take the order of rows for that of time, so the scores are not those of "
    "forecasts.",
    remedy="Sort the rows by date.",
)
def dates_do_not_ascend(evidence: Evidence) -> Iterator[Note]:
    if _are_over_time(evidence):
        columns = [column for column in evidence.columns_of_dates if column.descends]
        yield from _notes_on_dates(
            "dates do not ascend",
            columns,
            "scores are not those of forecasts",
            "which do not ascend as these splits assume; sort the rows by date",
            SplitDesignWarning,
        )


@note(
    "dates",
    title="Dates",
    looks_for="Dates of rows, and splits that train on rows from after their test rows.",
    why="If rows near in time are alike, scores are too high for the future.",
    remedy="Pass groups, such as the week of each row, or cv=TimeSeriesSplit().",
)
def dates_are_ignored(evidence: Evidence) -> Iterator[Note]:
    if not _are_over_time(evidence):
        consequence = "scores are too high if rows near in time are alike"
        detail = (
            "and models are trained on later rows. Pass groups, such as the week of each row; or "
            "cv=TimeSeriesSplit(), whose scores are those of forecasts"
        )
        yield from _notes_on_dates("dates", evidence.columns_of_dates, consequence, detail, None)


@note(
    "times in a column",
    title="Times in a column",
    looks_for="Splits in time order of rows whose times are in a column of X, not in its index.",
    why="The rows of one date count once, as they share what happened on it.",
    remedy="Nothing, if these are the times of the rows; else make the right ones the index of X.",
    on_sound_data="Reported for all such data, as a fact.",
)
def times_in_a_column(evidence: Evidence) -> Iterator[Note]:
    if _are_over_time(evidence) and evidence.time_column is not None:
        column = evidence.time_column
        n_times = len(np.unique(column.times))
        n_rows = len(column.times)
        text = f"the times of the rows are those of {column.code}: {n_times} in {n_rows} rows"
        yield Note("times in a column", text, None)


@note(
    "numbers of times",
    title="Numbers of times",
    looks_for="Splits in time order, and a column of numbers that is called as times are, never "
    "descends and repeats.",
    why="If several rows are of one time, they share what happened then, and the test takes them "
    "for rows of several times. It then rejects true null hypotheses too often.",
    remedy="Give X a DatetimeIndex.",
    on_sound_data="Not applicable: no sound data have such a column.",
)
def numbers_of_times(evidence: Evidence) -> Iterator[Note]:
    if not _are_over_time(evidence) or has_dates_in_index(evidence.tables["X"]):
        return
    for column in evidence.columns:
        if evidence.time_column is None and column.may_number_times:
            text = (
                f"the {column.title} never descends and repeats: if it numbers times, several rows "
                "are of one time, and the test takes them for rows of several; give X a "
                f"DatetimeIndex, such as X.index = pandas.to_datetime({column.code}, unit='D')"
            )
            yield Note("numbers of times", text, None)
            return


@note(
    "repeated subjects",
    title="Repeated subjects",
    looks_for="A column or an index that names subjects with several rows.",
    why="If rows of one subject are alike, scores are too good and intervals too short.",
    remedy="Pass the column or the index as groups.",
)
def repeated_subjects(evidence: Evidence) -> Iterator[Note]:
    for column in evidence.columns:
        if column.are_dates or not column.may_name_subjects:
            continue
        n_rows = len(column.values)
        names = map(str, np.asarray(column.values).tolist())
        counts = np.array([*Counter(names).values()])
        has_few = len(counts) < column.fewest_subjects
        if has_few or counts[counts > 1].sum() < LEAST_SHARE * n_rows:
            continue
        text = (
            "scores are too good and intervals too short if rows of one subject are alike: the "
            f"{column.title} has {len(counts)} values in {n_rows} rows; pass groups={column.code}"
        )
        yield Note("repeated subjects", text, None)
        return


@note(
    "few distinct splits",
    title="Few distinct splits",
    looks_for="More random splits than there are test sets.",
    why="Repeated splits add no information but count as degrees of freedom, so tests reject "
    "true null hypotheses too often.",
    remedy="Test on each row or group once, or pass more data.",
)
def few_distinct_splits(evidence: Evidence) -> Iterator[Note]:
    # Of splits that were made, those that repeat are counted. Of n rows there are n test sets at
    # least, and of many it would take seconds to count them.
    design = evidence.design
    if design.levels != ("split",) or design.digests is not None:
        return
    n_splits = design.n_splits
    if design.n_samples >= n_splits:
        return
    unit = design.unit
    smallest = min(design.n_test)
    n_distinct = comb(design.n_samples, smallest)
    if not 1 < n_distinct < n_splits:
        return
    text = (
        f"there are only {n_distinct} test sets of {counted(smallest, unit[:-1])}, which random "
        f"splits repeat: the test uses {n_splits - 1} degrees of freedom instead of "
        f"{n_distinct - 1}, and rejects true null hypotheses too often; test on each "
        f"{unit[:-1]} once, cv={_EACH_ONCE[unit]}()"
    )
    yield Note("few distinct splits", text, AnticonservativeWarning)


@note(
    "constant target",
    title="Constant target",
    looks_for="A target that is the same in all rows.",
    why="There is nothing to predict, and all models have equal scores.",
    remedy="Pass the target that is to be predicted.",
)
def constant_target(evidence: Evidence) -> Iterator[Note]:
    if not evidence.estimators:  # other notes are on predictions that were passed
        return
    labels = one_output(evidence.y)
    if labels is None or not isinstance(labels[0], str | np.generic):
        return
    if np.all(labels == labels[0]):
        text = "y is the same in all rows, so there is nothing to predict"
        yield Note("constant target", text, None)


@note(
    NUMBERS_AS_CLASSES,
    title="Numbers as classes",
    looks_for="Classifiers of a target with many different numbers.",
    why="A classifier treats near numbers like far ones, and most classes have few rows.",
    remedy="Compare regressors if the target is a quantity.",
)
def numbers_as_classes(evidence: Evidence) -> Iterator[Note]:
    labels = one_output(evidence.y)
    if labels is None or labels.dtype.kind not in "iuf":
        return
    classifiers = [name for name, model in evidence.estimators.items() if is_classifier(model)]
    if not classifiers:
        return
    n_values = len(np.unique(labels))
    if n_values > max(MOST_CLASSES, len(labels) / 10):
        text = (
            f"the target has {n_values} different numbers in {counted(len(labels), 'row')}, and a "
            f"classifier such as {classifiers[0]} treats each as a class: compare regressors if it "
            "is a quantity"
        )
        yield Note(NUMBERS_AS_CLASSES, text, None)


@note(
    "unweighted scores",
    title="Unweighted scores",
    looks_for="Fits with weights of rows, and a metric without.",
    why="The models are trained for weighted rows and judged by unweighted ones.",
    remedy="Pass a scorer that requests weights, with metadata routing.",
    looks_in=MetricEvidence,
)
def unweighted_scores(evidence: MetricEvidence) -> Iterator[Note]:
    weighing = [
        name for name in evidence.fit_params if str(name).split("__")[-1] == "sample_weight"
    ]
    if weighing and evidence.weights is None:
        text = (
            f"scores are unweighted, though fits get {weighing[0]}; pass a scorer that requests "
            "weights, get_scorer(...).set_score_request(sample_weight=True) after "
            "set_config(enable_metadata_routing=True)"
        )
        yield Note("unweighted scores", text, None)


@note(
    "small test sets",
    title="Small test sets",
    looks_for="Test sets of so few rows or groups that their scores are far from normal.",
    why="The test assumes scores that are nearly normal.",
    remedy="Test on more, by fewer folds or a larger test_size.",
    looks_in=MetricEvidence,
)
def small_test_sets(evidence: MetricEvidence) -> Iterator[Note]:
    design = evidence.design
    unit = design.unit
    smallest = min(design.n_test)
    if evidence.procedure.needs_rows or smallest >= _FEWEST_TESTED[unit]:
        return
    if smallest == 1 and unit == "rows":  # which has a note of its own
        return
    is_left_out = design.levels == ("fold",) and design.n_splits == design.n_samples
    if is_left_out and design.n_samples < _FEWEST_LEFT_OUT:
        return
    remedy = "fewer folds or a larger test_size"
    if is_left_out:
        remedy = "GroupKFold"
    text = (
        f"test sets of {counted(smallest, unit[:-1])}: scores of so few are far from normal, which "
        f"the test assumes; test on at least {_FEWEST_TESTED[unit]} {unit}, by {remedy}"
    )
    yield Note("small test sets", text, None)


@note(
    "metric not measured",
    title="Metric that was not measured",
    looks_for="A procedure on rows with a metric that its size was not measured with.",
    why="How often the procedure rejects true null hypotheses with this metric is not known.",
    remedy='Use another metric, or method="corrected_resampled_t".',
    looks_in=MetricEvidence,
)
def metric_not_measured(evidence: MetricEvidence) -> Iterator[Note]:
    metric = evidence.metric
    procedure = evidence.procedure
    if procedure.needs_rows and metric.of_rows == "not measured":
        metric_name = cut(shown_as(metric.name).name)
        text = f"the {procedure.title} was not measured with {metric_name}"
        yield Note("metric not measured", text, None)


@note(
    "few of a class",
    title="Few rows of a class",
    looks_for="A metric that needs a class with few rows, or one that is in few groups.",
    why="The metric depends on few rows, and tests can reject true null hypotheses too often.",
    remedy="Pass data with at least 10 rows or groups of each class.",
    looks_in=MetricEvidence,
)
def few_of_a_class(evidence: MetricEvidence) -> Iterator[Note]:
    metric = evidence.metric
    unit = evidence.design.unit
    if metric.needs in ("", "two values"):
        return
    positions = needed_labels(metric, evidence.labels).positions
    counts = evidence.class_counts[positions]
    fewest = int(counts.min(initial=_FEWEST_OF_A_CLASS))
    if fewest < _FEWEST_OF_A_CLASS:
        rarest = evidence.labels.classes[positions].tolist()[counts.argmin()]
        text = (
            f"only {counted(fewest, unit[:-1])} of class {rarest!r}: "
            f"{cut(metric.name)} depends on few {unit}, and tests can reject true null hypotheses "
            f"too often; pass data with at least {_FEWEST_OF_A_CLASS} of each class"
        )
        yield Note("few of a class", text)
