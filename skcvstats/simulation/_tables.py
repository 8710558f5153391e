"""ProcedureTables: the results of a study for each procedure and hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .._utils._checks import check_alpha, check_level, check_option
from ..scores import SplitDesign
from ..stats import LocationTest, Pivot, Procedure, interval
from ._null_values import given_grids, grid_about
from ._summaries import (
    FEWEST_DATA_SETS,
    Estimated,
    exceeds,
    mean_of,
    political_ratio_of,
    rates,
    rejection_counts,
    require_data_sets,
)
from ._truth import GIVEN, check_truth, estimated_truth


@dataclass(frozen=True, kw_only=True)
class SimulatedProcedure:
    """A procedure as it was studied.

    Parameters
    ----------
    label : str
        What it is called.
    test : Procedure
        The procedure.
    design : SplitDesign
        The splits of its estimate.
    auxiliary : SplitDesign or None
        Its auxiliary splits.
    alternative : {"two-sided", "less", "greater"}
        Where the truth lies if not at the null value, in the direction of the result.
    """

    label: str
    test: Procedure
    design: SplitDesign
    auxiliary: SplitDesign | None
    alternative: str


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ProcedureTables:
    """The part of a SimulationResult that is about procedures; the fields are in the subclass."""

    data_sets: np.ndarray
    hypotheses: tuple[str, ...]
    procedures: tuple[SimulatedProcedure, ...]
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
        known = check_truth(truth, self.hypotheses)
        rows = []
        for p, h, about in self._each():
            found, source = self._truth(p, h, known)
            rows.append(about | {"value": found[0], "standard_error": found[1], "source": source})
        return pd.DataFrame(rows)

    def rejection_rates(
        self,
        null_values: Any = None,
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
        alpha : float, default=0.1
            The level of the tests.
        truth : mapping of str to float, default=None
            As in `true_values`, for the grid of None.
        confidence_level : float, default=0.95
            Of the exact binomial intervals ``low`` to ``high``.

        Returns
        -------
        DataFrame
            Columns ``procedure``, ``hypothesis``, ``n_train``, ``null_value``, ``rate``,
            ``standard_error``, ``low``, ``high``.

        Notes
        -----
        A two-sided test rejects if ``|estimate - null value|`` is strictly above the critical value
        times the standard error. If scores do not vary, the standard error is 0 and the test
        rejects every value except the estimate.
        """
        alpha, level = check_alpha(alpha), check_level(confidence_level)
        grids = self._grids(null_values, truth)
        frames = []
        for p, h, about in self._each_with_law("Rejection rates over a grid"):
            if self.hypotheses[h] not in grids:
                continue
            grid = grids[self.hypotheses[h]]
            columns = self._rates(p, h, grid, alpha, level)
            frames.append(pd.DataFrame(about | {"null_value": grid} | columns))
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

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
            How many, evenly spaced; an odd number.
        width : float, default=4.0
            Range on either side, in standard deviations of the noisiest estimate.
        truth : mapping of str to float, default=None
            As in `true_values`.

        Returns
        -------
        ndarray
            If procedures train on different numbers of rows, around all their true values.
        """
        self._require_procedures()
        require_data_sets(self.n_data_sets, 2, "A grid of null values")
        h = self.hypotheses.index(check_option("hypothesis", hypothesis, self.hypotheses))
        known = check_truth(truth, self.hypotheses)
        centres = np.array([self._truth(p, h, known)[0][0] for p in range(len(self.procedures))])
        reach = width * self.estimates[:, :, h].std(axis=0, ddof=1).max()
        return grid_about(centres, reach, n_points)

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

        Parameters
        ----------
        alpha : float, default=0.1
            The level, which the size should not exceed.
        truth : mapping of str to float, default=None
            As in `true_values`.
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
        alpha, level = check_alpha(alpha), check_level(confidence_level)
        known = check_truth(truth, self.hypotheses)
        rows = []
        for p, h, about in self._each():
            (value, _), source = self._truth(p, h, known)
            if self._has_law(p):
                columns = self._rates(p, h, np.array([value]), alpha, level)
            elif np.isnan(self.pvalues[:, p, h]).all():
                continue  # the procedure does not test this hypothesis
            else:
                value, source = np.nan, "its own hypothesis"
                columns = self._named_rates(
                    (self.pvalues[:, p, h] < alpha).sum(keepdims=True), level
                )
            numbers = {name: column[0] for name, column in columns.items()}
            rows.append(about | {"truth": value, "source": source} | numbers)
        frame = pd.DataFrame(rows)
        liberal = exceeds(frame["rate"].to_numpy(), self.n_data_sets, alpha)
        asked = frame["truth"].notna()  # it is not known whether its own hypothesis is true
        frame["liberal"] = [
            bool(too_many) if known else None
            for too_many, known in zip(liberal, asked, strict=True)
        ]
        return frame

    def coverage(
        self, confidence_level: float = 0.9, *, truth: Mapping[str, float] | None = None
    ) -> pd.DataFrame:
        """Return how often the procedures' intervals cover the truth.

        Parameters
        ----------
        confidence_level : float, default=0.9
            Of the procedures' intervals. Those of the coverage are 95 % intervals.
        truth : mapping of str to float, default=None
            As in `true_values`.

        Returns
        -------
        DataFrame
            As from `size`, without ``liberal``: an interval covers the values that the test
            does not reject.
        """
        frame = self.size(1 - check_level(confidence_level), truth=truth).drop(columns="liberal")
        frame = frame[frame["truth"].notna()].reset_index(drop=True)  # the others have no intervals
        frame["rate"] = 1 - frame["rate"]
        frame["low"], frame["high"] = 1 - frame["high"], 1 - frame["low"]
        return frame

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
        """
        level = check_level(confidence_level)
        require_data_sets(self.n_data_sets, 2, "The error of a mean length")
        rows = []
        for p, h, about in self._each_with_law("The length of intervals"):
            procedure = self.procedures[p]
            if procedure.alternative == "two-sided":
                low, high = interval(
                    level,
                    estimate=0.0,
                    standard_error=self.standard_errors[:, p, h],
                    df=self._df(p, h),
                    alternative="two-sided",
                )
                found = mean_of(high - low, 0.95)
            else:
                found = Estimated(np.inf, 0.0, (np.inf, np.inf))  # type: ignore[arg-type]
            rows.append(about | _columns("mean_length", found))
        return pd.DataFrame(rows)

    def political_ratio(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """Return the variance of the estimates over the mean of the variance estimates.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the intervals ``low`` to ``high``.

        Returns
        -------
        DataFrame
            Columns ``procedure``, ``hypothesis``, ``n_train``, ``political_ratio``,
            ``standard_error``, ``low``, ``high``. Above 1 a procedure is liberal.

        Notes
        -----
        With V the sample variance over the N data sets of the estimates e_i, and m the mean of
        their squared standard errors w_i, the ratio is V/m. By the delta method its standard error
        is the root of the sample variance over N of

            ((e_i - mean e)^2 - V)/m - V (w_i - m)/m^2,

        and the interval is that of its logarithm, with normal quantiles.
        """
        level = check_level(confidence_level)
        require_data_sets(self.n_data_sets, FEWEST_DATA_SETS, "The error of a political ratio")
        rows = []
        for p, h, about in self._each_with_law("The political ratio"):
            variances = self.standard_errors[:, p, h] ** 2
            found = political_ratio_of(self.estimates[:, p, h], variances, level)
            rows.append(about | _columns("political_ratio", found))
        return pd.DataFrame(rows)

    def _each(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        self._require_procedures()
        for p, procedure in enumerate(self.procedures):
            for h, hypothesis in enumerate(self.hypotheses):
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
        return isinstance(self.procedures[p].test, LocationTest)

    def _df(self, p: int, h: int) -> Any:
        """Return the degrees of freedom: one number if they are the same in all data sets."""
        dfs = self.dfs[:, p, h]
        return float(dfs[0]) if (dfs == dfs[0]).all() else dfs

    def _require_procedures(self) -> None:
        if not self.procedures:
            raise ValueError(
                "No procedure was studied: pass procedures= to simulate. Of designs alone there "
                "are moments()."
            )

    def _rates(
        self, p: int, h: int, grid: np.ndarray, alpha: float, level: float
    ) -> dict[str, np.ndarray]:
        procedure = self.procedures[p]
        pivot = Pivot(
            self.estimates[:, p, h],
            self.standard_errors[:, p, h],
            self._df(p, h),
            self.scales[:, p, h],
            np.nan,
        )
        return self._named_rates(rejection_counts(pivot, grid, procedure.alternative, alpha), level)

    def _named_rates(self, counts: np.ndarray, level: float) -> dict[str, np.ndarray]:
        names = ("rate", "standard_error", "low", "high")
        return dict(zip(names, rates(counts, self.n_data_sets, level), strict=True))

    def _grids(self, null_values: Any, truth: Mapping[str, float] | None) -> dict[str, np.ndarray]:
        if null_values is None:
            return {name: self.null_value_grid(name, truth=truth) for name in self.hypotheses}
        return given_grids(null_values, self.hypotheses)

    def _truth(self, p: int, h: int, known: Mapping[str, float]) -> tuple[tuple[float, float], str]:
        """Return the true value with its standard error and its source."""
        name = self.hypotheses[h]
        if name in known:
            return (known[name], 0.0), GIVEN
        n_train = self.procedures[p].design.train_size
        measured = [values[:, h] for values in self.measurements]
        return estimated_truth(n_train, self.designs, measured, self.estimates[:, p, h])


def _columns(name: str, found: Estimated) -> dict[str, float]:
    low, high = found.interval
    return {name: found.value, "standard_error": found.standard_error, "low": low, "high": high}
