"""Joint inference on all estimators of a metric: max-t, the set of the best, letters.

doc/derivations.rst has the mathematics.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import blake2b
from itertools import chain, product
from string import ascii_lowercase
from types import SimpleNamespace
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from .._utils._arrays import Floats
from .._utils._progress import with_progress
from .._utils._shared_arguments import alpha_of, tails_of
from ..scores import CVScores
from ..stats import (
    Inference,
    LocationTest,
    Procedure,
    Root,
    Sample,
    samples_of,
    student_quantile,
    tail_probability,
    two_sided,
)
from ._comparison import MaxT, Uncached, single_step

N_DRAWS = 49_999
N_DRAWS_OF_MANY = 19_999
FEW_ESTIMATORS = 30  # with more, fewer draws
_MOST_UNSHARED = 10  # estimators; with more, several draws of z have one covariance
_MOST_SHARED = 20  # draws of z with one covariance
_SEED = 20_080_614
_BLOCK = 2**18  # numbers in a block of draws: at most 2 MiB, which fit into the cache of a core
_NUMBERS_IN_PART = 2**21  # maxima of all controls that are kept at once, 16 MiB
_N_LEADERS = 96  # estimators with the highest simulated means, which are compared with all others
_LEAST = 1e-300  # in place of a square of 0, as a divisor
_PATIENCE = 2.0  # seconds until progress is shown, if at all
Source = Callable[[int, int, int, int], Iterator[np.ndarray]]


def standard_normals(
    n_estimators: int, n_squares: int, n_draws: int, n_shared: int = 1, seed: int = _SEED
) -> Iterator[np.ndarray]:
    """Yield, block by block, rows z and below them one G, or a root of G'G with fewer rows."""
    generator = np.random.Generator(np.random.PCG64(seed))
    n_rows = min(n_squares, n_estimators)
    diagonal = np.arange(n_estimators)
    row, column = np.triu_indices(n_estimators, k=1)
    step = max(1, _BLOCK // (n_estimators * max(n_estimators, n_shared)))
    n_roots = -(-n_draws // n_shared)
    for start in range(0, n_roots, step):
        n = min(step, n_roots - start)
        if n_squares <= n_estimators:
            yield generator.standard_normal((n, n_shared + n_rows, n_estimators))
            continue
        # With many rows G'G is drawn by Bartlett's decomposition, as a triangle.
        normal = np.zeros((n, n_shared + n_rows, n_estimators))
        normal[:, :n_shared] = generator.standard_normal((n, n_shared, n_estimators))
        normal[:, n_shared + row, column] = generator.standard_normal((n, len(row)))
        squares = generator.chisquare(n_squares - diagonal, size=(n, n_estimators))
        normal[:, n_shared + diagonal, diagonal] = np.sqrt(squares)
        yield normal


def shown_normals(
    n_estimators: int, n_squares: int, n_draws: int, n_shared: int = 1
) -> Iterator[np.ndarray]:
    """Yield the same, and show the progress where it takes longer."""
    blocks = standard_normals(n_estimators, n_squares, n_draws, n_shared)
    first = next(blocks)
    total = -(-n_draws // (n_shared * len(first)))
    words: Any = {"doing": "drawing max-t", "unit": "block", "delay": _PATIENCE}
    return with_progress(chain([first], blocks), total, **words)


@dataclass(frozen=True, eq=False)
class Draws:
    """Simulated statistics of pairs of estimators; all of one metric have the same draws."""

    factor: np.ndarray
    n_squares: int
    determined: np.ndarray
    n_draws: int
    n_shared: int  # draws of z with one covariance
    source: Source = standard_normals

    def family(self, n_comparisons: int, maxima: np.ndarray) -> MaxT:
        """Return comparisons with these maxima, in the order of the draws."""
        return MaxT(n_comparisons, maxima, self.n_squares, self.n_shared)

    def maxima(self, first: np.ndarray, second: np.ndarray, alternative: str) -> np.ndarray:
        """Return the maximum over some contrasts, in the direction of the alternative."""
        kept = self.determined[first, second]
        if alternative == "less":
            first, second = second, first
        first = first[kept]
        second = second[kept]
        maxima = list[np.ndarray]()
        with _one_thread():
            for means, spread in self._simulated():
                differences = spread[:, :, first] - spread[:, :, second]
                variances = np.einsum("brk,brk->bk", differences, differences)
                ratios = means[:, :, first] - means[:, :, second]
                ratios /= np.sqrt(np.maximum(variances, _LEAST))[:, np.newaxis]
                if alternative == "two-sided":
                    np.abs(ratios, out=ratios)
                # Without any pair that is determined there is no largest ratio.
                maxima.append(ratios.max(axis=2, initial=-np.inf).ravel())
        return np.concatenate(maxima)[: self.n_draws]

    def control_maxima(self) -> np.ndarray:
        """Return for each control (row) the maximum over the others of (other - control)."""
        with _one_thread():
            return np.concatenate(list(self._parts_of_control_maxima()), axis=1)

    def control_tails(
        self, controls: np.ndarray, statistics: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the maxima over all pairs, and the `tail` of each control's row of statistics."""
        maxima = list[np.ndarray]()
        n_beyond = np.zeros(statistics.shape, dtype=int)
        with _one_thread():
            for part in self._parts_of_control_maxima():
                maxima.append(part.max(axis=0))
                part.sort(axis=1)
                for row, control in enumerate(controls):
                    n_below = np.searchsorted(part[control], statistics[row], side="left")
                    n_beyond[row] += part.shape[1] - n_below
        return np.concatenate(maxima), (1 + n_beyond) / (self.n_draws + 1)

    def _parts_of_control_maxima(self) -> Iterator[np.ndarray]:
        """Yield the control maxima of some draws; all at once would take much memory."""
        most = max(1, _NUMBERS_IN_PART // len(self.factor))
        blocks = list[np.ndarray]()
        n_left = self.n_draws
        for means, variances in self._simulated_pairs():
            blocks.append(_largest_of_controls(means, variances)[:, :n_left])
            n_left -= blocks[-1].shape[1]
            if n_left == 0 or len(blocks) * blocks[0].shape[1] >= most:
                yield np.concatenate(blocks, axis=1)
                blocks.clear()

    def _simulated_pairs(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield means, and variances of the differences of all pairs: infinite if undetermined."""
        undetermined = np.nonzero(~self.determined)
        room = None  # for all blocks: new memory takes longer than the products
        for means, spread in self._simulated():
            squares = np.einsum("brk,brk->bk", spread, spread)
            spread *= np.sqrt(2)
            room = None if room is None else room[: len(spread)]
            variances = room = np.matmul(spread.transpose(0, 2, 1), spread, out=room)
            np.subtract(squares[:, :, np.newaxis], variances, out=variances)
            variances += squares[:, np.newaxis]
            np.maximum(variances, _LEAST, out=variances)
            variances[:, *undetermined] = np.inf
            yield means, variances

    def _simulated(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield means, and deviations whose products are the simulated covariances."""
        n_estimators = len(self.factor)
        for normal in self.source(n_estimators, self.n_squares, self.n_draws, self.n_shared):
            normal[:, self.n_shared :] /= np.sqrt(self.n_squares)
            drawn = (normal.reshape(-1, n_estimators) @ self.factor.T).reshape(normal.shape)
            yield drawn[:, : self.n_shared], drawn[:, self.n_shared :]


def _largest_of_controls(means: np.ndarray, variances: np.ndarray) -> np.ndarray:
    """Return the largest ratio of each control in each draw, of shape (n_estimators, n_draws)."""
    n_roots, n_shared, n_estimators = means.shape
    n_leaders = min(_N_LEADERS, n_estimators)
    roots = np.arange(n_roots)[:, np.newaxis]
    squares = np.empty((n_roots, n_estimators, n_shared))
    lowest = np.empty((n_roots, n_shared, 1))
    for draw in range(n_shared):  # one by one, so that the numbers stay few
        leaders = np.argpartition(means[:, draw], n_estimators - n_leaders)[:, -n_leaders:]
        of_leaders = means[roots, draw, leaders]
        ratios = of_leaders[:, :, np.newaxis] - means[:, draw, np.newaxis]
        _square_what_is_ahead(ratios)
        ratios /= variances[roots, leaders]
        squares[:, :, draw] = ratios.max(axis=1)
        lowest[:, draw, 0] = of_leaders.min(axis=1)

    # Of the others, which are behind all leaders, only one that varies so little with the control
    # can have a larger ratio.
    ahead = (lowest - means).transpose(0, 2, 1)
    _square_what_is_ahead(ahead)
    nearest = (ahead / np.maximum(squares, _LEAST)).max(axis=2, keepdims=True)
    near = np.flatnonzero(variances < nearest)
    by_control = squares.reshape(-1, n_shared)
    means_by_root = means.transpose(0, 2, 1).reshape(-1, n_shared)
    step = max(1, _BLOCK // n_shared)
    for start in range(0, len(near), step):
        pairs = near[start : start + step]
        control, other = np.divmod(pairs, n_estimators)
        other += control - control % n_estimators
        ratios = means_by_root[other] - means_by_root[control]
        _square_what_is_ahead(ratios)
        ratios /= variances.reshape(-1, 1)[pairs]
        starts = np.flatnonzero(np.diff(control, prepend=-1))
        changed = control[starts]
        by_control[changed] = np.maximum(by_control[changed], np.maximum.reduceat(ratios, starts))
    largest = np.sqrt(by_control)

    # Where nobody is ahead of the control, the largest ratio is not positive.
    row, position = np.nonzero(by_control == 0)
    root, control = np.divmod(row, n_estimators)
    of_control = variances[root, control]
    ratios = (means[root, position] - means[root, position, control, np.newaxis]) / np.sqrt(
        of_control
    )
    largest[row, position] = np.where(np.isinf(of_control), -np.inf, ratios).max(axis=1)
    by_root = largest.reshape(n_roots, n_estimators, n_shared)
    by_control_and_draw: np.ndarray = by_root.transpose(1, 0, 2).reshape(n_estimators, -1)
    return by_control_and_draw


def _square_what_is_ahead(differences: np.ndarray) -> None:
    """Square positive differences in place, and put 0 for the others."""
    np.maximum(differences, 0.0, out=differences)
    np.square(differences, out=differences)


@cache
def _controller() -> ThreadpoolController:
    """Return the control of the threads of BLAS, which takes long to be made."""
    return ThreadpoolController()


def _one_thread() -> Any:
    """Return a context of one BLAS thread; more slow small products down, and round anew."""
    return _controller().limit(limits=1, user_api="blas")


def make_draws(root: Root, determined: np.ndarray) -> Draws:
    """Prepare the simulation of the statistics of all pairs."""
    # Only differences of estimators matter.
    factor = _shrunken_factor(root.values - root.values.mean(axis=0), root.n_squares)
    return _draws_of(factor, root.n_squares, determined)


def _draws_of(factor: np.ndarray, n_squares: int, determined: np.ndarray) -> Draws:
    """Return as many draws, sharing as many covariances, as are used for this number of models."""
    n_estimators = len(factor)
    n_draws = N_DRAWS if n_estimators <= FEW_ESTIMATORS else N_DRAWS_OF_MANY
    n_shared = 1 if n_estimators <= _MOST_UNSHARED else min(_MOST_SHARED, n_squares)
    return Draws(factor, n_squares, determined, n_draws, n_shared)


def _shrunken_factor(values: np.ndarray, n_squares: int) -> np.ndarray:
    """Return the Cholesky factor of the covariance of a root, shrunk off the diagonal."""
    # divided so that squares neither overflow nor underflow
    values = values / (np.abs(values).max() or 1.0)
    with _one_thread():
        covariance = values @ values.T
        shrunk = covariance * (n_squares / (len(values) + n_squares))
        np.fill_diagonal(shrunk, np.diag(covariance))
        return _cholesky(shrunk)


def _cholesky(covariance: np.ndarray) -> np.ndarray:
    """Return the Cholesky factor, with a zero row for an estimator without variance."""
    variances = np.diag(covariance)
    factor = np.zeros_like(covariance)
    vary = np.flatnonzero(variances > 1e-14 * variances.max())
    factor[np.ix_(vary, vary)] = np.linalg.cholesky(covariance[np.ix_(vary, vary)])
    return factor


@dataclass(frozen=True, eq=False)
class JointInference(Uncached):
    """All estimators of a metric, for joint inference; doc/derivations.rst has why it holds."""

    procedure: Procedure
    scores: CVScores
    auxiliary: CVScores | None = None
    verbose: int = 0  # whether progress is shown
    # What the procedure works on, and the estimated expected score of each estimator; made once.
    samples: tuple[Sample, Sample | None] = ()  # type: ignore[assignment]
    estimates: np.ndarray = ()  # type: ignore[assignment]
    tested: tuple[np.ndarray, np.ndarray, Inference] | None = None  # pairs and their tests

    def __post_init__(self) -> None:
        if not self.samples:
            samples = samples_of(self.procedure, self.scores, self.auxiliary)
            object.__setattr__(self, "samples", samples)
            object.__setattr__(self, "estimates", self.procedure._estimates(*samples))

    @cached_property
    def places(self) -> np.ndarray:
        """The places of the estimators in the draws: those with the same scores have the same."""
        parts = []
        for sample in self.samples:
            if sample is not None:
                parts += [sample.values, sample.largest]
        if self.scores.components is not None:
            parts += self.scores.components.arrays.values()
        if self.procedure.needs_rows:
            rows: Any = self.scores.row_scores
            parts.append(rows.values)
        digests = [
            blake2b(b"".join((part + 0.0).tobytes() for part in row)).hexdigest()  # -0 is 0
            for row in zip(*parts, strict=True)
        ]
        keys = np.rec.fromarrays([self.estimates, np.array(digests)])
        return np.unique(keys, return_inverse=True)[1]

    @cached_property
    def all_pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of all pairs the errors, degrees of freedom, and p of the column being above the row."""
        n_estimators = len(self.estimates)
        first, second = np.triu_indices(n_estimators, k=1)
        if self.tested is not None and len(self.tested[0]) == len(first):
            first, second, tests = self.tested
        else:
            tests = self.test(first, second)
        inference: Any = tests
        errors, dfs, pvalues = np.zeros((3, n_estimators, n_estimators))
        errors[first, second] = errors[second, first] = inference.standard_error
        dfs[first, second] = dfs[second, first] = inference.df
        pvalues[second, first] = inference.against(0.0, "greater").pvalue
        pvalues[first, second] = inference.against(0.0, "less").pvalue
        return errors, dfs, pvalues

    def test(self, first: np.ndarray, second: np.ndarray) -> Inference:
        """Test the differences of many pairs in one call."""
        further = None if self.auxiliary is None else self.auxiliary.differences(first, second)
        return self.procedure.run(self.scores.differences(first, second), further)

    @cached_property
    def root(self) -> Root | None:
        """The root of the covariance of the estimates; None for a procedure without one."""
        return self.procedure.root(*self.samples)

    @cached_property
    def draws(self) -> Draws | None:
        """The simulated statistics; None for a procedure without a root."""
        if self.root is None:
            return None
        distinct = np.unique(self.places, return_index=True)[1]
        determined = self.all_pairs[0][np.ix_(distinct, distinct)] > 0
        root = Root(self.root.values[distinct], self.root.n_squares)
        draws = make_draws(root, determined)
        return replace(draws, source=shown_normals) if self.verbose else draws

    @cached_property
    def _simulated(self) -> tuple[MaxT, np.ndarray]:
        """All pairs as a family, and adjusted p-values as those of `all_pairs`."""
        assert self.draws is not None, "asked with a root only"
        n_others = len(self.places) - 1
        nu = self.draws.n_squares
        errors, _, single_pvalues = self.all_pairs
        statistics = self.estimates[None, :] - self.estimates[:, None]
        statistics = statistics / np.where(errors > 0, errors, np.inf)
        maxima, tails = self.draws.control_tails(self.places, statistics)
        of_all = self.draws.family(n_others * (n_others + 1) // 2, maxima)
        bound = tail_probability(statistics, nu, "greater")
        pvalues = single_step(n_others, tails, single_pvalues, bound)
        return of_all, np.maximum(pvalues, single_pvalues)

    def max_t(self, first: np.ndarray, second: np.ndarray, alternative: str) -> MaxT:
        """Return comparisons as one family."""
        assert self.draws is not None, "asked with a root only"
        n_estimators = len(self.estimates)
        all_pairs = len(first) == n_estimators * (n_estimators - 1) // 2
        if all_pairs and alternative == "two-sided":
            return self._simulated[0]
        maxima = self.draws.maxima(self.places[first], self.places[second], alternative)
        return self.draws.family(len(first), maxima)

    @property
    def is_simulated(self) -> bool:
        """Whether there is a joint distribution of several differences, and it is simulated."""
        return self.draws is not None and len(self.estimates) > 2

    @property
    def has_best(self) -> bool:
        """Whether the procedure can say which estimators could be the best."""
        return isinstance(self.procedure, LocationTest)

    @cached_property
    def pvalue_best(self) -> np.ndarray:
        """The p-value of "this is the best" for each estimator; nan if it has none."""
        errors, _, single_pvalues = self.all_pairs
        n_others = len(errors) - 1
        if not self.is_simulated:
            sides = tails_of(self.procedure.alternative)  # of two p is that of their difference
            pvalues = np.minimum(1.0, max(n_others, sides) * single_pvalues)
        else:
            pvalues = self._simulated[1]
        best = np.where(errors > 0, pvalues, 1.0).min(axis=1)
        return np.where((errors > 0).any(axis=1), best, np.nan)

    def could_be_best(self, confidence_level: float) -> np.ndarray:
        """Return for each estimator whether it could be the best."""
        if confidence_level <= 0.5:
            raise ValueError(
                f"confidence_level={confidence_level!r} must be above 0.5 for the set of the best."
            )
        alpha = alpha_of(confidence_level)
        return ~(self.pvalue_best <= alpha)

    def losses(self, confidence_level: float) -> np.ndarray:
        """Bound how much worse each estimator (row) is than each other (column); nan if unknown."""
        errors, dfs, _ = np.where(self.all_pairs[0] > 0, self.all_pairs, np.nan)
        n_others = len(errors) - 1
        alpha = alpha_of(confidence_level)
        critical = -student_quantile(dfs, alpha / n_others)
        if self.is_simulated:
            assert self.draws is not None, "asked with a root only"
            maxima = self.draws.control_maxima()
            for control, place in enumerate(self.places):
                family = MaxT(n_others, maxima[place], self.draws.n_squares)
                others = SimpleNamespace(df=dfs[:, control], alternative="greater")
                critical[:, control] = family.critical(others, alpha)
        bounds: Floats = critical * errors - (self.estimates[:, None] - self.estimates)
        np.fill_diagonal(bounds, 0.0)
        return bounds

    @cached_property
    def score_family(self) -> MaxT:
        """The scores of all estimators as one family, which their differences are not."""
        assert self.root is not None, "asked with a root only"
        distinct = np.unique(self.places, return_index=True)[1]
        factor = _shrunken_factor(self.root.values[distinct], self.root.n_squares)
        # A score is its difference from one more estimator, whose score is always 0.
        padded = np.pad(factor, (0, 1))
        draws = _draws_of(padded, self.root.n_squares, ~np.eye(len(padded), dtype=bool))
        scores = np.arange(len(factor))
        maxima = draws.maxima(scores, np.full(len(factor), len(factor)), "two-sided")
        return draws.family(len(self.estimates), maxima)

    @property
    def best_first(self) -> np.ndarray:
        """The positions of the estimators, the highest estimate first."""
        return np.argsort(-self.estimates, kind="stable")

    def best_set(self, confidence_level: float) -> tuple[str, ...]:
        """Return the names of the estimators that could be the best, the highest estimate first."""
        inside = self.could_be_best(confidence_level)
        return tuple(self.scores.labels[k] for k in self.best_first if inside[k])

    @cached_property
    def own_scores(self) -> Inference:
        """The unadjusted inference on the score of each estimator."""
        return two_sided(self.procedure, null_value=0.0).run(self.scores, self.auxiliary)


# With more columns, also in between, there is no display.
_MOST_COLUMNS = 2000


def _separate(columns: set[int], first: int, second: int) -> set[int]:
    """Tear the columns that two estimators share; drop halves that are within other columns."""
    both = first | second
    torn = {column for column in columns if column & both == both}
    whole = columns - torn
    halves = {column & ~one for column in torn for one in (first, second)}
    # As no column is within another, a half can be within one that was not torn only.
    return whole | {half for half in halves if all(half & ~column for column in whole)}


def letters(different: np.ndarray) -> list[str] | None:
    """Return the letters of each estimator, by inserting and absorbing (Piepho 2004)."""
    n_estimators = len(different)
    bits = [1 << k for k in reversed(range(n_estimators))]  # the first estimator has the highest
    columns = {sum(bits)}
    for first, second in np.argwhere(np.triu(different, k=1)).tolist():
        columns = _separate(columns, bits[first], bits[second])
        if len(columns) > _MOST_COLUMNS:
            return None
    named = map("".join, product(["", *ascii_lowercase], ascii_lowercase))
    lettered = list(zip(named, sorted(columns, reverse=True), strict=False))
    between = " " * (len(columns) > len(ascii_lowercase))
    return [between.join(x for x, column in lettered if column & bit) for bit in bits]
