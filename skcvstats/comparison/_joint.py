"""Joint inference on all estimators of a metric: max-t, the set of the best, letters.

doc/derivations.rst has the mathematics.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from itertools import chain, product
from string import ascii_lowercase
from types import SimpleNamespace
from typing import Any, Self

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
    close_to,
    reduced,
    samples_of,
    student_quantile,
    tail_probability,
)
from ._comparison import MaxT, single_step

N_DRAWS = 19_999
MOST_DRAWS = 199_999
MOST_ESTIMATORS = 30  # that are drawn longer, in up to ten seconds and 100 MB
_LEVELS = (0.01, 0.05, 0.1)  # at which the p-value is one number, whichever is asked for
_SEED = 20_080_614
_BLOCK = 2**18  # numbers in a block of draws: at most 2 MiB, which fit into the cache of a core
_FEW = 10  # estimators; with more, products of matrices are quicker than differences
_MOST_SHARED = 20  # draws of z with one covariance, of more estimators
_PATIENCE = 2.0  # seconds until progress is shown, if at all
_KEPT = N_DRAWS  # more draws of few estimators are not kept: these take at most 20 MB
_ALL = slice(None)
Source = Callable[[int, int, int, int], Iterator[np.ndarray]]


def standard_normals(
    n_estimators: int, n_squares: int, n_draws: int, n_shared: int = 1, seed: int = _SEED
) -> Iterator[np.ndarray]:
    """Yield, block by block, rows z and below them one G, or a root of G'G with fewer rows."""
    generator = np.random.Generator(np.random.PCG64(seed))
    dtype = precise_enough(n_estimators, n_squares)
    many = n_squares > (2 if n_shared == 1 else 1) * n_estimators
    n_rows = n_estimators if many else n_squares
    step = max(1, _BLOCK // (n_estimators * max(n_estimators, n_rows + n_shared)))
    n_roots = -(-n_draws // n_shared)
    for start in range(0, n_roots, step):
        shape = (min(step, n_roots - start), n_shared + n_rows, n_estimators)
        if many and n_shared > 1:  # only what the root needs
            normal = np.zeros(shape, dtype)
            normal[:, :n_shared] = generator.standard_normal((shape[0], n_shared, shape[2]), dtype)
            for root in normal[:, n_shared:]:
                for k, row in enumerate(root, start=1):
                    generator.standard_normal(dtype=dtype, out=row[k:])
        else:
            normal = generator.standard_normal(shape, dtype)
        if many:
            normal[:, n_shared:] = _wishart_root(generator, normal[:, n_shared:], n_squares)
        yield normal


def shown_normals(
    n_estimators: int, n_squares: int, n_draws: int, n_shared: int = 1
) -> Iterator[np.ndarray]:
    """Yield the same, and show the progress where it takes longer."""
    blocks = standard_normals(n_estimators, n_squares, n_draws, n_shared)
    first = next(blocks)
    total = -(-n_draws // (n_shared * len(first)))
    how: Any = {"doing": "drawing max-t", "unit": "block", "delay": _PATIENCE}
    return with_progress(chain([first], blocks), total, **how)


def precise_enough(n_estimators: int, n_squares: int) -> type[np.floating]:
    """Return the type that is precise enough for a variance as a difference of products."""
    # A contrast can vary much less than its two estimators: with few squares by chance, with very
    # many because there is hardly any shrinkage.
    return np.float32 if 4 <= n_squares <= 100 * n_estimators else np.float64


def _wishart_root(generator: np.random.Generator, normal: np.ndarray, n_squares: int) -> np.ndarray:
    """Return a square root of G'G for G with many rows, by Bartlett's decomposition."""
    df = n_squares - np.arange(normal.shape[-1])
    diagonal = np.sqrt(generator.chisquare(df, size=(len(normal), normal.shape[-1])))
    root = np.triu(normal, k=1)
    np.einsum("bkk->bk", root)[:] = diagonal
    return root


@dataclass(frozen=True, eq=False)
class Draws:
    """Simulated statistics of all pairs of estimators, as far as comparisons need them."""

    factor: np.ndarray
    n_squares: int
    determined: np.ndarray
    n_draws: int = N_DRAWS
    source: Source = standard_normals
    few: int = _FEW

    @property
    def n_shared(self) -> int:
        """How many draws have one covariance."""
        return 1 if len(self.factor) <= self.few else min(_MOST_SHARED, self.n_squares)

    def family(self, n_comparisons: int, maxima: np.ndarray) -> MaxT:
        """Return comparisons of which these are the maxima, in the order of the draws."""
        in_order = None if self.n_shared == 1 else maxima
        return MaxT(n_comparisons, np.sort(maxima), self.n_squares, in_order, self.n_shared)

    def control_maxima(self) -> np.ndarray:
        """Return the maximum over the others of (other - control), for each control."""
        return self._largest(_ALL, _ALL, self.determined, axis=1)  # of the row minus the column

    def maxima(self, first: np.ndarray, second: np.ndarray, alternative: str) -> np.ndarray:
        """Return the maximum over some contrasts, in the direction of the alternative."""
        kept = self.determined[first, second]
        if not kept.any():
            return np.full(self.n_draws, -np.inf)
        if alternative == "less":
            first, second = second, first
        rows, row = np.unique(first[kept], return_inverse=True)
        columns, column = np.unique(second[kept], return_inverse=True)
        asked = np.zeros((len(rows), len(columns)), dtype=bool)
        asked[row, column] = True
        two_sided = alternative == "two-sided"
        return self._largest(rows, columns, asked, axis=(1, 2), two_sided=two_sided)

    def score_maxima(self) -> np.ndarray:
        """Return the maximum over the scores themselves, in either direction."""
        n_estimators = len(self.factor)
        n_shared = self.n_shared
        factor = self.factor.T.astype(self.dtype)
        least = np.finfo(self.dtype).tiny
        maxima = list[np.ndarray]()
        with _one_thread():
            for normal in self.source(n_estimators, self.n_squares, self.n_draws, n_shared):
                drawn = normal @ factor
                squares = np.square(drawn[:, n_shared:]).sum(axis=1, keepdims=True)
                errors = np.sqrt(np.maximum(squares / self.n_squares, least))
                maxima.append(np.abs(drawn[:, :n_shared] / errors).max(axis=2).ravel())
        return np.concatenate(maxima)[: self.n_draws]

    @property
    def dtype(self) -> type[np.floating]:
        """The type of the simulated numbers."""
        return precise_enough(len(self.factor), self.n_squares)

    def _largest(
        self, rows: Any, columns: Any, asked: np.ndarray, axis: Any, two_sided: bool = False
    ) -> np.ndarray:
        """Return the maxima of what is asked of each draw, over the rows or over all pairs."""
        penalty = np.where(asked, 0, -np.inf).astype(self.dtype)
        few = len(self.factor) <= self.few
        maxima = list[np.ndarray]()
        simulated = self._ratios_of_few if few else self._ratios_of_many
        with _one_thread():
            for ratios in simulated(rows, columns):  # of shape (block, rows, columns)
                if two_sided:
                    np.abs(ratios, out=ratios)
                ratios += penalty
                maxima.append(ratios.max(axis=axis))
        return np.concatenate(maxima)[: self.n_draws]

    def _ratios_of_few(self, rows: Any, columns: Any) -> Iterator[np.ndarray]:
        """Yield ratios of the differences themselves, for all draws of a block at once."""
        factor = self.factor.astype(self.dtype)
        least = np.finfo(self.dtype).tiny
        controls = np.arange(len(factor))[columns]
        # The next comparison of as many estimators needs the same, and drawing takes longest.
        blocks = _cached if self.n_draws <= _KEPT else _transposed
        for normal in blocks(self.source, len(factor), self.n_squares, self.n_draws):
            drawn = factor @ normal
            means = drawn[0]
            spread = drawn[1:]
            compared = means[rows]
            spread_of_compared = spread[:, rows]
            ratios = np.empty((len(compared), len(controls), normal.shape[-1]), self.dtype)
            for k, control in enumerate(controls):
                differences = spread_of_compared - spread[:, [control]]
                variances = np.einsum("rkb,rkb->kb", differences, differences)
                np.maximum(variances, least, out=variances)
                ratios[:, k] = (compared - means[control]) / np.sqrt(variances, out=variances)
            yield np.moveaxis(ratios, -1, 0)

    def _ratios_of_many(self, rows: Any, columns: Any) -> Iterator[np.ndarray]:
        """Yield ratios by products of matrices, which are quicker than sums of short arrays."""
        n_estimators = len(self.factor)
        n_shared = self.n_shared
        factor = self.factor.T.astype(self.dtype)
        least = np.finfo(self.dtype).tiny
        room = None  # for all blocks: new memory takes longer than the products
        for normal in self.source(n_estimators, self.n_squares, self.n_draws, n_shared):
            normal[:, n_shared:] /= self.dtype(np.sqrt(self.n_squares))
            drawn = (normal.reshape(-1, n_estimators) @ factor).reshape(normal.shape)
            means = drawn[:, :n_shared, :, np.newaxis]
            spread = drawn[:, n_shared:]
            own = np.einsum("brk,brk->bk", spread, spread)
            room = None if room is None else room[: len(spread)]
            twice = -2 * spread[:, :, rows].transpose(0, 2, 1)
            scales = room = np.matmul(twice, spread[:, :, columns], out=room)
            scales += own[:, rows][:, :, np.newaxis]
            scales += own[:, columns][:, np.newaxis]
            np.maximum(scales, least, out=scales)
            np.reciprocal(np.sqrt(scales, out=scales), out=scales)
            n_roots = max(1, _BLOCK // (n_shared * scales[0].size))
            step = max(1, _BLOCK // scales[0].size)  # so that the numbers of a block stay few
            for first, start in product(range(0, len(scales), n_roots), range(0, n_shared, step)):
                part = means[first : first + n_roots, start : start + step]
                ratios = part[:, :, rows] - part[:, :, columns].transpose(0, 1, 3, 2)
                ratios *= scales[first : first + n_roots, np.newaxis]
                yield ratios.reshape(-1, *scales.shape[1:])


def _transposed(
    source: Source, n_estimators: int, n_squares: int, n_draws: int
) -> Iterator[np.ndarray]:
    """Yield z and below it G over the root of nu, with the draws of a block along the last axis."""
    for normal in source(n_estimators, n_squares, n_draws, 1):
        normal[:, 1:] /= normal.dtype.type(np.sqrt(n_squares))
        yield np.ascontiguousarray(normal.transpose(1, 2, 0))


@lru_cache(maxsize=2)
def _cached(source: Source, n_estimators: int, n_squares: int, n_draws: int) -> list[np.ndarray]:
    return list(_transposed(source, n_estimators, n_squares, n_draws))


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def _one_thread() -> Any:
    """Return a context of one BLAS thread; more slow small products down, and round anew."""
    return _controller().limit(limits=1, user_api="blas")


def make_draws(root: Root, determined: np.ndarray, n_draws: int = N_DRAWS) -> Draws:
    """Prepare the simulation of the statistics of all pairs."""
    # Only differences of estimators matter.
    factor = _shrunken_factor(root.values - root.values.mean(axis=0), root.n_squares)
    return Draws(factor, root.n_squares, determined, n_draws)


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
    if vary.size:
        factor[np.ix_(vary, vary)] = np.linalg.cholesky(covariance[np.ix_(vary, vary)])
    return factor


@dataclass(frozen=True, eq=False)
class JointInference:
    """All estimators of a metric, for joint inference; doc/derivations.rst has why it holds."""

    procedure: Procedure
    scores: CVScores
    auxiliary: CVScores | None = None
    n_draws: int = N_DRAWS
    verbose: int = 0  # whether progress is shown
    # What the procedure works on, and the estimated expected score of each estimator; made once.
    samples: tuple[Sample, Sample | None] = ()  # type: ignore[assignment]
    estimates: np.ndarray = ()  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if not self.samples:
            samples = samples_of(self.procedure, self.scores, self.auxiliary)
            object.__setattr__(self, "samples", samples)
            if isinstance(self.procedure, LocationTest):
                estimates = reduced(self.procedure, *samples).estimate
            else:
                estimates = samples[0].values.mean(axis=-1)
            object.__setattr__(self, "estimates", estimates)

    @cached_property
    def longer(self) -> Self:
        """The same with more draws, if there are few enough estimators."""
        if len(self.estimates) > MOST_ESTIMATORS or self.n_draws == MOST_DRAWS:
            return self
        longer = replace(self, n_draws=MOST_DRAWS)
        # What does not depend on the draws is computed once.
        vars(longer).update(places=self.places, all_pairs=self.all_pairs, root=self.root)
        return longer

    @cached_property
    def places(self) -> np.ndarray:
        """The places of the estimators in the draws: those with the same scores have the same."""
        samples = [sample for sample in self.samples if sample is not None]
        parts = [part for sample in samples for part in (sample.values, sample.largest)]
        if self.scores.components is not None:
            parts += self.scores.components.arrays.values()
        if self.procedure.needs_rows and self.scores.row_scores is not None:
            parts.append(self.scores.row_scores.values)
        keys = [
            (estimate, blake2b(b"".join((part + 0.0).tobytes() for part in row)).digest())
            for estimate, *row in zip(self.estimates.tolist(), *parts, strict=True)
        ]  # -0 is 0
        in_order = sorted(set(keys))
        return np.array([in_order.index(key) for key in keys])

    @cached_property
    def all_pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of all pairs the errors, degrees of freedom, and p of the column being above the row."""
        n_estimators = len(self.estimates)
        first, second = np.triu_indices(n_estimators, k=1)
        further = None if self.auxiliary is None else self.auxiliary.differences(first, second)
        found: Any = self.procedure.run(self.scores.differences(first, second), further)
        errors, dfs, alone = np.zeros((3, n_estimators, n_estimators))
        errors[first, second] = errors[second, first] = found.standard_error
        dfs[first, second] = dfs[second, first] = found.df
        if self.has_best:
            alone[second, first] = found.against(0.0, "greater").pvalue
            alone[first, second] = found.against(0.0, "less").pvalue
        return errors, dfs, alone

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
        made = make_draws(root, determined, self.n_draws)
        return replace(made, source=shown_normals) if self.verbose else made

    @cached_property
    def _simulated(self) -> tuple[MaxT, np.ndarray]:
        """All pairs as a family, and adjusted p-values as those of `all_pairs`."""
        assert self.draws is not None, "asked with a root only"
        maxima = self.draws.control_maxima()
        n_others = len(self.places) - 1
        nu = self.draws.n_squares
        n_pairs = n_others * (n_others + 1) // 2
        of_all = self.draws.family(n_pairs, maxima.max(axis=1))
        families = self._of_controls(maxima)
        errors, dfs, alone = self.all_pairs
        statistics = self.estimates[None, :] - self.estimates[:, None]
        statistics = statistics / np.where(errors > 0, errors, np.inf)
        tails = [of.tail(row) for of, row in zip(families, statistics, strict=True)]
        student = [tail_probability(statistics, df, "greater") for df in (dfs, nu)]
        return of_all, np.maximum(single_step(n_others, np.array(tails), *student), alone)

    def _of_controls(self, maxima: np.ndarray) -> list[MaxT]:
        """Return the comparisons of all others with each estimator as families; sorts in place."""
        assert self.draws is not None, "they have maxima"
        maxima.sort(axis=0)
        n_others = len(self.places) - 1
        nu = self.draws.n_squares
        return [MaxT(n_others, maxima[:, place], nu) for place in self.places]

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
    def has_best(self) -> bool:
        """Whether the procedure can say which estimators could be the best."""
        return isinstance(self.procedure, LocationTest)

    def pvalue_best(self, alpha: float) -> np.ndarray:
        """Return for each estimator the p-value of "this is the best"; nan if it has none."""
        errors, _, alone = self.all_pairs
        n_others = len(errors) - 1
        drawn = self.draws is not None and n_others > 1
        # of two that of their difference
        sides = tails_of(self.procedure.alternative)
        found = self._simulated[1] if drawn else np.minimum(1.0, max(n_others, sides) * alone)
        best = np.where(errors > 0, found, 1.0).min(axis=1)
        if drawn and self.longer is not self and near_a_level(best, self._simulated[0], alpha):
            return self.longer.pvalue_best(alpha)
        return np.where((errors > 0).any(axis=1), best, np.nan)

    def could_be_best(self, confidence_level: float) -> np.ndarray:
        """Return for each estimator whether it could be the best."""
        if confidence_level <= 0.5:
            raise ValueError(
                f"confidence_level={confidence_level!r} must be above 0.5 for the set of the best."
            )
        alpha = alpha_of(confidence_level)
        return ~(self.pvalue_best(alpha) <= alpha)

    def losses(self, confidence_level: float) -> np.ndarray:
        """Bound how much worse each estimator (row) is than each other (column); nan if unknown."""
        errors, dfs, _ = np.where(self.all_pairs[0] > 0, self.all_pairs, np.nan)
        n_others = len(errors) - 1
        alpha = alpha_of(confidence_level)
        if self.draws is None or n_others == 1:
            critical = -student_quantile(dfs, alpha / n_others)
        else:
            critical = np.empty_like(dfs)
            for control, family in enumerate(self._of_controls(self.draws.control_maxima())):
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
        every = np.ones_like(factor, dtype=bool)
        draws = Draws(factor, self.root.n_squares, every, self.n_draws)
        return draws.family(len(self.estimates), draws.score_maxima())

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
        procedure = self.procedure
        if isinstance(procedure, LocationTest):
            procedure = replace(procedure, null_value=0.0, alternative="two-sided")
        return procedure.run(self.scores, self.auxiliary)


def near_a_level(pvalues: np.ndarray, family: MaxT, alpha: float) -> bool:
    """Return whether other draws could change a verdict at this level or a usual one."""
    return close_to((alpha, *_LEVELS), pvalues, family.error_of(pvalues))


# With more columns, also in between, there is no display.
_MOST_COLUMNS = 2000


def _separate(columns: set[int], first: int, second: int) -> None:
    """Tear the columns that two estimators share; drop halves that are within other columns."""
    torn = {column for column in columns if column & first and column & second}
    columns -= torn
    for one, other in ((first, second), (second, first)):
        # As no column is within another, a half can be within one that was not torn only.
        rest = [column for column in columns if column & other]
        for half in {column & ~one for column in torn}:
            if all(half & ~column for column in rest):
                columns.add(half)


def letters(different: np.ndarray) -> list[str] | None:
    """Return the letters of each estimator, by inserting and absorbing (Piepho 2004)."""
    n_estimators = len(different)
    columns = {(1 << n_estimators) - 1}
    for first, second in np.argwhere(np.triu(different, k=1)).tolist():
        _separate(columns, 1 << first, 1 << second)
        if len(columns) > _MOST_COLUMNS:
            return None
    members = sorted([k for k in range(n_estimators) if column >> k & 1] for column in columns)
    named = (map("".join, product(ascii_lowercase, repeat=size)) for size in (1, 2, 3))
    lettered = list(zip(chain.from_iterable(named), members, strict=False))
    between = " " if len(members) > len(ascii_lowercase) else ""
    return [between.join(x for x, column in lettered if k in column) for k in range(n_estimators)]
