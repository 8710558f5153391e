"""ScoreEstimates: the expected scores of several estimators, or in several metrics."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .._utils._checks import explain_arguments, listed
from .._utils._shared_arguments import alpha_of, check_level, select_columns
from ..scores import CVScores, Note, shown_ends, union
from ..stats import Inference, Printed, two_sided, warn_once
from ._comparison import choose_metric
from ._pairs import score_frame
from ._saved import estimates_dict
from ._slices import against_rest, compared_slices, ends_of, n_rows_of

if TYPE_CHECKING:
    import pandas as pd

# Of a table that is not full.
_COLUMNS = ("metric", "estimator", "score", "standard_error", "low", "high", "pvalue")
_OF_SLICES = (
    *("metric", "slice", "n_test", "estimator", "score", "standard_error", "df", "low", "high"),
    *("rest", "difference", "difference_low", "difference_high"),
)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreEstimates(Printed):
    """The result of `cross_val_inference` for several estimators or metrics.

    `predictions_inference` returns it too, for several fitted models or metrics.

    ``print(result)`` lists the estimators, best first, with their intervals. It does not compare
    them: the intervals are for single scores; use `compare_estimators` to compare models.
    ``result["roc_auc"]`` is the same for one metric; of one metric ``result["tree"]`` is a model's.

    Parameters
    ----------
    inferences : dict of str to Inference
        For each metric the answer of the procedure, with an entry for each estimator.
    names : tuple of str
        The estimators.
    {shared: warned}
    slices, rests : mapping of str to ScoreEstimates or None, default={}
        With ``by=`` the same on the rows of each slice, and on all other rows; None where there is
        no score. See `by_slice`.
    groups_are_shared : bool, default=False
        Whether groups lie in several slices.
    """

    inferences: dict[str, Inference]
    names: tuple[str, ...]
    warned: tuple[Note, ...] = ()
    slices: "Mapping[str, ScoreEstimates | None]" = field(default_factory=dict)
    rests: "Mapping[str, ScoreEstimates | None]" = field(default_factory=dict)
    groups_are_shared: bool = False

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order given."""
        return tuple(self.inferences)

    @property
    def scores_by_metric(self) -> dict[str, Any]:
        """The scores behind the estimates."""
        return {metric: inference.scores for metric, inference in self.inferences.items()}

    @property
    def notes(self) -> tuple[Note, ...]:
        """The limitations of any of the estimates."""
        return union(*(inference.notes for inference in self.inferences.values()))

    @property
    def confidence_level(self) -> float:
        """Of the intervals."""
        return next(iter(self.inferences.values())).confidence_level

    def with_confidence(self, confidence_level: float) -> Self:
        """Return the same result, reported at another level.

        {Parameters: new level}
        {Returns: same type}
        """
        check_level(confidence_level)
        return self._each(lambda inference: inference.with_confidence(confidence_level))

    def _each(self, change: Callable[[Inference], Inference]) -> Self:
        """Return the result with each answer changed."""
        return replace(self, inferences={name: change(of) for name, of in self.inferences.items()})

    def _noted(self, notes: Iterable[Note]) -> Self:
        """Return the result with more notes."""
        return self._each(lambda inference: inference.with_notes(notes))

    def _slice(self, scores_by_metric: Mapping[str, CVScores]) -> Self:
        """Return the result of a slice, whose intervals are two-sided."""
        inferences = {}
        for metric, scores in scores_by_metric.items():
            procedure = self.inferences[metric].origin.procedure
            inferences[metric] = two_sided(procedure).run(scores)
        return replace(self, inferences=inferences, warned=())

    def by_slice(self, confidence_level: float | None = None) -> "pd.DataFrame":
        """Return one row for each metric, slice of ``by=`` and estimator.

        {Parameters: own level}

        Returns
        -------
        DataFrame
            Columns ``metric``, ``slice``, its number of rows ``n_test``, ``estimator``, and of the
            slice ``score``, ``standard_error``, ``df`` and the interval ``low`` to ``high``;
            then ``rest``, the score on all other rows, the ``difference`` of the slice and the
            rest, its interval ``difference_low`` to ``difference_high``, and ``differs``, whether
            this excludes 0. The intervals of all scores are simultaneous, and so are those of all
            differences. Slices without a score have no row. What cannot be known is missing.

        Raises
        ------
        ValueError
            If there are no slices.

        Notes
        -----
        Levels are adjusted by Bonferroni's method. A slice and the rest are independent, so the
        difference d of their scores s and r has the interval ::

            d - sqrt((s - s_low)^2 + (r_high - r)^2) to d + sqrt((s_high - s)^2 + (r - r_low)^2)

        from the intervals of the two scores [1]_. Where groups lie in several slices the two may be
        correlated in any way: the distances are then added, and not their squares.

        References
        ----------
        .. [1] G. Y. Zou and A. Donner, "Construction of Confidence Limits about Effect Measures: A
           General Approach", Statistics in Medicine 27, 2008.
        """
        import pandas as pd

        alpha = alpha_of(self._level(confidence_level))
        parts = compared_slices(self.slices)
        n = len(parts)
        level = 1 - alpha / (n * len(self.names))
        n_differences = max(1, n - (len(self.slices) == 2))  # each is the rest of the other
        level_of_differences = 1 - alpha / (n_differences * len(self.names))
        frames = []
        for metric, (name, part) in product(self.metrics, parts.items()):
            own = part.inferences[metric]
            low, high = shown_ends(own.scores, *ends_of(own, level))
            columns: dict[str, Any] = {
                "metric": metric,
                "slice": name,
                "n_test": n_rows_of(own.scores),
                "estimator": list(self.names),
                "score": own.estimate,
                "standard_error": own.standard_error,
                "df": own.df,
                "low": low,
                "high": high,
            }
            rest = self.rests[name]
            if rest is not None:
                of_rest = rest.inferences[metric]
                join = np.add if self.groups_are_shared else np.hypot
                columns |= against_rest(own, of_rest, level_of_differences, join)
            frames.append(pd.DataFrame(columns))
        frame = pd.concat(frames, ignore_index=True).reindex(columns=_OF_SLICES)
        differs = (frame["difference_low"] > 0) | (frame["difference_high"] < 0)
        return frame.assign(differs=differs)

    def __getitem__(self, key: str) -> Any:
        """Return the result of a metric, or of one metric that of an estimator, by its name."""
        if key in self.inferences:
            return replace(self, inferences={key: self.inferences[key]})
        if key in self:
            (inference,) = self.inferences.values()
            warned = tuple(note for note in inference.notes if note.category)
            test = inference.take(self.names.index(key))
            return replace(test, reporting=replace(test.reporting, warned=warned))
        raise KeyError(
            f"{key!r} is not among {listed(self.metrics)}. Choose a metric first, and then of one "
            f"metric an estimator: result[{self.metrics[0]!r}][{self.names[0]!r}]."
        )

    @property
    def _choices(self) -> tuple[str, ...]:
        """The names to choose from: the metrics, or of one metric the estimators."""
        return self.names if len(self.metrics) == 1 else self.metrics

    def __iter__(self) -> Iterator[str]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)

    def __contains__(self, key: object) -> bool:
        """Return whether ``result[key]`` is there."""
        return key in self.metrics or key in self._choices

    @explain_arguments()
    def to_frame(
        self, confidence_level: float | None = None, *, full: bool = False
    ) -> "pd.DataFrame":
        """Return one row for each metric and estimator, the best of each metric first.

        {Parameters: own level, full}

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimator``, ``score``, ``standard_error``, ``low``, ``high`` and
            ``pvalue``, which is missing if no null value was given. With ``full=True`` also
            ``statistic``, ``df``, the sizes, ``method`` and ``note``, the codes of the notes.
        """
        import pandas as pd

        level = self._level(confidence_level)
        frames = []
        for metric, inference in self.inferences.items():
            frame = score_frame(inference, self.names, inference.estimate, level)
            frame.insert(0, "metric", metric)
            if not inference.asked:
                frame = frame.assign(pvalue=np.nan, statistic=np.nan)
            frames.append(frame)
        every: pd.DataFrame = pd.concat(frames, ignore_index=True)
        return select_columns(every, _COLUMNS, full)

    def to_dict(self, confidence_level: float | None = None) -> dict[str, Any]:
        """Return the result as a flat dict, for experiment trackers such as MLflow.

        {Parameters: own level}

        Returns
        -------
        dict
            As that of `ComparisonResult.to_dict`: ``confidence_level``, ``notes``; of each metric
            facts such as ``accuracy/n_train``; of each estimator the columns of `to_frame`, such as
            ``accuracy/tree/score``, with ``standard_error``, ``low``, ``high`` and ``pvalue``.

        {Raises: same key}
        """
        return estimates_dict(self.with_confidence(self._level(confidence_level)))

    @explain_arguments()
    def ranking(self, confidence_level: float | None = None) -> "pd.DataFrame":
        """Return one row for each estimator, best first, as `ComparisonResult.ranking` does.

        {Parameters: own level}

        Returns
        -------
        DataFrame
            Columns ``estimator``, ``score``, ``standard_error``, ``low`` and ``high``;
            ``pvalue_best`` and ``could_be_best`` are missing, as nothing is compared.

        Raises
        ------
        ValueError
            If there are several metrics.
        """
        level = self._level(confidence_level)
        if len(self.metrics) > 1:
            raise ValueError(choose_metric(self.metrics, "ranking()"))
        frame = self.to_frame(level).drop(columns=["metric", "pvalue"])
        return frame.assign(pvalue_best=np.nan, could_be_best=None)

    def plot(self, kind: str | None = None, ax: Any = None, **kwargs: Any) -> Any:
        """Draw the ranking; this needs matplotlib.

        Parameters
        ----------
        kind : {"ranking"}, default=None
            `RankingDisplay`, which None is too.
        {shared: ax, display options}

        {Returns: drawn display}
        """
        from ..plotting import draw

        return draw(self, kind, ax, **kwargs)


def estimates_of(
    found: dict[str, Inference],
    names: tuple[str, ...],
    *,
    several: bool,
    said: Iterable[Note] = (),
    **measured: Any,
) -> Inference | ScoreEstimates:
    """Return the answers of `several` estimators or metrics, or the only one, and warn once."""
    notes = union(*(answer.notes for answer in found.values()))
    warned = warn_once(found.values(), notes, said, **measured)
    if several:
        return ScoreEstimates(inferences=found, names=names, warned=warned)
    test = next(iter(found.values()))
    return replace(test, reporting=replace(test.reporting, warned=warned))
