"""Turn predictions of fitted models on one test set into scores for a procedure."""

import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import roc_auc_score
from sklearn.utils.parallel import Parallel, delayed

from .._utils._checks import check_flag, check_option, is_integer, listed
from .._utils._metrics import FEWEST_ROWS, METRICS, OF_VARIATION
from .._utils._text import counted, format_percent
from ..comparison import close
from ..fitting import Metric
from ..scores import CVScores, Note
from ..splitters import generator_from
from ..stats import Groups, GroupSizes, read_groups, tail_probability
from ._cluster_bootstrap import ClusterBootstrapTest, bootstrap_scores
from ._clustered_t import mean_scores
from ._delong import DeLongTest, auc_scores
from ._mcnemar import correct_scores
from ._predictions import StoredLabels, TestSet

_FEWEST_REPLICATES = 2000
# Drawn by default where a verdict could depend on the seed.
_MORE_REPLICATES = 10_000
# sqrt(.025 * .975 / 1e6) / (normal density at 1.96) is .003: the chance error of a 95 % end.
_MOST_REPLICATES = 10**6
_BY_NO_CHANCE = 0.001


@dataclass(frozen=True, eq=False)
class Resamples:
    """The options of a bootstrap, if one is needed."""

    n_resamples: int | None
    stratify: bool
    random_state: Any
    n_jobs: int | None
    pvalues_of: Callable[[CVScores], tuple[Any, Any, float]]

    def __post_init__(self) -> None:
        check_flag("stratify", self.stratify)
        if self.n_resamples is None:
            return
        allowed = _FEWEST_REPLICATES, _MOST_REPLICATES
        if not is_integer(self.n_resamples) or not allowed[0] <= self.n_resamples <= allowed[1]:
            raise ValueError(
                f"n_resamples={self.n_resamples!r} must be an integer of at least {allowed[0]}, as "
                f"the ends of an interval are replicates far out, and at most {allowed[1]}, with "
                "which an end moves by about .003 standard errors."
            )


def measure_test_set(test_set: TestSet, method: str, resamples: Resamples) -> tuple[CVScores, str]:
    """Return the scores of fitted models, and the method that they are for."""
    check_option("method", method, ["auto", *_WAYS])
    y, what, classes = test_set.y, test_set.what, test_set.classes
    lacks = y.ndim == 1 and classes is not None and len(np.unique(y)) < len(classes)
    if what.needs == "every class" and lacks:  # a slice
        raise ValueError(f"{test_set.metric} is not defined where a class is not there.")
    if what.function_name in OF_VARIATION and len(y) < FEWEST_ROWS:
        raise ValueError(
            f"{test_set.metric} measures next to nothing on {counted(len(y), 'row')}. Test on "
            f"{FEWEST_ROWS} rows or more, or use squared errors, scoring='neg_mean_squared_error'."
        )
    values = np.array([score_on(test_set, k, slice(None)) for k in range(len(test_set.runs))])
    for way in _WAYS if method == "auto" else [method]:
        scores = _WAYS[way](test_set, values, resamples)
        if scores is not None:
            notes = *scores.notes, *test_set.notes, *_exchanged(test_set, scores, way)
            components: Any = scores.components
            if method == "auto" and _are_shares(test_set):  # of which Wilson's interval is
                facts = {**components.facts, "shares": True}
                components = replace(components, facts=facts)
            return replace(scores, notes=notes, components=components), way
    raise ValueError(
        f"method={method!r} needs {_NEEDS[method]}; it does not suit {test_set.metric!r} here. "
        "Pass method='auto'."
    )


def score_on(test_set: TestSet, k: int, rows: Any) -> float:
    """Return the metric of a run on some rows, or raise an error that says why there is none."""
    name = test_set.labels[test_set.owners[k]]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UndefinedMetricWarning)
            warnings.filterwarnings("ignore", "The y_prob values do not sum")  # said when read
            value = test_set.score(k, np.arange(test_set.n_rows)[rows])
    except UndefinedMetricWarning:
        value = np.nan
    except (TypeError, ValueError, ZeroDivisionError) as error:
        hint = Metric.hint_for(str(error))
        raise ValueError(
            f"{test_set.metric} cannot be computed for {name!r}: "
            f"{str(error).rstrip('.')}. {hint}".rstrip()
        ) from error
    if not np.isfinite(value):
        raise ValueError(
            f"{test_set.metric} is not defined for {name!r} on this test set, such as a "
            "precision without any positive prediction. Leave the model out, or use another "
            "metric, such as make_scorer(precision_score, zero_division=0.0)."
        )
    return value


