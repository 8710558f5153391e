"""Long frames, which have a line for each model, row and run: made wide by pandas' pivot."""

from collections.abc import Mapping
from typing import Any

from .._utils._checks import brief, listed
from .._utils._parts import REFUSED_IN_LONG, refuse_parts
from .._utils._text import counted, cut, verb

_ONE_RUN = "the only run"  # a column of one value, where each model was run once


def from_long(
    table: Any, columns: Mapping[str, Any], of_rows: Mapping[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """Return the runs of each model as series, and what there is for each row, of a long frame.

    `columns` has the names of its columns rows, models, values and runs; if there are none, what is
    given is returned. `of_rows` has names of columns, too.
    """
    if set(map(type, columns.values())) == {type(None)}:
        return table, dict(of_rows)
    rows, models, values, runs = columns.values()
    if not hasattr(table, "pivot"):
        raise TypeError(
            "rows=, models= and values= name columns of a long frame of pandas, got "
            f"{type(table).__name__}. Leave them out, or pass a frame with a line for each row and "
            "model."
        )
    table = table.assign(**{_ONE_RUN: 0})
    runs = [runs, _ONE_RUN][runs is None]
    named = set(map(str, (rows, models, values, runs)))
    known = map(str, table.columns.drop_duplicates(keep=False))
    if len(named.intersection(known)) < len(columns):
        raise ValueError(
            f"{listed(columns.values())} must be four columns of the long frame, of its rows=, "
            "models=, values= and, if there are several, runs=; its columns are "
            f"{listed(table.columns[:-1], 20)}."
        )
    _refuse_unclear(table, rows, models, runs)
    of_models = table.pivot(index=rows, columns=[models, runs], values=values)
    of_models = of_models.reindex(table[rows].drop_duplicates()).infer_objects()
    names = table[models].drop_duplicates()
    runs_by_model = {name: [*dict(of_models[name]).values()] for name in names}
    aligned = dict(of_rows)
    for argument, name in of_rows.items():
        if name is not None:
            aligned[argument] = _one_for_each(table, rows, argument, name)
    others = table.columns.difference([*of_rows.values(), *named], sort=False)
    refuse_parts(table[others], REFUSED_IN_LONG)
    return runs_by_model, aligned


def _refuse_unclear(table: Any, rows: Any, models: Any, runs: Any) -> None:
    """Raise ValueError if lines lack a name, repeat another, or are of runs of some models only."""
    keys = [models, rows, runs]
    n_missing = table[keys].isna().sum()
    if n_missing.any():
        raise ValueError(
            f"The column {n_missing.idxmax()!r} is missing in {n_missing.max()} of "
            f"{counted(len(table), 'line')} of the long frame. Fill it, or leave these lines out."
        )
    is_again = table.duplicated(keys)
    if is_again.any():
        n_again = int(is_again.sum())
        model, row, _ = map(brief, table.loc[is_again, keys].iloc[0].astype(str).tolist())
        raise ValueError(
            f"{counted(n_again, 'line')} {verb(n_again, 'repeats', 'repeat')} an earlier one of "
            f"the same model, row and run, the first of them model {model} and row {row}. Name the "
            "column that tells runs apart, runs= (--run-column), or remove the copies."
        )
    n_models = table.groupby(runs, observed=True)[models].nunique()
    if n_models.max() < table[models].nunique():
        raise ValueError(
            f"The models have no run in common: the column {runs!r} has "
            f"{listed(n_models.index.tolist(), 4)}. Number the runs of each model from 0, or leave "
            "runs= (--run-column) out if each was run once."
        )


def _one_for_each(table: Any, rows: Any, argument: str, name: Any) -> Any:
    """Return the value of a column for each row, which must be the same in all lines of a row."""
    if str(name) not in table.columns:
        given = cut(" ".join(repr(name).split()))
        raise ValueError(
            f"{argument}={given} must name a column of the long frame, which are "
            f"{listed(table.columns[:-1], 20)}."
        )
    lines = table[[rows, name]].drop_duplicates()
    is_again = lines[rows].duplicated()
    if is_again.any():
        row = lines.loc[is_again, rows].tolist()[0]
        values = lines.loc[lines[rows] == row, name].tolist()
        raise ValueError(
            f"The column {name!r} has {listed(values, 3)} in lines of the one row {brief(row)} of "
            f"{rows!r}. It must be the same for each row: is {rows!r} the column that tells the "
            "rows of the test set apart?"
        )
    return lines.set_index(rows)[name]
