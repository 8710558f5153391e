"""The guide's tables, from the results: percentages, as ranges over the three covariances."""

import pandas as pd

METHODS = {
    "max_t": "max-t",
    "plug_in": "plug-in",
    "bonferroni": "Bonferroni",
    "unadjusted": "not adjusted",
}
ERROR = "error"


def write(directory):
    """Write the tables of a directory with results.

    Parameters
    ----------
    directory : Path
        With rates.csv, refits.csv, counts.csv and margins.csv.
    """
    rates = pd.read_csv(directory / "rates.csv")
    margins = pd.read_csv(directory / "margins.csv")
    resampled = {"n_estimators": "models", "n_splits": "splits"}
    by_premise = {"n_estimators": "models", "premise": "ratio"}
    tables = {
        "all-pairs": ranges(rates[rates["question"] == "all pairs"], resampled),
        "one-sided": ranges(rates[rates["question"] == "one-sided"], resampled),
        "conservative-z": ranges(rates[rates["question"] == "conservative Z"], by_premise),
        "five-by-two": ranges(
            rates[rates["question"] == "5x2cv"], {**by_premise, "premise": "correlation"}
        ),
        "best-set": best_sets(pd.read_csv(directory / "counts.csv")),
        "one-with-margin": one_with_margin(margins[margins["question"] == "one comparison"]),
        "several-with-margin": several_with_margin(
            margins[margins["question"] != "one comparison"]
        ),
        "equal-models": equal_models(pd.read_csv(directory / "refits.csv")),
    }
    for name, table in tables.items():
        table.to_csv(directory / f"{name}.csv", index=False)


def ranges(rates, settings):
    """Return the smallest and the largest rate of each method in per cent.

    Parameters
    ----------
    rates : DataFrame
        Of one question.
    settings : dict of str to str
        The columns that make a row of the table, and their headings.
    """
    rows = []
    for values, of_setting in rates.groupby(list(settings)):
        row = dict(zip(settings.values(), values, strict=True))
        for method, of_method in of_setting.groupby("method"):
            row[METHODS[method]] = _range(of_method["rate"])
        ours = of_setting[of_setting["method"] == "max_t"]
        rows.append({**row, ERROR: _percent(ours["error"].max(), 2)})
    return pd.DataFrame(rows)[[*settings.values(), *METHODS.values(), ERROR]]


def best_sets(counts):
    """Return how often best sets held the best, and how large they were, in per cent."""
    rows = []
    for (n_estimators, truth), some in counts.groupby(["n_estimators", "truth"]):
        coverage = some["covered"] / some["n_data_sets"]
        low, high = some["in_best_set"].min(), some["in_best_set"].max()
        rows.append(
            {
                "models": n_estimators,
                "truth": truth,
                "holds the best": _range(coverage),
                "mean number in the set": f"{low:.1f} to {high:.1f}",
                ERROR: _percent(_binomial_error(coverage, some["n_data_sets"]).max(), 1),
            }
        )
    return pd.DataFrame(rows)


def one_with_margin(counts):
    """Return how often a verdict on one comparison was false, by margin and true difference."""
    rates = counts.assign(rate=counts["false_verdicts"] / counts["n_data_sets"])
    rows = []
    for margin, some in rates.groupby("margin"):
        at = some.set_index("difference")
        row = {"margin": margin}
        for difference, rate in at["rate"].sort_index().items():
            row[f"at {difference:g}"] = _percent(rate, 1)
        rows.append({**row, "equivalent at 0": _percent(at.loc[0, "equivalent"], 0)})
    return pd.DataFrame(rows)


def several_with_margin(counts):
    """Return how often any verdict of a family was false, by margin."""
    share = counts["false_verdicts"] / counts["n_data_sets"]
    return pd.DataFrame(
        {
            "comparisons": counts["question"],
            "margin": counts["margin"],
            "any false verdict": [_percent(rate, 1) for rate in share],
            "data sets": counts["n_data_sets"],
        }
    ).sort_values(["comparisons", "margin"])


def equal_models(counts):
    """Return how often some of equal estimators were shown to differ, in per cent."""
    share = counts["false_claims"] / counts["n_data_sets"]
    return pd.DataFrame(
        {
            "learner": counts["learner"],
            "models": counts["n_estimators"],
            "data sets": counts["n_data_sets"],
            "some shown to differ": [_percent(rate, 1) for rate in share],
            ERROR: [_percent(error, 1) for error in _binomial_error(share, counts["n_data_sets"])],
            "a given one not in the best set": [
                _percent(rate, 1) for rate in counts["missed"] / counts["n_data_sets"]
            ],
        }
    ).loc[share.sort_values(ascending=False, kind="stable").index]


def _binomial_error(share, n):
    return (share * (1 - share) / n) ** 0.5


def _range(rates):
    low, high = _percent(rates.min(), 1), _percent(rates.max(), 1)
    return low if low == high else f"{low} to {high}"


def _percent(share, digits):
    return f"{100 * share:.{digits}f}"
