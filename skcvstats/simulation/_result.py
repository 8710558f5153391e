"""SimulationResult: what a study found, with the Monte-Carlo error of each number."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import itemgetter
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from .._utils._arrays import as_numbers
from .._utils._checks import check_finite_number, check_option, check_several
from .._utils._shared_arguments import (
    check_alpha,
    check_integer,
    check_level,
    check_optional_integer,
)
from .._utils._text import counted, verb
from ..scores import SplitDesign
from ..stats import LocationTest, Pivot, error_rate_interval, rejects, student_quantile
from ..theory import exchangeable_moments
from ._plan import KEPT, StudiedProcedure

# The intervals of moments are asymptotic: they need many data sets.
_FEWEST_DATA_SETS = 30
_MOST_POINTS = 10**6
_BLOCK = 2**13  # statistics at a time: a table of all would not fit into the cache
_OPPOSITE = {"two-sided": "two-sided", "less": "greater", "greater": "less"}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SimulationResult:
    """The result of a simulation study.

    Tables have a row for each procedure and hypothesis, with intervals for the Monte-Carlo error.
    Values are scores, greater is better; for a loss they are minus the loss, and `as_losses`
    reverses all signs.

    Parameters
    ----------
    data_sets : ndarray of shape (n_data_sets,)
        Their numbers.
    hypotheses : tuple of str
        What is estimated: each estimator's expected score, and of two their difference.
    procedures : tuple of StudiedProcedure
        What was studied, with the `design` of its splits.
    estimates, standard_errors : ndarray of shape (n_data_sets, n_procedures, n_hypotheses)
        Of each procedure on each data set.
    scales : ndarray of shape (n_data_sets, n_procedures, n_hypotheses)
        The magnitude of the scores behind each estimate.
    dfs : ndarray of shape (n_data_sets, n_procedures, n_hypotheses)
        The degrees of freedom; inf for the normal distribution, nan for a procedure that is no
        `LocationTest`.
    pvalues : ndarray of shape (n_data_sets, n_procedures, n_hypotheses)
        Of each procedure's own hypothesis.
    designs : tuple of SplitDesign
        Splits that were measured for their moments.
    measurements : tuple of ndarray of shape (n_data_sets, n_hypotheses, n_kept)
        For each of `designs` the score of each split, or for half-samples the difference of the
        mean scores of the halves of each pair.
    metric : str
        What was measured.
    direction : {"score", "loss"}, default="score"
        Whether greater or smaller is better.

    {See Also: simulate}
    """

    data_sets: np.ndarray
    hypotheses: tuple[str, ...]
    procedures: tuple[StudiedProcedure, ...]
    estimates: np.ndarray
    standard_errors: np.ndarray
    scales: np.ndarray
    dfs: np.ndarray
    pvalues: np.ndarray
    designs: tuple[SplitDesign, ...]
    measurements: tuple[np.ndarray, ...]
    metric: str
    direction: str = "score"

    @property
    def n_data_sets(self) -> int:
        """How many data sets there are."""
        return len(self.data_sets)

    @property
    def labels(self) -> tuple[str, ...]:
        """The procedures' labels."""
        return tuple(procedure.label for procedure in self.procedures)

    def as_losses(self) -> Self:
        """Return the result with all signs reversed, so that smaller is better.

        Returns
        -------
        SimulationResult
            Estimates, means and null values are then losses, as in the report; a difference is the
            first estimator's loss minus the second's.

        Raises
        ------
        ValueError
            If a metric was measured and not a loss, or the signs are already reversed.
        """
        if self.direction == "loss" or not self.metric.startswith("neg_"):
            raise ValueError(
                f"Only scores that are negated losses can be turned into losses; these are of "
                f"{self.metric!r}, given as {self.direction}."
            )
        return replace(
            self,
            estimates=-self.estimates,
            measurements=tuple(-measurement for measurement in self.measurements),
            procedures=tuple(
                replace(procedure, alternative=_OPPOSITE[procedure.alternative])
                for procedure in self.procedures
            ),
            metric=self.metric.removeprefix("neg_"),
            direction="loss",
        )

    def take(self, labels: Sequence[str]) -> Self:
        """Return the same of some of the procedures.

        Parameters
        ----------
        labels : sequence of str
            Of the procedures.

        Returns
        -------
        SimulationResult
            In the order asked for.

        Raises
        ------
        ValueError
            If a label is not that of a procedure.
        """
        check_several("labels", labels, f"labels of procedures, some of {self.labels}")
        at = [self.labels.index(check_option("labels", label, self.labels)) for label in labels]
        numbers: Any = {name: getattr(self, name)[:, at] for name in KEPT}
        return replace(self, procedures=tuple(self.procedures[p] for p in at), **numbers)

    def moments(
        self, confidence_level: float = 0.95, *, n_splits: int | None = None
    ) -> pd.DataFrame:
        """Return moments of the scores: mu, sigma_1, rho, and r of half-samples.

        {Parameters: level}
        n_splits : int, default=None
            Use at most this number of splits of each design; None uses all.

        Returns
        -------
        DataFrame
            Columns ``parameter``, ``hypothesis``, the sizes ``n_train``, ``n_test``,
            ``n_samples``, the numbers ``n_splits`` and ``n_pairs`` (0 for plain splits),
            ``estimate``, ``standard_error``, ``low``, ``high``. The parameters of plain splits are
            their scores' ``mean``, ``variance`` and ``correlation``; of half-samples ``r``, the
            correlation of two squared differences, and ``half_variance``, half their mean.

        Raises
        ------
        ValueError
            If there are fewer than 30 data sets.

        See Also
        --------
        skcvstats.theory.exchangeable_moments : The estimates and their intervals: appendix A.3.
        """
        check_level(confidence_level)
        check_optional_integer("n_splits", n_splits, 2, "how many splits to use, or None for all")
        self._require_data_sets(_FEWEST_DATA_SETS, "An interval of a moment")
        rows = []
        for design, values in zip(self.designs, self.measurements, strict=True):
            kept = values[..., :n_splits]
            sizes = {"n_splits": kept.shape[-1], "n_pairs": 0}
            names = {"mean": "mean", "variance": "variance", "correlation": "correlation"}
            if design.levels[0] == "pair":
                kept = values**2 / 2
                sizes = {"n_splits": design.shape[-1], "n_pairs": design.shape[0]}
                names = {"half_variance": "mean", "r": "correlation"}
            if kept.shape[-1] < 2:
                continue
            for h, hypothesis in enumerate(self.hypotheses):
                moments = exchangeable_moments(kept[:, h])
                for name, key in names.items():
                    low, high = moments.confidence_interval(key, confidence_level)
                    rows.append(
                        {
                            "parameter": name,
                            "hypothesis": hypothesis,
                            "n_train": design.train_size,
                            "n_test": design.test_size,
                            "n_samples": design.n_samples,
                            **sizes,
                            "estimate": getattr(moments, key),
                            "standard_error": moments.standard_error(key),
                            "low": low,
                            "high": high,
                        }
                    )
        return pd.DataFrame(rows)

    def to_frame(
        self, alpha: float = 0.1, *, truth: Mapping[str, float] | None = None
    ) -> pd.DataFrame:
        """Return the main numbers, one row for each procedure and hypothesis.

        {Parameters: test alpha, truth}

        Returns
        -------
        DataFrame
            The truth and its source, the size and its exact 95 % interval, the mean length of
            intervals and the mean estimate; the other tables have more.
        """
        names = {"rate": "size", "standard_error": "size_error"}
        frame = self.size(alpha, truth=truth).rename(columns=names)
        means = [
            about | {"mean_estimate": self.estimates[:, p, h].mean()}
            for p, h, about in self._each()
        ]
        frame = frame.merge(pd.DataFrame(means), how="left")
        if self.n_data_sets > 1 and any(map(self._has_law, range(len(self.procedures)))):
            lengths = self.mean_length(1 - alpha)[["procedure", "hypothesis", "mean_length"]]
            frame = frame.merge(lengths, how="left")
        return frame

    def true_values(self, truth: Mapping[str, float] | None = None) -> pd.DataFrame:
        """Return the true value that each procedure estimates.

        Parameters
        ----------
        truth : mapping of str to float, default=None
            By hypothesis, if known. Otherwise it is taken to be the mean over all data sets: of
            the splits of that training size with most test rows in all or, if no splits were
            measured, of the procedure's own estimates.

        Returns
        -------
        DataFrame
            Columns ``procedure``, ``hypothesis``, ``n_train``, ``value``, its
            ``standard_error`` (0 where given) and ``source``.
        """
        given_values = self._known(truth)
        return pd.DataFrame(
            [about | self._truth(p, h, given_values) for p, h, about in self._each()]
        )

    def rejection_rates(
        self,
        null_values: ArrayLike | Mapping[str, ArrayLike] | None = None,
        alpha: float = 0.1,
        *,
        truth: Mapping[str, float] | None = None,
        confidence_level: float = 0.95,
    ) -> pd.DataFrame:
        """Return how often each null value is rejected: the power curves.

        Parameters
        ----------
        null_values : array-like of float, or mapping of str to array-like, default=None
            The grid, for all hypotheses or by hypothesis, which then are the only ones. None is
            `null_value_grid` of each.
        {shared: test alpha, truth}
        confidence_level : float, default=0.95
            Of the exact binomial intervals ``low`` to ``high``.

        Returns
        -------
        DataFrame
            Columns ``procedure``, ``hypothesis``, ``n_train``, ``null_value``, ``rate``,
            ``standard_error``, ``low``, ``high``.

        Raises
        ------
        ValueError
            If there are no null values, some are not finite, or no procedure has a standard error.

        Notes
        -----
        A two-sided test rejects if ``|estimate - null value|`` is strictly above the critical value
        times the standard error. If scores do not vary, the standard error is 0 and the test
        rejects every value except the estimate.
        """
        alpha = check_alpha(alpha)
        level = check_level(confidence_level)
        if null_values is None:
            null_values = {
                name: self.null_value_grid(name, truth=truth) for name in self.hypotheses
            }
        if not isinstance(null_values, Mapping):
            null_values = dict.fromkeys(self.hypotheses, null_values)
        if not null_values:
            raise ValueError(
                f"null_values={null_values!r} is empty. Give the null values of some of "
                f"{list(self.hypotheses)}, or None for a grid of each."
            )
        grids = {}
        for name, values in null_values.items():
            check_option("hypothesis", name, self.hypotheses)
            grids[name] = grid = np.ravel(as_numbers("null_values", values))
            if grid.size == 0 or not np.isfinite(grid).all():
                raise ValueError(f"null_values of {name!r} must be finite numbers, got {values!r}.")
        frames = []
        for p, h, about in self._each_with_law("Rejection rates over a grid"):
            nulls = grids.get(self.hypotheses[h])
            if nulls is not None:
                rates = self._rates(self._rejections(p, h, nulls, alpha), level)
                frames.append(pd.DataFrame(about | {"null_value": nulls} | rates))
        return pd.concat(frames, ignore_index=True)

    def null_value_grid(
        self,
        hypothesis: str,
        n_points: int = 41,
        *,
        width: float = 4.0,
        truth: Mapping[str, float] | None = None,
    ) -> np.ndarray:
        """Return null values around the true value, which is one of them.

        Parameters
        ----------
        hypothesis : str
            The hypothesis.
        n_points : int, default=41
            How many, evenly spaced. True values that are not among them are added: of one training
            size this is so for an even number.
        width : float, default=4.0
            Range on either side, in standard deviations of the noisiest estimate.
        {shared: truth}

        Returns
        -------
        ndarray
            If procedures train on different numbers of rows, around all their true values.
        """
        check_integer("n_points", n_points, 1, _MOST_POINTS)
        self._require_procedures()
        self._require_data_sets(2, "A grid of null values")
        h = self.hypotheses.index(check_option("hypothesis", hypothesis, self.hypotheses))
        given_values = self._known(truth)
        centres = np.array(
            [self._truth(p, h, given_values)["value"] for p in range(len(self.procedures))]
        )
        width = check_finite_number("width", width)
        reach = width * self.estimates[:, :, h].std(axis=0, ddof=1).max()
        steps = np.linspace(-1, 1, n_points)
        middle = (centres.max() + centres.min()) / 2
        half = np.ptp(centres) / 2 + reach
        return np.union1d(middle + half * steps, centres)

    def size(
        self,
        alpha: float = 0.1,
        *,
        truth: Mapping[str, float] | None = None,
        confidence_level: float = 0.95,
    ) -> pd.DataFrame:
        """Return how often each procedure rejects the truth, or its own hypothesis.

        A procedure that is not a `LocationTest`, such as the combined 5x2cv F test or one with
        only a p-value, cannot test the true value. Its rate is that of p-values of its own
        hypothesis below `alpha`, and its ``truth`` is nan.

        {Parameters: test alpha, truth}
        confidence_level : float, default=0.95
            Of the exact binomial intervals ``low`` to ``high``; they take the truth as known.

        Returns
        -------
        DataFrame
            Columns ``procedure``, ``hypothesis``, ``n_train``, ``truth``, ``source``, ``rate``,
            ``standard_error``, ``low``, ``high``, and ``liberal``: whether at least this number of
            rejections has a probability below 5 % at a size of `alpha`; None where the truth is
            nan.
        """
        alpha = check_alpha(alpha)
        level = check_level(confidence_level)
        given_values = self._known(truth)
        rows = []
        for p, h, about in self._each():
            value, _, source = self._truth(p, h, given_values).values()
            if self._has_law(p):
                counts = self._rejections(p, h, np.array([value]), alpha)
            elif np.isnan(self.pvalues[:, p, h]).all():
                continue  # the procedure does not test this hypothesis
            else:
                value = np.nan
                source = "its own hypothesis"
                counts = (self.pvalues[:, p, h] < alpha).sum(keepdims=True)
            about |= {"truth": value, "source": source}
            about |= {name: column[0] for name, column in self._rates(counts, level).items()}
            # A one-sided exact test at 5 %: the lower bound is above alpha. It says nothing where
            # it is not known whether the hypothesis is true.
            liberal = (self._rates(counts, 0.9)["low"] > alpha).item()
            rows.append(about | {"liberal": None if np.isnan(value) else liberal})
        return pd.DataFrame(rows)

    def coverage(
        self, confidence_level: float = 0.9, *, truth: Mapping[str, float] | None = None
    ) -> pd.DataFrame:
        """Return how often the procedures' intervals cover the truth.

        Parameters
        ----------
        confidence_level : float, default=0.9
            Of the procedures' intervals. Those of the coverage are 95 % intervals.
        {shared: truth}

        Returns
        -------
        DataFrame
            As from `size`, without ``liberal``: an interval covers the values that the test
            does not reject.

        Raises
        ------
        ValueError
            If no procedure has a standard error.
        """
        alpha = 1 - check_level(confidence_level)
        self._each_with_law("Coverage")  # or it raises an error
        frame = self.size(alpha, truth=truth).drop(columns="liberal")
        frame = frame[frame["truth"].notna()].reset_index(drop=True)  # the others have no intervals
        frame["rate"] = 1 - frame["rate"]
        return frame.assign(low=1 - frame["high"], high=1 - frame["low"])

    def mean_length(self, confidence_level: float = 0.9) -> pd.DataFrame:
        """Return how long the procedures' intervals are on average.

        Parameters
        ----------
        confidence_level : float, default=0.9
            Of the procedures' intervals. Those of the mean length are 95 % intervals.

        Returns
        -------
        DataFrame
            Columns ``procedure``, ``hypothesis``, ``n_train``, ``mean_length``,
            ``standard_error``, ``low``, ``high``; one-sided intervals are infinitely long.

        Raises
        ------
        ValueError
            If there are fewer than 2 data sets, or no procedure has a standard error.
        """
        level = check_level(confidence_level)
        self._require_data_sets(2, "The error of a mean length")
        rows = []
        for p, h, about in self._each_with_law("The length of intervals"):
            mean = np.inf
            error = 0.0
            reach = 0.0
            if self.procedures[p].alternative == "two-sided":
                critical = -student_quantile(self._df(p, h), (1 - level) / 2)
                lengths = 2 * (critical * self.standard_errors[:, p, h])
                mean = lengths.mean()
                error = lengths.std(ddof=1) / np.sqrt(len(lengths))
                reach = -student_quantile(len(lengths) - 1, (1 - 0.95) / 2) * error
            length = {"mean_length": float(mean), "standard_error": float(error)}
            rows.append(about | length | {"low": mean - reach, "high": mean + reach})
        return pd.DataFrame(rows)

    def variance_ratio(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """Return the variance of the estimates over the mean of the variance estimates.

        {Parameters: level}

        Returns
        -------
        DataFrame
            Columns ``procedure``, ``hypothesis``, ``n_train``, ``variance_ratio``,
            ``standard_error``, ``low``, ``high``. Above 1 a procedure tends to be liberal.

        Raises
        ------
        ValueError
            If there are fewer than 30 data sets, or no procedure has a standard error.

        Notes
        -----
        With V the sample variance over the N data sets of the estimates e_i, and m the mean of
        their squared standard errors w_i, the ratio is V/m. By the delta method its standard error
        is the root of the sample variance over N of

            ((e_i - mean e)^2 - V)/m - V (w_i - m)/m^2,

        and the interval is that of its logarithm, with normal quantiles.
        """
        level = check_level(confidence_level)
        n = self.n_data_sets
        rows = []
        self._require_data_sets(_FEWEST_DATA_SETS, "The error of a variance ratio")
        for p, h, about in self._each_with_law("A variance ratio"):
            estimates = self.estimates[:, p, h]
            variances = self.standard_errors[:, p, h] ** 2
            squares = (estimates - estimates.mean()) ** 2
            mean = variances.mean()
            variance = squares.sum() / (n - 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.divide(variance, mean)
                influence = (squares - variance) / mean - variance * (variances - mean) / mean**2
                error = influence.std(ddof=1) / np.sqrt(n)
                factor = np.exp(-student_quantile(np.inf, (1 - level) / 2) * error / ratio)
                ends = {"low": ratio / factor, "high": ratio * factor}
            rows.append(about | {"variance_ratio": ratio, "standard_error": error} | ends)
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        return (
            f"<SimulationResult: {counted(self.n_data_sets, 'data set')}, "
            f"{counted(len(self.procedures), 'procedure')}, hypotheses "
            f"{', '.join(self.hypotheses)}>"
        )

    def _each(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yield the positions of each procedure and hypothesis, and what tables say about them."""
        self._require_procedures()
        pairs = product(enumerate(self.procedures), enumerate(self.hypotheses))
        for (p, procedure), (h, hypothesis) in pairs:
            about = {"procedure": procedure.label, "hypothesis": hypothesis}
            yield p, h, {**about, "n_train": procedure.design.train_size}

    def _each_with_law(self, what: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yield the procedures with a pivot and its distribution; raise an error without any."""
        with_law = [(p, h, about) for p, h, about in self._each() if self._has_law(p)]
        if not with_law:
            raise ValueError(
                f"{what} needs a procedure with a standard error; {', '.join(self.labels)} "
                "give p-values of their own hypotheses only: see size()."
            )
        return iter(with_law)

    def _has_law(self, p: int) -> bool:
        """Return whether a procedure has a pivot whose distribution is known."""
        return isinstance(self.procedures[p].test, LocationTest)

    def _df(self, p: int, h: int) -> Any:
        """Return the degrees of freedom: one number if they are the same in all data sets."""
        dfs = self.dfs[:, p, h]
        return float(dfs[0]) if (dfs == dfs[0]).all() else dfs

    def _require_procedures(self) -> None:
        """Raise ValueError if no procedure was studied."""
        if not self.procedures:
            raise ValueError(
                "No procedure was studied: pass procedures= to simulate. Designs have moments()."
            )

    def _require_data_sets(self, fewest: int, what: str) -> None:
        """Raise ValueError if there are too few data sets for what is asked."""
        n = self.n_data_sets
        if n < fewest:
            raise ValueError(
                f"{what} needs at least {fewest} data sets; there {verb(n, 'is', 'are')} {n}. "
                "Simulate more: with the same store= only further data sets are computed."
            )

    def _known(self, truth: Mapping[str, float] | None) -> dict[str, float]:
        """Return the true values that are given, by hypothesis, or say what is wrong with them."""
        if not isinstance(truth, Mapping | None):
            raise TypeError(
                f"truth={truth!r} must be a dict from hypotheses of {list(self.hypotheses)} to "
                "true values."
            )
        return {
            check_option("hypothesis", name, self.hypotheses): check_finite_number(name, value)
            for name, value in (truth or {}).items()
        }

    def _rates(self, counts: np.ndarray, level: float) -> dict[str, np.ndarray]:
        """Return rates, their standard errors and exact (Clopper-Pearson) intervals."""
        interval = error_rate_interval(counts, self.n_data_sets, "exact", confidence_level=level)
        rate, low, high = map(np.asarray, (interval.estimate, interval.low, interval.high))
        error = np.sqrt(rate * (1 - rate) / self.n_data_sets)
        return {"rate": rate, "standard_error": error, "low": low, "high": high}

    def _rejections(self, p: int, h: int, grid: np.ndarray, alpha: float) -> np.ndarray:
        """Return on how many data sets each null value is rejected."""
        estimates, errors, scales = (getattr(self, name)[:, p, h] for name in KEPT[:3])
        pivot = Pivot(estimates, errors, self._df(p, h), scales)
        alternative = self.procedures[p].alternative
        n_blocks = min(1 + grid.size * self.n_data_sets // _BLOCK, grid.size)
        blocks = np.array_split(grid[:, np.newaxis], n_blocks)
        counts = [rejects(pivot, block, alternative, alpha).sum(axis=1) for block in blocks]
        return np.concatenate(counts)

    def _truth(self, p: int, h: int, given_values: Mapping[str, float]) -> dict[str, Any]:
        """Return the true value with its standard error and its source."""
        name = self.hypotheses[h]
        if name in given_values:
            return {"value": given_values[name], "standard_error": 0.0, "source": "given"}
        n_train = self.procedures[p].design.train_size
        candidates = [
            (design.n_splits * design.test_size, values[:, h].mean(axis=1))
            for design, values in zip(self.designs, self.measurements, strict=True)
            if design.levels[0] != "pair" and design.train_size == n_train
        ]
        estimates = (0, self.estimates[:, p, h])
        means = max(candidates, key=itemgetter(0), default=estimates)[1]
        error = means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else np.nan
        source = f"mean of {counted(len(means), 'data set')}"
        return {"value": float(means.mean()), "standard_error": float(error), "source": source}
