"""What users pass for the rows of a test set: models by name, their runs, and rows in one order."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from .._utils._arrays import OF_DATES, missing_in, order_of
from .._utils._checks import check_option, distinct, listed, n_rows
from .._utils._parts import refuse_parts
from .._utils._text import counted
from ..exceptions import PairingError
from ..notes import PassedEvidence
from ..scores import Note, find_notes
from ._stored import is_estimator

DescribeScore = Callable[[str, Mapping[str, Any]], str]


def by_name(table: Any) -> dict[str, Any] | None:
    """Return the entries of a mapping, or the columns of a frame, by their names; else None."""
    if hasattr(table, "columns"):
        names = distinct(table.columns, "columns")
        refuse_parts(table)
        return dict(zip(names, map(table.__getitem__, table.columns), strict=True))
    if isinstance(table, Mapping):
        return dict(zip(distinct(table, "names"), table.values(), strict=True))
    return None


def named_runs(
    named: Mapping[str, Any], noun: str, n_rows: int | None = None
) -> list[tuple[str, str, Any]]:
    """Return each run of each model: the model, what messages call the run, and the run."""
    triples = []
    for name, part in named.items():
        runs = _runs(name, _listed_runs(part, n_rows), n_rows)
        for k, run in enumerate(runs):
            number = f", run {k}" if len(runs) > 1 else ""
            triples.append((name, f"the {noun} of {name!r}{number}", run))
    return triples


def arrays_of(
    runs: Sequence[tuple[str, str, Any]], argument: str
) -> tuple[dict[str, Any], dict[str, str], dict[str, Any]]:
    """Return the runs that are arrays, and their models, by place; and runs as tables, by name."""
    arrays = {}
    owners = {}
    tables = {}
    for name, place, run in runs:
        if not is_estimator(run):
            arrays[place] = run
            owners[place] = name
            tables[f"{argument}[{name!r}]"] = run
    return arrays, owners, tables


def _listed_runs(part: Any, n_rows: int | None) -> Any:
    """Return an array of shape (n_runs, n_rows) or (n_runs, n_rows, n_classes) as a list of runs.

    There are fewer runs than rows.
    """
    if not isinstance(part, np.ndarray) or part.ndim not in (2, 3):
        return part
    first, second = part.shape[:2]
    return list(part) if first < second and n_rows in (None, second) else part


def _runs(name: str, part: Any, n_rows: int | None) -> Sequence[Any]:
    """Return the runs of a model: arrays or estimators, perhaps only one."""
    if not isinstance(part, (list, tuple)) or not part:
        return [part]
    are_whole = all(is_estimator(run) or getattr(run, "shape", ()) for run in part)
    # As many lists as rows are one list of probabilities for each row.
    if not are_whole and (len(part) == n_rows or not all(map(np.ndim, part))):
        return [part]
    other_lengths = {len(run) for run in part if not is_estimator(run)} - {n_rows}
    if other_lengths and n_rows is not None:
        raise ValueError(
            f"The predictions of {name!r} are a list of {len(part)} runs. One run has "
            f"{min(other_lengths)} rows, and y_true {n_rows}. Each run predicts all rows."
        )
    return part


def matched_rows(
    parts: Mapping[str, Any],
    owners: Mapping[str, str],
    missing_rows: str,
    describe_score: DescribeScore,
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Put arrays into one order, perhaps without the rows that some model lacks, which is noted.

    `owners` has the model of each array of predictions or losses. `describe_score` writes the
    score of a model on some rows of all parts; it is empty where there is none.
    """
    present = {name: part for name, part in parts.items() if part is not None}
    if check_option("missing_rows", missing_rows, ("raise", "drop")) == "drop" and owners:
        aligned, notes = _common_rows(present, owners, describe_score)
        return {**parts, **aligned}, notes
    moved = _moved_rows(present)
    in_order_of = [*_indexes(present), ""][0]
    notes = find_notes(PassedEvidence(moved=list(moved), in_order_of=in_order_of))
    return {**parts, **moved}, notes


