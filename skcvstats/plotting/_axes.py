"""The axes to draw on; only this file imports matplotlib."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from io import BytesIO
from typing import Any

import numpy as np


def new_axes(
    display: str,
    n_rows: int = 1,
    n_columns: int = 1,
    *,
    figsize: tuple[float, float] | None = None,
    height_ratios: Sequence[float] | None = None,
) -> np.ndarray:
    """Return axes in a new figure, whose layout makes room for labels and legends."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{display}.plot needs matplotlib, which is not installed: pip install "
            '"skcvstats[plots]"'
        ) from error
    _, axes = plt.subplots(
        n_rows,
        n_columns,
        squeeze=False,
        layout="constrained",
        figsize=figsize,
        height_ratios=height_ratios,
    )
    return np.ravel(axes)


@contextmanager
def unseen_figures() -> Iterator[None]:
    """Draw without showing: figures that are made in the context are closed, with any backend."""
    import matplotlib.pyplot as plt

    before = set(plt.get_fignums())
    with plt.ioff():
        try:
            yield
        finally:
            for number in set(plt.get_fignums()) - before:
                plt.close(number)


def in_style(style: dict[Any, Any]) -> AbstractContextManager[None]:
    """Draw with other parameters of matplotlib within the context."""
    import matplotlib as mpl

    return mpl.rc_context(style)


def as_file(figure: Any, file_format: str) -> bytes:
    """Return a figure as a file; the same figure always gives the same bytes."""
    import matplotlib as mpl

    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with mpl.rc_context({"svg.hashsalt": "skcvstats"}), BytesIO() as file:
        figure.savefig(file, format=file_format, metadata=undated.get(file_format))
        return file.getvalue()


def axes_for(display: str, ax: Any) -> Any:
    """Return the axes given, or new ones."""
    if ax is None:
        return new_axes(display)[0]
    given = _checked(display, ax)
    if len(given) != 1:
        raise ValueError(f"{display}.plot draws on one axes, got {len(given)}. Pass one of them.")
    return given[0]


def one_axes_each(display: str, ax: Any, titles: Sequence[str]) -> np.ndarray:
    """Return the axes given, one for each title."""
    given = _checked(display, ax)
    if len(given) == len(titles):
        return given
    fewer = len(given) < len(titles)
    remedy = "an array of them, or choose one with metric=" if fewer else "only as many of them"
    raise ValueError(
        f"{display}.plot needs {len(titles)} axes, one for each of {list(titles)}, got "
        f"{len(given)}. Pass ax= {remedy}."
    )


def check_kwargs(display: str, **given: Any) -> dict[str, dict[str, Any]]:
    """Return the keyword arguments of artists; None becomes an empty dict."""
    for name, kwargs in given.items():
        if kwargs is not None and not isinstance(kwargs, Mapping):
            raise TypeError(
                f"{display}.plot needs a dict of matplotlib properties for {name}=, such as "
                f"{{'color': 'black'}}, got {kwargs!r} of type {type(kwargs).__name__}."
            )
    return {name: dict(kwargs or {}) for name, kwargs in given.items()}


def merged(ours: dict[str, Any], given: dict[str, Any], *, band: bool = False) -> dict[str, Any]:
    """Merge properties of a line or a band; given ones take precedence, under any alias."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

    artist = PolyCollection if band else Line2D
    return {**normalize_kwargs(ours, artist), **normalize_kwargs(given, artist)}


def _checked(display: str, ax: Any) -> np.ndarray:
    from matplotlib.axes import Axes

    given = np.ravel(np.asarray(ax, dtype=object))
    for axes in given:
        if not isinstance(axes, Axes):
            raise TypeError(
                f"{display}.plot needs matplotlib Axes for ax=, such as plt.subplots()[1], got "
                f"{axes!r} of type {type(axes).__name__}. Leave ax= out for a new figure."
            )
    return given
