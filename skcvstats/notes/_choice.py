"""The note on the procedure that method="auto" chose for each metric, and why."""

from collections.abc import Iterator, Mapping, Sequence

from .._utils._metrics import shown_as
from .._utils._text import cut, first_of, verb
from ..fitting import Choice, Methods, Metric
from ..scores import Note
from ._registry import find_notes, note

# The code of the note, which limits nothing.
CHOSEN_METHOD = "method"
_MOST_NAMES = 6


class ChoiceEvidence:
    """The choices of a call, and one of its metrics."""

    def __init__(
        self, metric: Metric, metrics: Sequence[Metric], choices: Mapping[str, Choice]
    ) -> None:
        self.metric = metric
        self.metrics = metrics
        self.choices = choices


@note(
    CHOSEN_METHOD,
    title="Chosen method",
    looks_for='A procedure that method="auto" chose.',
    why="Procedures suit different metrics and splits.",
    remedy="Nothing; it is a fact about the call. Pass method= to choose the procedure yourself.",
    looks_in=ChoiceEvidence,
    on_sound_data="Reported for every such choice, as a fact.",
)
def chosen_method(evidence: ChoiceEvidence) -> Iterator[Note]:
    choice = evidence.choices[evidence.metric.name]
    if choice.procedure is None:
        return
    # Metrics with the same choice are named together.
    alike = [
        metric
        for metric in evidence.metrics
        if evidence.choices[metric.name].reason == choice.reason
    ]
    names = first_of([cut(shown_as(metric.name).name) for metric in alike], _MOST_NAMES)
    title = choice.procedure.title
    if choice.reason is None:
        text = f"the {title}, {_why_on_rows(alike, names)}"
    elif choice.reason.code == "time order":
        text = f"the {title}, as {choice.reason}"
    elif len(alike) == len(evidence.metrics):
        text = f"the {title}: {choice.reason.clause}"
    else:
        text = f"the {title} for {names}: {choice.reason.clause}"
    yield Note(CHOSEN_METHOD, f'method="auto" chose {text}', None)


def _why_on_rows(metrics: Sequence[Metric], names: str) -> str:
    """Return why the test on rows was chosen for some metrics."""
    if any(metric.of_rows != "mean" for metric in metrics):
        return f"because per-row scores of {names} are available"
    return f"as {names} {verb(len(metrics), 'is a mean', 'are means')} over rows"


def notes_on_choices(
    methods: Methods, metrics: Sequence[Metric], choices: Mapping[str, Choice]
) -> dict[str, tuple[Note, ...]]:
    """Return the notes on the procedures of metrics; none on one that the call asked for."""
    if methods.preferred is None:
        return {}
    return {metric.name: find_notes(ChoiceEvidence(metric, metrics, choices)) for metric in metrics}
