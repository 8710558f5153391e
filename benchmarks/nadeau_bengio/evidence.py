"""What the findings are read from: the tables that a run has written."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from .comparison import compare
from .figures import FIGURES
from .rates import section_curves
from .study import design, label

PANEL = ["problem", "simulation", "hypothesis"]


@dataclass(frozen=True)
class Evidence:
    """A run's tables.

    Parameters
    ----------
    tables : DataFrame
        The intervals with those printed, as `comparison.compare` gives them.
    sizes : DataFrame
        As `rates.sizes_frame` gives them, with ``procedure``, ``design``, ``n_splits`` and
        ``n_pairs`` of the curves.
    figures : dict of str to DataFrame
        By label, as `rates.figure_frame` gives them.
    """

    tables: pd.DataFrame
    sizes: pd.DataFrame
    figures: dict[str, pd.DataFrame]

    @property
    def problems(self):
        """The problems that there are results of, whole."""
        wanted = {"regression": 4, "gaussians": 4, "letters": 6}
        found = self.sizes.groupby("problem")["simulation"].nunique()
        return {name for name, number in wanted.items() if found.get(name, 0) == number}

    def size(self, section, procedure, at, *, n_splits=15, n_pairs=10, column="size"):
        """Return the sizes of one curve in all panels.

        Parameters
        ----------
        section : str
        procedure : str
        at : str
            The design, such as "9n/10,n/10".
        n_splits, n_pairs : int
        column : str, default="size"
            Another column of the table instead.

        Returns
        -------
        Series
            By problem, simulation and hypothesis.
        """
        curve = section, procedure, at, n_splits, n_pairs
        return self._sizes_by_curve.get(curve, self._no_sizes)[column]

    @cached_property
    def _sizes_by_curve(self):
        curve = ["section", "procedure", "design", "n_splits", "n_pairs"]
        return {key: rows.set_index(PANEL) for key, rows in self.sizes.groupby(curve)}

    @cached_property
    def _no_sizes(self):
        return self.sizes.iloc[:0].set_index(PANEL)

    def rho(self, at):
        """Return the intervals of the correlation at a design, by panel: ``low`` and ``high``."""
        names = {2: "regression", 3: "gaussians", 4: "letters"}
        rows = self.tables[
            (self.tables["quantity"] == "rho")
            & (self.tables["design"] == at)
            & self.tables["distinct"]
        ]
        rows = rows.assign(problem=rows["table"].map(names), hypothesis=rows["algorithm"])
        return rows.set_index(PANEL)[["low", "high", "printed_low", "printed_high"]]

    def panels(self, *labels):
        """Yield the key and the rows of each panel of some figures.

        Parameters
        ----------
        *labels : str
        """
        for name in labels:
            yield from self._panels.get(name, [])

    @cached_property
    def _panels(self):
        return {
            name: [
                (key, rows.reset_index(drop=True)) for key, rows in frame.groupby(PANEL, sort=False)
            ]
            for name, frame in self.figures.items()
            if set(PANEL) <= set(frame)  # those of true power have none
        }


def read(directory):
    """Read what a run has written.

    Parameters
    ----------
    directory : path-like
        Of ``tables.csv``, ``sizes.csv`` and ``figures``.

    Returns
    -------
    Evidence
    """
    directory = Path(directory)
    missing = [one for one in ("tables.csv", "sizes.csv") if not (directory / one).is_file()]
    if missing:
        raise FileNotFoundError(
            f"{directory} has no {' and no '.join(missing)}; write them with "
            "python -m benchmarks.nadeau_bengio run."
        )
    tables = pd.read_csv(directory / "tables.csv", keep_default_na=False)
    figures = {
        name: pd.read_csv(directory / "figures" / f"figure-{name}.csv")
        for name in FIGURES
        if (directory / "figures" / f"figure-{name}.csv").is_file()
    }
    return Evidence(compare(tables), _described(read_by_section(directory / "sizes.csv")), figures)


def read_by_section(path):
    """Read a table whose sections, such as 5.1, are names and not numbers.

    Parameters
    ----------
    path : Path
    """
    return pd.read_csv(path, dtype={"section": str})


def _described(sizes):
    """Return the sizes with columns for what the curves are."""
    curves = {label(one): one for curves in section_curves().values() for one in curves}
    found = [curves[name] for name in sizes["curve"]]
    return sizes.assign(
        procedure=[one.procedure for one in found],
        design=[design(one.sizes) for one in found],
        n_splits=[one.n_splits for one in found],
        n_pairs=[one.n_pairs for one in found],
    )
