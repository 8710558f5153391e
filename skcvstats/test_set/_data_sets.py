"""Models compared by scores of whole data sets, tasks or questions: the words, and Wilcoxon's p."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from scipy.stats import wilcoxon

from .._utils._text import check_names, first_of, format_pvalue
from ..scores import Components, CVScores, Note, note_on_tests
from ..stats import Description, ResultDescription, plain
from ._held_out import ClusteredTTest, HeldOutResult

# Nouns that are made plural; any other is taken for a plural.
_SINGULAR = {
    *("question", "task", "set", "dataset", "item", "problem", "prompt", "example", "sample"),
    *("document", "patient", "subject", "image", "case", "user", "benchmark", "row"),
}
# How many pairs a note lists with their p-values; a frame has all.
_MOST_PAIRS = 10


def _in_units(text: str, unit: str) -> str:
    """Return a text about test rows as one about data sets or tasks."""
    text = text.replace("one row ", f"one of the {unit} ")
    return text.replace("test rows", unit).replace("rows", unit)


def _notes_in_units(notes: Iterable[Note], unit: str) -> tuple[Note, ...]:
    return tuple(replace(note, text=_in_units(note.text, unit)) for note in notes)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DataSetsResult(HeldOutResult):
    """The answer about models on data sets or tasks; of differences with Wilcoxon's p."""

    pvalue_wilcoxon: Any = field(default=None, metadata={"per_test": True})

    _shown: ClassVar[tuple[str, ...]] = (*HeldOutResult._shown, "pvalue_wilcoxon")

    @property
    def unit(self) -> str:
        """What the scores are of, in the plural."""
        return str(self.origin.procedure.unit)

    @property
    def _fixed_models(self) -> tuple[str, ...]:  # type: ignore[override]
        on = f"on {self.unit} like these"
        return f"this model, {on}", f"these models, {on}"

    @property
    def beside(self) -> dict[str, Any]:
        """Wilcoxon's p; nothing with groups or weights."""
        return {} if self.pvalue_wilcoxon is None else {"pvalue_wilcoxon": self.pvalue_wilcoxon}

    def describe(self) -> ResultDescription:
        description = super().describe()
        return replace(description, sizes=_in_units(description.sizes, self.unit), joined=" on ")


@dataclass(frozen=True, kw_only=True)
class DataSetsTTest(ClusteredTTest):
    """Test the difference of two models by their scores on data sets, tasks or questions.

    It is the paired t-test, whose units are data sets and not the rows of one test set. It has
    Wilcoxon's signed-rank p beside it, as tables of such comparisons report it.

    {Parameters: null_value, alternative, variance}
    unit : str, default="data sets"
        What the scores are of, a noun in the plural.

    {See Also: compare_losses}

    Notes
    -----
    ``pvalue_wilcoxon`` of the result is that of ``scipy.stats.wilcoxon(a, b)`` with the same
    alternative, and 1 where the two do not differ; round the scores first if equal differences are
    not equal numbers, as of 0.3 and 0.1 + 0.2. It is of the null hypothesis that differences
    are symmetric about 0, and is not adjusted for the number of comparisons. Both tests take data
    sets to be independent of each other [1]_; with groups or weights there is no such p.

    References
    ----------
    .. [1] J. Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", Journal of
       Machine Learning Research 7, 2006.

    Examples
    --------
    >>> from skcvstats import compare_losses
    >>> accuracies = {
    ...     "a": [0.91, 0.83, 0.77, 0.95, 0.68, 0.88, 0.79],
    ...     "b": [0.89, 0.78, 0.76, 0.91, 0.65, 0.81, 0.73],
    ... }
    >>> options = {"metric": "accuracy", "greater_is_better": True, "unit": "data sets"}
    >>> test = compare_losses(accuracies, **options)[0].test
    >>> print(f"p = {test.pvalue:.4f}, Wilcoxon's p = {test.pvalue_wilcoxon:.4f}")
    p = 0.0027, Wilcoxon's p = 0.0156
    """

    unit: str = "data sets"

    name: ClassVar[str] = "data_sets_t"
    title: ClassVar[str] = "t-test over data sets"
    answers: ClassVar[type[HeldOutResult]] = DataSetsResult

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.unit, str):
            raise TypeError(
                f"unit={self.unit!r} must be a noun in the plural, such as 'data sets'."
            )
        check_names([self.unit], "units")
        if self.unit.rpartition(" ")[2] in _SINGULAR:
            vars(self).update(unit=f"{self.unit}s")

    def scores_of(self, scores: CVScores, values: np.ndarray) -> CVScores:
        components: Any = scores.components
        arrays = {**components.arrays, "scores": values}  # whose differences have ranks
        notes = _notes_in_units(scores.notes, self.unit)
        return replace(scores, components=replace(components, arrays=arrays), notes=notes)

    def describe_on(self, components: Components) -> Description:
        description = super().describe_on(components)
        explanation = _in_units(description.explanation, self.unit)
        return replace(description, explanation=explanation, varies_over=self.unit)

    def _details(self, components: Components, estimates: np.ndarray) -> dict[str, Any]:
        facts = components.facts
        if True in (components.first is None, facts["grouped"], facts["weighted"]):
            return {}
        differences = components.rows("scores")
        pvalues = np.apply_along_axis(_signed_rank, 1, differences, self.alternative)
        return {"pvalue_wilcoxon": plain(pvalues.reshape(np.shape(estimates)))}

    def infer(self, sample: Any, auxiliary: Any = None, *, null_value: Any = None) -> HeldOutResult:
        answer: HeldOutResult = super().infer(sample, null_value=null_value)
        answer = replace(answer, notes=_notes_in_units(answer.notes, self.unit))
        if not answer.beside:
            return answer
        pvalues = map(format_pvalue, np.ravel(answer.beside["pvalue_wilcoxon"]).tolist())
        said = list(map("{} (p {})".format, answer.scores.labels, pvalues))
        start = "Wilcoxon's signed-rank test, beside the t-test and not adjusted, of "
        together = f"{start}{first_of(said, _MOST_PAIRS)}"
        return answer._with_notes_on_tests(
            note_on_tests("wilcoxon", np.ones(len(said)), lambda k: f"{start}{said[k]}", together)
        )


def _signed_rank(differences: np.ndarray, alternative: str) -> float:
    """Return Wilcoxon's signed-rank p; 1 where there is no difference."""
    if not differences.any():
        return 1.0
    return float(wilcoxon(differences, alternative=alternative).pvalue)