def _common_rows(
    parts: Mapping[str, Any],
    owners: Mapping[str, str],
    describe_score: DescribeScore,
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return the rows that all models have, in one order, and a note on those that are left out."""
    aligned = dict(parts)
    indexes = _indexes(parts)
    if len(indexes) == len(parts) and all(index.is_unique for index in indexes.values()):
        first, *others = owners
        rows = indexes.get("y_true", indexes[first])
        if "y_true" not in indexes:
            for name in others:
                rows = rows.union(indexes[name], sort=False)
        aligned |= {name: parts[name].reindex(rows) for name in owners}
    aligned |= _moved_rows(aligned)
    lacking: dict[str, np.ndarray] = {}  # of each model, the rows that one of its runs lacks
    for name, owner in owners.items():
        missing = missing_in(np.asarray(aligned[name]))
        is_lacking = np.any(missing.reshape(len(missing), -1), axis=1)
        lacking[owner] = is_lacking | lacking.get(owner, False)
    kept = np.flatnonzero(~np.any([*lacking.values()], axis=0))
    if not len(kept):
        raise ValueError(
            "missing_rows='drop' leaves nothing: there is no row that all models have."
        )

    def score_on(model: str, rows: np.ndarray) -> str:
        parts_of_rows = {name: _safe_indexing(part, rows) for name, part in aligned.items()}
        return describe_score(model, parts_of_rows)

    common = {name: _safe_indexing(part, kept) for name, part in aligned.items()}
    evidence = PassedEvidence(lacking=lacking, n_kept=len(kept), score_on=score_on)
    return common, find_notes(evidence)


def _indexes(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the index of each part that has one."""
    return {name: part.index for name, part in parts.items() if hasattr(part, "iloc")}


def _moved_rows(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts whose index is in another order than the first one, in that order.

    Others are in one order by position; all must be of the same rows.
    """
    first, *others = parts
    length = n_rows(parts[first], first)
    for name in others:
        other_length = n_rows(parts[name], name)
        if other_length != length:
            raise PairingError(
                f"There are {counted(other_length, 'row')} in {name} and {length} in {first}; give "
                "one of each for every row of the test set."
            )
    moved = {}
    indexes = _indexes(parts)
    names = list(indexes)
    for name in names[1:]:
        reference = names[0]
        index = indexes[name]
        wanted = indexes[reference]
        if np.array_equal(np.asarray(index), np.asarray(wanted)):
            continue
        lacking = wanted.difference(index)
        foreign = index.difference(wanted)
        if len(lacking):
            raise PairingError(
                f"By their index, {name} and {reference} are not of the same rows: "
                f"{counted(len(lacking), 'row')} of {reference} ({listed(lacking.tolist(), 3)}) "
                f"and {len(foreign)} of {name} ({listed(foreign.tolist(), 3)}) are not in the "
                "other. Give both one index, or pass arrays (.to_numpy()) in one order."
            )
        if not wanted.is_unique:
            raise PairingError(
                f"By their index, {name} and {reference} are in another order, and some labels "
                "repeat. Number the rows (.reset_index(drop=True)), or pass arrays that are in the "
                "same order."
            )
        moved[name] = parts[name].loc[wanted]
    return moved


def times_of(aligned: Mapping[str, Any]) -> np.ndarray | None:
    """Return the number of each row's time, by `time` or else by dates in an index."""
    stamps = stamps_in(aligned)
    if stamps is None:
        return None
    return order_of("The time of rows", stamps)


def stamps_in(aligned: Mapping[str, Any]) -> Any:
    """Return `time`, or else the dates in an index; None where there are none."""
    if "time" not in aligned or aligned["time"] is not None:
        return aligned.get("time")
    indexes = (getattr(part, "index", None) for part in aligned.values())
    return next((index for index in indexes if type(index).__name__ in OF_DATES), None)
