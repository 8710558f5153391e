"""SimulationResult: what a study found, with the Monte-Carlo error of each number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from .._utils._checks import check_level, check_option, is_integer
from .._utils._text import counted
from ..theory import exchangeable_moments
from ._data_set import contrasts
from ._plan import Plan
from ._summaries import FEWEST_DATA_SETS, require_data_sets
from ._tables import ProcedureTables, SimulatedProcedure

_OPPOSITE = {"two-sided": "two-sided", "less": "greater", "greater": "less"}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SimulationResult(ProcedureTables):
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
    procedures : tuple of SimulatedProcedure
        What was studied.
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

    See Also
    --------
    simulate : Runs a study.
    """

    def as_losses(self) -> SimulationResult:
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

    def take(self, labels: Sequence[str]) -> SimulationResult:
        """Return the same of some of the procedures.

        Parameters
        ----------
        labels : sequence of str
            Of the procedures.

        Returns
        -------
        SimulationResult
            In the order asked for.
        """
        if isinstance(labels, str) or not isinstance(labels, Iterable):
            raise TypeError(
                f"labels={labels!r} must be a list of labels of procedures, some of {self.labels}."
            )
        at = [self.labels.index(check_option("procedure", label, self.labels)) for label in labels]
        return replace(
            self,
            procedures=tuple(self.procedures[p] for p in at),
            estimates=self.estimates[:, at],
            standard_errors=self.standard_errors[:, at],
            scales=self.scales[:, at],
            dfs=self.dfs[:, at],
            pvalues=self.pvalues[:, at],
        )

    def moments(
        self, confidence_level: float = 0.95, *, n_splits: int | None = None
    ) -> pd.DataFrame:
        """Return moments of the scores: mu, sigma_1, rho, and r of half-samples.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of the intervals ``low`` to ``high``.
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

        See Also
        --------
        skcvstats.theory.exchangeable_moments : The estimates and their intervals: appendix A.3.
        """
        check_level(confidence_level)
        if n_splits is not None and (not is_integer(n_splits) or n_splits < 2):
            raise ValueError(f"n_splits={n_splits!r} must be None or an integer of at least 2.")
        require_data_sets(self.n_data_sets, FEWEST_DATA_SETS, "An interval of a moment")
        rows = []
        for design, values in zip(self.designs, self.measurements, strict=True):
            of_pairs = design.levels[0] == "pair"
            kept = values**2 / 2 if of_pairs else values[..., :n_splits]
            names = ("half_variance", "r") if of_pairs else ("mean", "variance", "correlation")
            if kept.shape[-1] < 2:
                continue
            for h, hypothesis in enumerate(self.hypotheses):
                found = exchangeable_moments(kept[:, h])
                for name in names:
                    key = {"half_variance": "mean", "r": "correlation"}.get(name, name)
                    low, high = found.confidence_interval(key, confidence_level)
                    rows.append(
                        {
                            "parameter": name,
                            "hypothesis": hypothesis,
                            "n_train": design.train_size,
                            "n_test": design.test_size,
                            "n_samples": design.n_samples,
                            "n_splits": design.shape[-1] if of_pairs else kept.shape[-1],
                            "n_pairs": design.shape[0] if of_pairs else 0,
                            "estimate": getattr(found, key),
                            "standard_error": found.standard_error(key),
                            "low": low,
                            "high": high,
                        }
                    )
        return pd.DataFrame(rows)

    def to_frame(
        self, alpha: float = 0.1, *, truth: Mapping[str, float] | None = None
    ) -> pd.DataFrame:
        """Return the main numbers, one row for each procedure and hypothesis.

        Parameters
        ----------
        alpha : float, default=0.1
            The level of the tests, and 1 minus that of the intervals.
        truth : mapping of str to float, default=None
            As in `true_values`.

        Returns
        -------
        DataFrame
            The truth and its source, the size and its exact 95 % interval, the mean length of
            intervals and the mean estimate; the other tables have more.
        """
        frame = self.size(alpha, truth=truth).rename(
            columns={"rate": "size", "standard_error": "size_error"}
        )
        means = {
            (about["procedure"], about["hypothesis"]): self.estimates[:, p, h].mean()
            for p, h, about in self._each()
        }
        pairs = zip(frame["procedure"], frame["hypothesis"], strict=True)
        frame["mean_estimate"] = [means[pair] for pair in pairs]
        if self.n_data_sets > 1 and any(map(self._has_law, range(len(self.procedures)))):
            lengths = self.mean_length(1 - alpha)[["procedure", "hypothesis", "mean_length"]]
            frame = frame.merge(lengths, how="left", on=["procedure", "hypothesis"])
        return frame

    def __repr__(self) -> str:
        return (
            f"<SimulationResult: {counted(self.n_data_sets, 'data set')}, "
            f"{counted(len(self.procedures), 'procedure')}, hypotheses "
            f"{', '.join(self.hypotheses)}>"
        )


def result_of(plan: Plan, numbers: Sequence[int], values: np.ndarray) -> SimulationResult:
    """Arrange what was kept for each data set."""
    pivots, *kept = plan.unpack(values)
    study = plan.study
    return SimulationResult(
        data_sets=np.array(numbers),
        hypotheses=study.hypotheses,
        procedures=tuple(
            SimulatedProcedure(
                label=procedure.label,
                test=procedure.test,
                design=procedure.design,
                auxiliary=procedure.auxiliary,
                alternative=getattr(procedure.test, "alternative", "two-sided"),
            )
            for procedure in plan.procedures
        ),
        estimates=pivots[..., 0],
        standard_errors=pivots[..., 1],
        scales=pivots[..., 2],
        dfs=pivots[..., 3],
        pvalues=pivots[..., 4],
        designs=tuple(measured.design for measured in plan.measured),
        measurements=tuple(contrasts(measurement, axis=1) for measurement in kept),
        metric=study.scoring.metric if study.loss is None else study.loss.metric,
    )