_NEEDS = {
    "clustered_t": "a metric that is a mean over rows, such as accuracy or neg_log_loss",
    "delong": "scoring='roc_auc' of two classes, and no weights",
    "mcnemar": "scoring='accuracy', one run of each model, no groups and no weights",
}


def _by_rows(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores | None:
    """Return scores that are means over rows; runs are averaged row by row."""
    metric = test_set.what
    if metric.of_rows != "mean":
        return None
    numbers = np.arange(test_set.n_rows)
    compared = (metric.reader(run, numbers, test_set.y) for run in test_set.runs)
    rows = np.stack([metric.row_scores(both) for both in compared])
    more = {"groups": test_set.groups, "sample_weight": test_set.weights}
    return mean_scores(_averaged(test_set, rows), **more, **test_set.facts())


def _by_delong(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores | None:
    classes = test_set.classes
    if test_set.named != "roc_auc" or test_set.weights is not None:
        return None
    if classes is None or len(classes) != 2:
        return None
    by_model: list[list[np.ndarray]] = [[] for _ in test_set.labels]
    for owner, run in zip(test_set.owners, test_set.runs, strict=True):
        by_model[owner].append(run.values if run.values.ndim == 1 else run.values[:, 1])
    scores = auc_scores(
        test_set.y, by_model, groups=test_set.groups, positive=classes[1], **test_set.facts()
    )
    return replace(scores, notes=(*scores.notes, *two_valued_notes(test_set)))


def two_valued_notes(test_set: TestSet) -> tuple[Note, ...]:
    """Return a note of the models whose areas are those of labels."""
    last = (np.atleast_2d(run.values.T)[-1] for run in test_set.runs)
    owned = zip(test_set.owners, last, strict=True)
    fine = {owner for owner, values in owned if len(np.unique(values)) > 2}
    coarse = [name for k, name in enumerate(test_set.labels) if k not in fine]
    text = (
        f"the predictions of {listed(coarse)} have two values only, as labels do, so the area "
        "under the ROC curve is the balanced accuracy; pass probabilities or decision values "
        "if there are any"
    )
    return (Note("two-valued predictions", text, None),) if coarse else ()


def _exchanged(test_set: TestSet, areas: CVScores, way: str) -> list[Note]:
    """Return a note if these are areas, and below 1/2 by more than chance."""
    of_two = test_set.classes is not None and len(test_set.classes) == 2
    if not of_two or test_set.what.function is not roc_auc_score:
        return []
    kind = DeLongTest if way == "delong" else ClusterBootstrapTest
    test = kind(null_value=0.5, alternative="less").run(areas)
    # not by replicates, which are too few for so small a p
    pvalues = tail_probability(np.asarray(test.statistic), test.df, "less")
    worse = np.flatnonzero(pvalues < _BY_NO_CHANCE / 2)
    if not worse.size:
        return []
    named = listed([areas.labels[k] for k in worse])
    text = (
        f"the area of {named} is below 0.5 (p < {_BY_NO_CHANCE}), worse than guessing (were "
        "the columns of predict_proba exchanged?)"
    )
    return [Note("area below 0.5", text, None)]


def _are_shares(test_set: TestSet) -> bool:
    """Whether the metric is the share of right rows of single runs on independent rows."""
    alone = len(test_set.runs) == len(test_set.labels) and test_set.y.ndim == 1
    plain = test_set.groups is None and test_set.weights is None
    return test_set.named == "accuracy" and alone and plain


def _by_mcnemar(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores | None:
    if not _are_shares(test_set):
        return None
    correct = np.stack([run.values == test_set.y for run in test_set.runs])
    return correct_scores(correct, **test_set.facts())


def _by_bootstrap(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores:
    groups = read_groups(test_set.groups, test_set.n_rows, test_set.weights)
    strata = strata_of(test_set.y, groups.codes) if resamples.stratify else ()
    seed = int(generator_from(resamples.random_state).randint(np.iinfo(np.int32).max))
    resampling = Resampling(groups.n_groups, seed, strata)
    evaluator = _evaluator(test_set, values, groups)
    sizes, alike = _sizes(test_set, groups), test_set.groups is None and test_set.weights is None

    def scores_of(n_resamples: int) -> CVScores:
        n_jobs, metric = resamples.n_jobs, test_set.metric
        *drawn, n = _replicate(evaluator, resampling, n_resamples, n_jobs, metric)
        notes = []
        if n > 0:
            drawn_again = f"{'was' if n == 1 else 'were'} drawn again"
            of = counted(n, "bootstrap sample")
            text = f"{of} on which {metric} is not defined {drawn_again}"
            notes.append(Note("undefined replicates", text, None))
        return bootstrap_scores(
            *(_averaged(test_set, of_runs) for of_runs in (values, *drawn)),
            n_rows=test_set.n_rows,
            n_groups=groups.n_groups,
            grouped=test_set.groups is not None,
            stratified=resamples.stratify,
            n_rarer=min((int(np.count_nonzero(one.sizes)) for one in sizes[1:]), default=None),
            telling=None if alike else min(sizes, key=lambda one: one.effective),
            notes=notes,
            **test_set.facts(n_resamples=n_resamples, seed_of_resamples=seed),
        )

    if resamples.n_resamples is not None:
        return scores_of(int(resamples.n_resamples))
    scores = scores_of(_FEWEST_REPLICATES)
    with warnings.catch_warnings():  # they are given with the answer
        warnings.simplefilter("ignore")
        pvalues, errors, alpha = resamples.pvalues_of(scores)
    return scores_of(_MORE_REPLICATES) if close(pvalues, errors, [alpha]) else scores


def _averaged(test_set: TestSet, runs: np.ndarray) -> np.ndarray:
    """Return the mean over the runs of each model."""
    owners = np.asarray(test_set.owners)
    return np.stack([runs[owners == k].mean(axis=0) for k in range(len(test_set.labels))])


def _sizes(test_set: TestSet, groups: Groups) -> list[GroupSizes]:
    """Return the sizes of groups, or weights, of all rows, and of those of each of two classes."""
    weights = np.ones(test_set.n_rows) if test_set.weights is None else test_set.weights
    what = "rows" if test_set.weights is None else "weight"
    unit = "row" if test_set.groups is None else "group"
    sizes = [GroupSizes(groups.sums(weights), None, unit, what)]
    if test_set.classes is not None and len(held := np.unique(test_set.y)) == 2:
        for label in held.tolist():
            own = groups.sums(weights * (test_set.y == label))
            sizes.append(GroupSizes(own, None, unit, f"{what} of class {label!r}"))
    return sizes


_WAYS: dict[str, Callable[[TestSet, np.ndarray, Resamples], CVScores | None]] = {
    "clustered_t": _by_rows,
    "delong": _by_delong,
    "mcnemar": _by_mcnemar,
    "cluster_bootstrap": _by_bootstrap,
}


# Computes the metric of each run from groups of rows, in their order or in that of the test set.
Evaluator = Callable[[np.ndarray, bool], np.ndarray]


def _evaluator(test_set: TestSet, values: np.ndarray, groups: Groups) -> Evaluator:
    """Return the evaluator of replicates; it gives nan if the metric is not defined."""

    def by_scorer(drawn: np.ndarray, in_order: bool) -> np.ndarray:
        rows = groups.rows(drawn)
        rows, found = np.sort(rows) if in_order else rows, np.full(len(test_set.runs), np.nan)
        for k in range(len(found)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                warnings.simplefilter("error", UndefinedMetricWarning)
                with suppress(UndefinedMetricWarning, ValueError, ZeroDivisionError):
                    found[k] = test_set.score(k, rows)
        return found

    evaluator: Evaluator = by_scorer
    name = test_set.named
    if name is not None and all(isinstance(run, StoredLabels) for run in test_set.runs):
        fast = sum_evaluator(name, test_set.y, test_set.runs, groups, test_set.weights)
        if fast is not None:  # taken if it gives scikit-learn's number
            once = fast(np.arange(groups.n_groups), True)
            evaluator = fast if np.allclose(once, values, rtol=1e-9, atol=1e-12) else evaluator
    needs = METRICS[name].needs if name in METRICS else ""
    if test_set.y.ndim != 1 or needs in ("", "two values"):
        return evaluator
    classes = np.unique(test_set.y)  # of which rows must hold some, or it is not defined
    least = 2 if needs == "two classes" else len(classes)
    if needs == "positive" and len(classes) == 2:
        classes, least = classes[classes == 1], 1
    holds = np.stack([groups.sums((test_set.y == label) * 1.0) > 0 for label in classes])

    def defined(drawn: np.ndarray, in_order: bool) -> np.ndarray:
        found = evaluator(drawn, in_order)
        n_held = np.count_nonzero(holds[:, drawn].any(axis=1))
        return found if n_held >= least else np.full_like(found, np.nan)

    return defined


def sum_evaluator(
    metric: str, y: np.ndarray, runs: Sequence[Any], groups: Groups, weights: np.ndarray | None
) -> Evaluator | None:
    """Return what computes a known metric from sums over groups, or over kinds of equal rows."""
    n_groups, n, value = groups.n_groups, 0, _OF_SUMS.get(metric)
    kinds = np.arange(n_groups)
    codes = kinds if groups.codes is None else groups.codes
    w = np.ones(len(codes)) if weights is None else weights
    if y.ndim != 1 or (value is not None and any(run.values.shape != y.shape for run in runs)):
        return None
    if value is not None:
        centred = y.astype(float) - y.mean()
        errors = [np.square(y - np.asarray(run.values, dtype=float)) for run in runs]
        columns = np.ones(len(y)), centred, centred**2, *errors
        table = np.column_stack([groups.sums(w * column) for column in columns])
    else:  # for each run the confusion table
        known = np.unique(np.concatenate([y, *(run.values for run in runs)]))
        n, value = len(known), _of_tables(metric, known.tolist())
        if value is None or n > _MOST_CLASSES:
            return None
        rows, n_cells = np.searchsorted(known, y) * n, n**2
        cells_of = [rows + np.searchsorted(known, run.values) for run in runs]
        if groups.codes is None and weights is None:
            kinds = np.zeros(n_groups, dtype=np.intp)
            for cells in cells_of:  # rows that are the same in all runs are one kind
                kinds = np.unique(kinds * n_cells + cells, return_inverse=True)[1].reshape(-1)
            first = np.unique(kinds, return_index=True)[1]
            table = np.hstack([np.eye(n_cells)[cells[first]] for cells in cells_of])
        else:
            at, size = codes * n_cells, n_groups * n_cells
            sums = [np.bincount(at + cells, weights=w, minlength=size) for cells in cells_of]
            table = np.hstack([of_run.reshape(n_groups, n_cells) for of_run in sums])

    def evaluate(drawn: np.ndarray, in_order: bool) -> np.ndarray:
        sums = np.bincount(kinds[drawn], minlength=len(table)) @ table
        return value(sums.reshape(-1, n, n) if n else sums)

    return evaluate


def _r2(sums: np.ndarray) -> np.ndarray:
    total = sums[..., 2] - sums[..., 1] ** 2 / sums[..., 0]
    return 1 - sums[..., 3:] / np.where(total > 0, total, np.nan)


_OF_SUMS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "r2": _r2,
    "neg_root_mean_squared_error": lambda sums: -np.sqrt(sums[..., 3:] / sums[..., 0]),
}
# From the numbers of right, of true and of predicted rows of a class.
_RATIOS: dict[str, Callable[..., tuple[np.ndarray, np.ndarray]]] = {
    "f1": lambda right, true, predicted: (2 * right, true + predicted),
    "precision": lambda right, true, predicted: (right, predicted),
    "recall": lambda right, true, predicted: (right, true),
    "jaccard": lambda right, true, predicted: (right, true + predicted - right),
}
# With more classes, resampling confusion tables is slower than resampling predictions.
_MOST_CLASSES = 20


def _of_tables(metric: str, classes: list[Any]) -> Callable[[np.ndarray], np.ndarray] | None:
    kind, _, average = metric.partition("_")
    if metric == "balanced_accuracy":
        kind, average = "recall", "macro"
    of_positive = average == "" and 1 in classes and len(classes) <= 2
    by_class = kind in _RATIOS and (of_positive or average in ("macro", "weighted", "micro"))
    if not by_class and metric not in ("accuracy", "matthews_corrcoef"):
        return None

    def value(tables: np.ndarray) -> np.ndarray:
        right = np.einsum("...ii->...i", tables)
        true, predicted, total = tables.sum(axis=-1), tables.sum(axis=-2), tables.sum(axis=(-1, -2))
        if metric == "accuracy":
            return _ratio(right.sum(axis=-1), total)
        if metric == "matthews_corrcoef":
            above = right.sum(axis=-1) * total - (true * predicted).sum(axis=-1)
            apart = (total**2 - (part**2).sum(axis=-1) for part in (true, predicted))
            return _ratio(above, np.sqrt(np.maximum(np.multiply(*apart), 0.0)))
        if average == "micro":
            sums = (part.sum(axis=-1) for part in (right, true, predicted))
            return _ratio(*_RATIOS[kind](*sums))
        found = _ratio(*_RATIOS[kind](right, true, predicted))
        if average == "weighted":
            return (np.where(true == 0, 0.0, found) * true).sum(axis=-1) / true.sum(axis=-1)
        return found[..., classes.index(1)] if average == "" else found.mean(axis=-1)

    return value


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below > 0, above / below, np.nan)


# Up to this number, groups are left out one by one; more groups in this many blocks.
_MOST_LEFT_OUT = 2000


@dataclass(frozen=True, eq=False)
class Resampling:
    """Draws groups with replacement: each replicate from its number and the seed alone."""

    n_groups: int
    seed: int
    strata: tuple[np.ndarray, ...] = ()

    def draw(self, replicate: int, attempt: int = 0) -> np.ndarray:
        sequence = np.random.SeedSequence(self.seed, spawn_key=(replicate, attempt))
        generator = np.random.Generator(np.random.PCG64(sequence))
        if not self.strata:
            return generator.integers(0, self.n_groups, self.n_groups)
        parts = [of[generator.integers(0, len(of), len(of))] for of in self.strata]
        return np.concatenate(parts)

    def blocks(self) -> np.ndarray:
        """Return the blocks of groups that are left out together for the acceleration."""
        blocks = np.arange(self.n_groups) % _MOST_LEFT_OUT
        if self.n_groups <= _MOST_LEFT_OUT:
            return blocks
        sequence = np.random.SeedSequence(self.seed)
        return np.random.Generator(np.random.PCG64(sequence)).permutation(blocks)


def strata_of(classes: Any, codes: np.ndarray | None) -> tuple[np.ndarray, ...]:
    """Return the groups of each class, if each group has one class."""
    of_row = np.unique(np.asarray(classes), return_inverse=True)[1].reshape(-1)
    group_of = np.arange(len(of_row)) if codes is None else codes
    of_group = np.zeros(group_of.max() + 1, dtype=np.intp)
    of_group[group_of] = of_row
    mixed = of_group[group_of] != of_row
    if mixed.any():
        raise ValueError(
            "stratify=True draws groups within each class, but some groups hold rows of several "
            f"classes (the first of them is of row {int(np.argmax(mixed))}). Leave stratify out."
        )
    strata = tuple(np.flatnonzero(of_group == k) for k in range(of_group.max() + 1))
    if min(map(len, strata)) < 2:
        what = "row" if codes is None else "group"
        raise ValueError(
            f"stratify=True draws {what}s within each class, but there is only 1 {what} of one of "
            f"them. Test on at least 2 {what}s of each class, better 10."
        )
    return strata


# If a metric is not defined in a replicate, it is drawn again, at most this many times.
_MOST_ATTEMPTS = 20
# With a larger share of undefined draws, the metric is not suitable for resampling.
_MOST_UNDEFINED = 0.01
# Replicates in one task.
_CHUNK = 50


def _replicate(
    evaluator: Evaluator, resampling: Resampling, n_replicates: int, n_jobs: int | None, metric: str
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the metric in all replicates and without each block, and how many were drawn again."""
    blocks = resampling.blocks()

    def parts(n: int) -> list[range]:
        return [range(start, min(start + _CHUNK, n)) for start in range(0, n, _CHUNK)]

    drawn = [delayed(_drawn)(evaluator, part, resampling) for part in parts(n_replicates)]
    without = [delayed(_left_out)(evaluator, k, blocks) for k in parts(int(blocks.max()) + 1)]
    done, n_undefined = zip(*Parallel(n_jobs=n_jobs)(drawn + without), strict=True)
    values, left_out = (np.concatenate(of) for of in (done[: len(drawn)], done[len(drawn) :]))
    n_again = sum(n_undefined)
    share = n_again / (n_replicates + n_again)
    if share > _MOST_UNDEFINED or not np.isfinite(values).all():
        stratify = (
            "Pass stratify=True, which draws rows (or groups, where each is of one class) within "
            "each class. Else use"
        )
        raise ValueError(
            f"{metric} is not defined in {format_percent(share)} of the bootstrap samples, as they "
            f"lack a class or a prediction of it. {'Use' if resampling.strata else stratify} "
            "another metric, or test on more rows."
        )
    return np.ascontiguousarray(values.T), np.ascontiguousarray(left_out.T), n_again


def _drawn(evaluator: Evaluator, numbers: range, resampling: Resampling) -> tuple[np.ndarray, int]:
    """Return some replicates, and the number of draws in which the metric was not defined."""
    found, n_undefined = [], 0
    for number in numbers:
        for attempt in range(_MOST_ATTEMPTS):
            values = evaluator(resampling.draw(number, attempt), False)
            if np.isfinite(values).all():
                break
            n_undefined += 1
        found.append(values)
    return np.array(found), n_undefined


def _left_out(evaluator: Evaluator, numbers: range, blocks: np.ndarray) -> tuple[np.ndarray, int]:
    return np.array([evaluator(np.flatnonzero(blocks != block), True) for block in numbers]), 0
