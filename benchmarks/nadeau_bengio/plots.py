"""The figures, drawn from their tables: colours tell procedures, strokes their configurations."""

import math

import numpy as np
from scipy.stats import binom

from .figures import LEVEL, Figure
from .study import design, label

# Okabe and Ito's colours, which all can tell apart.
_COLOURS = {
    "holdout_t": "#000000",
    "five_by_two_cv_t": "#CC79A7",
    "resampled_t": "#D55E00",
    "corrected_resampled_t": "#0072B2",
    "conservative_z": "#009E73",
    "bootstrap_t": "#E69F00",
    "corrected_bootstrap_t": "#56B4E9",
}
_NAMES = {
    "holdout_t": "holdout t",
    "five_by_two_cv_t": "5x2 cv t",
    "resampled_t": "resampled t",
    "corrected_resampled_t": "corrected resampled t",
    "conservative_z": "conservative Z",
    "bootstrap_t": "bootstrap",
    "corrected_bootstrap_t": "corrected bootstrap",
}
_STROKES = ("-", "--", "-.", ":")
_RC = {
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "nadeau-bengio",  # the same bytes for the same numbers
    "path.simplify": True,
}


def significant_rate(n_data_sets):
    """Return the rate above which rejections are significantly more than the level (at 5 %).

    Parameters
    ----------
    n_data_sets : int
    """
    return float(binom.ppf(0.95, n_data_sets, LEVEL)) / n_data_sets


def draw(figure, frame, stem, formats=(".png", ".svg")):
    """Draw a figure into files.

    Parameters
    ----------
    figure : Figure or TruePowerFigure
    frame : DataFrame
        As `rates.figure_frame` gives it.
    stem : Path
        The files' name without its ending.
    formats : sequence of {".png", ".svg"}
    """
    import matplotlib

    with matplotlib.rc_context(_RC):
        for ending in formats:
            drawn = canvas_of(figure, frame)  # afresh: saving settles the layout
            metadata = {"Date": None} if ending == ".svg" else {"Software": None}
            drawn.savefig(stem.with_suffix(ending), dpi=110, metadata=metadata)


def canvas_of(figure, frame):
    """Return a figure that is not saved yet.

    Parameters
    ----------
    figure : Figure or TruePowerFigure
    frame : DataFrame
        As `rates.figure_frame` gives it.
    """
    return (_draw_panels if isinstance(figure, Figure) else _draw_true)(figure, frame)


def describe(curve, figure):
    """Return a curve's name in a legend: what distinguishes it in its figure.

    Parameters
    ----------
    curve : Curve
    figure : Figure or TruePowerFigure
    """
    parts = [_NAMES[curve.procedure]]
    alike = [one for one in figure.curves if one.procedure == curve.procedure]
    if len({one.sizes for one in alike}) > 1:
        parts.append(f"n2 = {design(curve.sizes).split(',')[1]}")
    if len({one.n_splits for one in alike}) > 1:
        parts.append(f"J = {curve.n_splits}")
    if len({one.n_pairs for one in alike}) > 1:
        parts.append(f"M = {curve.n_pairs}")
    return ", ".join(parts)


def _strokes(figure):
    """Return the stroke of each curve: the first of a procedure is solid."""
    strokes = {}
    for curve in figure.curves:
        alike = [one for one in figure.curves if one.procedure == curve.procedure]
        # The largest J or M is solid, so that what the report recommends against is faintest.
        order = alike if len({one.sizes for one in alike}) > 1 else alike[::-1]
        strokes[curve] = _STROKES[order.index(curve)]
    return strokes


def _axes(n_panels):
    from matplotlib.figure import Figure as Canvas

    n_columns = 3 if n_panels == 6 else 2
    n_rows = math.ceil(n_panels / n_columns)
    canvas = Canvas(figsize=(3.1 * n_columns + 0.3, 2.35 * n_rows + 1.0), layout="constrained")
    axes = canvas.subplots(n_rows, n_columns, sharey=True, squeeze=False).ravel()
    for spare in axes[n_panels:]:
        spare.remove()
    return canvas, axes[:n_panels]


def _frame(ax, n_data_sets, ylabel):
    ax.axhline(LEVEL, color="0.5", lw=0.8)
    ax.axhline(significant_rate(n_data_sets), color="0.5", lw=0.8, ls=":")
    ax.set(ylim=(0, 1))
    if ylabel:
        ax.set_ylabel("rejection rate")


def _legend(canvas, handles):
    canvas.legend(
        handles=handles,
        loc="outside lower center",
        ncols=3 if len(handles) > 4 else max(len(handles), 1),
        frameon=False,
    )


def _draw_panels(figure, frame):
    keys = ["problem", "simulation", "hypothesis"]
    panels = list(frame.groupby(keys, sort=False))
    canvas, axes = _axes(len(panels))
    strokes = _strokes(figure)
    for ax, ((problem, simulation, hypothesis), rows) in zip(axes, panels, strict=True):
        lines = [
            ax.plot(
                rows["null_value"],
                rows[label(curve)],
                strokes[curve],
                color=_COLOURS[curve.procedure],
                lw=1.1,
                label=describe(curve, figure),
            )[0]
            for curve in figure.curves
        ]
        _frame(ax, rows["n_datasets"].iloc[0], ax.get_subplotspec().is_first_col())
        ax.axvline(rows["truth"].iloc[0], color="0.5", lw=0.8, ls=(0, (1, 3)))
        ax.set_title(f"{problem}, simulation {simulation}: {hypothesis}", fontsize=8)
        ax.set(xlim=(rows["null_value"].min(), rows["null_value"].max()), xlabel="mu0")
    _legend(canvas, lines)
    return canvas


def _draw_true(figure, frame):
    canvas, axes = _axes(len(figure.panels))
    for ax, panel in zip(axes, figure.panels, strict=True):
        rows = frame[frame["hypothesis"] == panel.hypothesis]
        lines = []
        for kind, stroke, marker in (("true", "-", "o"), ("surrogate", "--", "")):
            part = rows[rows["kind"] == kind].sort_values("true_value")
            for curve in figure.curves:
                name = f"{describe(curve, figure)}{', surrogate' if not marker else ''}"
                style = {"marker": marker, "ms": 3, "color": _COLOURS[curve.procedure]}
                values = np.asarray(part[label(curve)])
                lines += ax.plot(part["true_value"], values, stroke, lw=1.1, label=name, **style)
        _frame(ax, rows["n_datasets"].iloc[0], ax.get_subplotspec().is_first_col())
        ax.axvline(panel.null_value, color="0.5", lw=0.8, ls=(0, (1, 3)))
        ax.set_title(f"{panel.hypothesis}: the null value {panel.null_value}", fontsize=8)
        ax.set_xlabel("true value; of the surrogate: null value")
    _legend(canvas, lines)
    return canvas
