"""Rejection rates: the sizes at the truth, and the curves of the figures."""

from dataclasses import replace

import pandas as pd

from .figures import FIGURES, GRID_HALF_WIDTH, LEVEL, Figure
from .problems import PROBLEMS
from .study import label, truth_of

N_POINTS = 41


def sizes_frame(results):
    """Return the size at the truth of every curve of sections 5.1 to 5.3.

    Parameters
    ----------
    results : dict of (str, int) to SimulationResult
        By problem and simulation, as losses.

    Returns
    -------
    DataFrame
        ``section``, ``problem``, ``simulation``, ``hypothesis``, ``curve``, ``truth``, its
        ``source``, ``n_datasets``, ``size``, the ends ``low`` and ``high`` of its exact binomial
        95 % interval, and ``liberal``, whether it is significantly above 10 % (one-sided, at 5 %).
    """
    frames = []
    for section, curves in section_curves().items():
        for (name, simulation), result in results.items():
            there = [curve for curve in curves if label(curve) in result.labels]
            frame = _sizes(result, name, simulation, there)
            frames.append(frame.assign(section=section, problem=name, simulation=simulation))
    frame = pd.concat(frames, ignore_index=True)
    # The letters' A is the same for every weight.
    again = (frame["problem"] == "letters") & (frame["hypothesis"] == "A")
    frame = frame[~again | (frame["simulation"] == frame["simulation"].where(again).min())]
    order = ["section", "problem", "simulation", "hypothesis", "curve", "truth", "source"]
    return frame[[*order, "n_datasets", "size", "low", "high", "liberal"]].reset_index(drop=True)


def section_curves():
    """Return the curves of sections 5.1, 5.2 and 5.3, each once, in the figures' order.

    Returns
    -------
    dict of str to list of Curve
    """
    figures = {"5.1": range(1, 9), "5.2": range(10, 18), "5.3": range(19, 27)}
    return {
        section: list(dict.fromkeys(one for k in numbers for one in FIGURES[str(k)].curves))
        for section, numbers in figures.items()
    }


def _sizes(result, name, simulation, curves):
    n_samples = PROBLEMS[name][simulation].n_samples
    (n_train,) = {curve.sizes.of(n_samples)[0] for curve in curves}
    part = result.take([label(curve) for curve in curves])
    frame = part.size(LEVEL, truth=truth_of(name, simulation, n_train))
    frame = frame.rename(columns={"rate": "size", "procedure": "curve"})
    frame["source"] = frame["source"].replace("given", "closed form")
    rounded = {"truth": 6, "low": 4, "high": 4}
    return frame.assign(n_datasets=result.n_data_sets).round(rounded)


def figure_frame(figure, results):
    """Return the rejection rates that a figure shows, a column for each curve.

    Parameters
    ----------
    figure : Figure or TruePowerFigure
    results : dict of (str, int) to SimulationResult
        By problem and simulation, as losses.

    Returns
    -------
    DataFrame or None
        For a figure a row for each panel (``problem``, ``simulation``, ``hypothesis``) and
        ``null_value``, with the panel's ``truth`` and ``n_datasets``; for figures 9 and 18 one for
        each ``hypothesis``, ``kind`` (true or surrogate) and ``simulation``, with its
        ``true_value``. None where simulations are not there.
    """
    if isinstance(figure, Figure):
        frames = [
            _panel(panel, figure, results[panel.problem, panel.simulation])
            for panel in figure.panels
            if (panel.problem, panel.simulation) in results
        ]
    else:
        simulations = PROBLEMS["letters"]
        if not all(("letters", simulation) in results for simulation in simulations):
            return None
        frames = [_true_power(panel, figure, results) for panel in figure.panels]
    return pd.concat(frames, ignore_index=True) if frames else None


def _panel(panel, figure, result):
    labels = [label(curve) for curve in figure.curves]
    n_samples = PROBLEMS[panel.problem][panel.simulation].n_samples
    (n_train,) = {curve.sizes.of(n_samples)[0] for curve in figure.curves}
    shown = result.take(labels)
    values = shown.true_values(truth_of(panel.problem, panel.simulation, n_train))
    truth = values.set_index("hypothesis")["value"][panel.hypothesis].iloc[0]
    shown = first_data_sets(shown, figure.n_data_sets)
    at_truth = {panel.hypothesis: truth}
    grid = shown.null_value_grid(panel.hypothesis, N_POINTS, width=GRID_HALF_WIDTH, truth=at_truth)
    frame = _wide(shown, panel.hypothesis, grid)
    about = {
        "problem": panel.problem,
        "simulation": panel.simulation,
        "hypothesis": panel.hypothesis,
        "n_datasets": shown.n_data_sets,
        "truth": float(f"{truth:.6g}"),
        "null_value": [float(f"{value:.6g}") for value in grid],
    }
    return pd.DataFrame(about).join(frame.reset_index(drop=True))


def _true_power(panel, figure, results):
    labels = [label(curve) for curve in figure.curves]
    rows = []
    for simulation, true_value in enumerate(panel.true_values, start=1):
        cases = {"true": (simulation, panel.null_value), "surrogate": (panel.surrogate, true_value)}
        for kind, (where, null_value) in cases.items():
            result = first_data_sets(results["letters", where], figure.n_data_sets).take(labels)
            rates = _wide(result, panel.hypothesis, [null_value]).iloc[0].to_dict()
            about = {"hypothesis": panel.hypothesis, "kind": kind, "simulation": simulation}
            about |= {"n_datasets": result.n_data_sets, "true_value": true_value}
            rows.append(about | rates)
    return pd.DataFrame(rows)


def first_data_sets(result, n_data_sets):
    """Return a result of the first data sets only.

    Parameters
    ----------
    result : SimulationResult
    n_data_sets : int
        All where there are fewer.
    """
    if result.n_data_sets <= n_data_sets:
        return result
    names = ("data_sets", "estimates", "standard_errors", "scales", "dfs", "pvalues")
    return replace(
        result,
        **{name: getattr(result, name)[:n_data_sets] for name in names},
        measurements=tuple(one[:n_data_sets] for one in result.measurements),
    )


def _wide(result, hypothesis, grid):
    """Return the rates with a row for each null value and a column for each curve."""
    frame = result.rejection_rates({hypothesis: grid}, LEVEL)
    rates = frame.pivot(index="null_value", columns="procedure", values="rate")
    return rates[list(result.labels)].round(4)
