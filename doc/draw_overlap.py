"""Draw why splits are correlated and what intervals mean: ``python doc/draw_overlap.py``.

Many data sets from one source, so that the true difference is known. It prints the numbers that the
page states.
"""

import warnings
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skcvstats import RepeatedSubsampleSplit
from skcvstats.stats import corrected_resampled_ttest, resampled_ttest

N_DATA_SETS, N_ROWS, N_SHOWN = 500, 500, 20
MODELS = {"logistic regression": LogisticRegression(), "naive Bayes": GaussianNB()}
COLOURS = {"usual": ("tab:red", "#f5b7b1"), "corrected": ("tab:blue", "lightsteelblue")}
OUT = Path(__file__).parent / "_static" / "overlap.svg"


def differences(rng, splits):
    """Return the differences in accuracy on the splits of a new data set."""
    X = rng.normal(size=(N_ROWS, 4)) @ (np.eye(4) + 0.6)  # naive Bayes expects independent columns
    y = rng.random(N_ROWS) < 1 / (1 + np.exp(-X @ [1.0, -0.5, 0.5, 0.0]))
    first, second = (
        [model.fit(X[train], y[train]).score(X[test], y[test]) for train, test in splits]
        for model in MODELS.values()
    )
    return np.subtract(first, second)


def draw_rows(ax, splits, n_rows=40):
    """Draw which of the first rows each split tests on; it is trained on the others."""
    tested = [np.isin(np.arange(n_rows), test) for _, test in splits]
    ax.imshow(tested, cmap=ListedColormap(["0.9", "black"]), aspect="auto", interpolation="none")
    ax.set_yticks(np.arange(-0.5, len(splits)), minor=True)
    ax.grid(axis="y", which="minor", color="white", linewidth=1.5)
    ax.tick_params(which="both", length=0)
    ax.set(xlabel=f"{n_rows} of {N_ROWS} rows", ylabel="split", xticks=[])
    ax.set_yticks([0, len(splits) - 1], ["1", f"{len(splits)}"])
    ax.spines[:].set_visible(False)
    ax.set_title("One data set: black rows are tested on", fontsize="medium")


def draw_intervals(ax, scores, intervals, truth):
    """Draw the scores of the splits of some data sets, with two intervals for each."""
    for k, of_one in enumerate(scores):
        ax.plot(np.full(len(of_one), k), of_one, ".", color="0.75", markersize=4)
        for name, shift in (("usual", -0.2), ("corrected", 0.2)):
            low, high = (end[k] for end in intervals[name])
            holds = low <= truth <= high
            ax.vlines(k + shift, low, high, color=COLOURS[name][int(holds)], linewidth=3)
    ax.axhline(truth, color="black", linewidth=1)
    ax.set(xlabel=f"{len(scores)} data sets from one source", xticks=[])
    ax.set_ylabel("difference in accuracy")
    ax.spines[["top", "right", "bottom"]].set_visible(False)


def draw(splits, scores, intervals):
    """Draw both panels, and what their marks mean."""
    figure = Figure(figsize=(8, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1, 2))
    draw_rows(left, splits)
    truth = scores.mean()
    draw_intervals(right, scores[:N_SHOWN], intervals, truth)
    right.set_title("Differences on 15 splits, with two 95 % intervals", fontsize="medium")
    marks = [
        Line2D([], [], color="0.75", marker=".", linestyle="none", label="one split"),
        Line2D([], [], color="black", linewidth=1, label="true difference"),
    ]
    for name, (strong, pale) in COLOURS.items():
        for colour, does in ((pale, "contains it"), (strong, "misses it")):
            marks.append(Line2D([], [], color=colour, linewidth=3, label=f"{name}: {does}"))
    figure.legend(handles=marks, loc="outside lower center", ncols=3, frameon=False)
    with matplotlib.rc_context({"svg.hashsalt": "skcvstats"}):  # the same bytes at every run
        figure.savefig(OUT, metadata={"Date": None, "Creator": None}, facecolor="white")


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    splits = list(RepeatedSubsampleSplit(15, random_state=0).split(np.zeros((N_ROWS, 1))))
    scores = np.array([differences(rng, splits) for _ in range(N_DATA_SETS)])
    sizes = dict(zip(("n_train", "n_test"), map(len, splits[0]), strict=True))
    with warnings.catch_warnings(action="ignore"):  # the usual test warns
        tests = {
            "usual": resampled_ttest(scores, **sizes),
            "corrected": corrected_resampled_ttest(scores, **sizes),
        }
    intervals = {name: test.confidence_interval(0.95) for name, test in tests.items()}
    for name, (low, high) in intervals.items():
        contains = (low <= scores.mean()) & (scores.mean() <= high)
        missed = np.sum(~contains[:N_SHOWN])
        print(
            f"{name}: contains the truth in {contains.mean():.3f}; {missed} missed in the picture"
        )
    off_diagonal = ~np.eye(len(splits), dtype=bool)
    print(f"correlation of two splits: {np.corrcoef(scores.T)[off_diagonal].mean():.3f}")
    for what, of_split in (("train", 0), ("test", 1)):
        sets = [set(split[of_split]) for split in splits]
        shared = [len(a & b) for a, b in combinations(sets, 2)]
        print(f"rows to {what} on that two splits share: {np.mean(shared):.1f} of {len(sets[0])}")
    draw(splits, scores, intervals)
