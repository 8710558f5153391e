"""Reports word by word, with numbers that NumPy and SciPy give."""

import re
from dataclasses import replace
from importlib.metadata import version

import numpy as np
import pytest
from scipy import optimize, stats

from skcvstats import CorrectedResampledTTest, SplitDesign, compare_scores, evaluation_report
from skcvstats.scores import CVScores

from .cases import quietly

N_TRAIN, N_TEST, J = 180, 20, 4
FACTOR = 1 / J + N_TEST / N_TRAIN
DESIGN = SplitDesign.from_sizes(n_train=N_TRAIN, n_test=N_TEST, n_splits=J)
VALUES = {"new": np.array([0.91, 0.89, 0.93, 0.90]), "old": np.array([0.85, 0.86, 0.86, 0.83])}
VALUES["odd"] = np.array([0.90, 0.87, 0.95, 0.89])
SPLITS = "4 splits (n = 200, train 180, test 20)"
ERROR = f"the square root of {FACTOR:.3g} times the sample variance over the splits"
ASSUMED = (
    f"{FACTOR:.3g} = 1/n_splits + n_test/(n_samples - n_test) is right if the scores of two splits "
    "are correlated by n_test/n_samples = 0.1; the t distribution assumes approximately normal "
    "scores"
)
SCOPE = (
    "This is about the expected score of models trained on 180 rows from the same source, not "
    "about one fitted model, nor about models trained on all 200 rows."
)
LIMITS = (
    "The variance of a mean over splits has no unbiased estimate [1], so every test rests on an "
    "assumption."
)
FEW = (
    "Only 4 splits: the variance is poorly estimated and the test has little power; use at least "
    "10, better 15. [few splits]"
)
NADEAU = "Claude Nadeau and Yoshua Bengio, \u201cInference for the Generalization Error\u201d"
REFERENCES = [
    f"{NADEAU}, Technical Report 99s-25, CIRANO, 1999.",
    f"{NADEAU}, Machine Learning 52, 239\u2013281, 2003. doi:10.1023/A:1024068626366.",
]
HOLM = (
    "Sture Holm, \u201cA Simple Sequentially Rejective Multiple Test Procedure\u201d, Scandinavian "
    "Journal of Statistics 6, 65\u201370, 1979."
)
SKLEARN = (
    "Fabian Pedregosa et al., \u201cScikit-learn: Machine Learning in Python\u201d, Journal of "
    "Machine Learning Research 12, 2825\u20132830, 2011."
)
GUPTA = (
    "Shanti S. Gupta, \u201cOn Some Multiple Decision (Selection and Ranking) Rules\u201d, "
    "Technometrics 7, 225\u2013245, 1965. doi:10.1080/00401706.1965.10490251."
)
HSU = (
    "Jason C. Hsu, \u201cConstrained Simultaneous Confidence Intervals for Multiple Comparisons "
    "with the Best\u201d, The Annals of Statistics 12, 1136\u20131144, 1984. "
    "doi:10.1214/aos/1176346732."
)
MADE_WITH = f"We used skcvstats {version('skcvstats')} and scikit-learn"
TESTED = (
    "tested by the corrected resampled t-test [1, 2]; its standard error is "
    f"{ERROR}. {ASSUMED}. The statistic was referred to Student's t distribution with 3 degrees "
    f"of freedom. {LIMITS}"
)


def whole(title, found, methods, references, procedure):
    """Return a report: its title, what was found, and how, with what all reports end with."""
    listed = "\n".join(f"[{k}] {one}" for k, one in enumerate([*references, SKLEARN], start=1))
    return squeezed(f"""
Evaluation report: accuracy of {title}
======================================
Answer
------
{found}

Limitations
-----------
- {FEW}

Methods: how the numbers were made
----------------------------------
{methods}

{MADE_WITH} [{len(references) + 1}].

References
----------
{listed}

How to reproduce this
---------------------
procedure: CorrectedResampledTTest({procedure}
version of this report: skcvstats {version("skcvstats")}

What cannot be reproduced
-------------------------
- Not known: estimators, scoring, splits, fingerprint of the splits, fingerprint of the target, \
time spent fitting, versions at the fits.
""")


def scores_of(*labels):
    values = np.stack([VALUES[label] for label in labels])
    return CVScores(values=values, design=DESIGN, labels=labels, metric="accuracy")


def moments(a, b):
    """Return the mean difference and its standard error."""
    x = VALUES[a] - VALUES[b]
    return x.mean(), np.sqrt(FACTOR * x.var(ddof=1))


def own_interval(name, confidence_level):
    """Return the mean score and the ends of its own interval."""
    x = VALUES[name]
    half = stats.t.ppf((1 + confidence_level) / 2, 3) * np.sqrt(FACTOR * x.var(ddof=1))
    return f"{x.mean():#.3g} {x.mean() - half:#.3g} to {x.mean() + half:#.3g}"


def test_two_estimators():
    mean, error = moments("new", "old")
    t, half = mean / error, stats.t.ppf(0.975, 3) * error
    p = 2 * stats.t.sf(t, 3)
    low, high = mean - half, mean + half
    report = evaluation_report(quietly(compare_scores, scores_of("new", "old")))
    numbers = f"{0.9075:#.3g} {0.85:#.3g} {mean:#.3g} {low:#.3g} to {high:#.3g}"
    found = f"""
new scores significantly higher than old in accuracy at the 5 % level.

Difference
----------
estimator versus score score of the other difference 95 % interval p-value
new old {numbers} {p:.3g}

std. error: {error:.3g}
t(3): {t:.3g}
"""
    methods = f"""
The accuracy comes from {SPLITS}, the same for all. {SCOPE}

The difference, split by split, was {TESTED}

The p-values are two-sided, of the hypothesis that the expected difference is 0. The intervals are \
95 % confidence intervals.
"""
    procedure = """null_value=0.0, alternative='two-sided')
comparisons: reference=None, margin=None, confidence_level=0.95"""
    assert squeezed(report) == whole("new and old", found, methods, REFERENCES, procedure)


def test_non_inferiority_to_a_reference_at_another_level():
    null = -0.04
    test = CorrectedResampledTTest(null_value=null, alternative="greater")
    scores = scores_of("new", "old", "odd")
    result = quietly(compare_scores, scores, method=test, reference="odd", adjustment="holm")
    report = evaluation_report(result, confidence_level=0.9)
    rows, pvalues = {}, {}
    for name in ("new", "old"):
        mean, error = moments(name, "odd")
        pvalues[name] = stats.t.sf((mean - null) / error, 3)
        low = mean - stats.t.ppf(0.9, 3) * error
        rows[name] = f"{mean:#.3g} at least {low:#.3g}"
    adjusted = {"new": 2 * pvalues["new"], "old": max(2 * pvalues["new"], pvalues["old"])}  # Holm
    assert adjusted["new"] < 0.1 < adjusted["old"]
    detectable = detected(moments("old", "odd")[1], level=0.1)
    low, high = detectable * np.sqrt(3 / stats.chi2.isf([0.1, 0.9], 3))
    outside = could_not_be_best(0.1)
    best = [name for name in ("new", "odd", "old") if name not in outside]
    assert best == ["new", "odd"]
    found = f"""
accuracy against odd: new is significantly above -0.04; old is not significantly above -0.04 \
(90 % confidence).

Ranking
-------
estimator score 90 % interval could be best
new {own_interval("new", 0.9)} yes
odd {own_interval("odd", 0.9)} yes
old {own_interval("old", 0.9)} no

These intervals are for single scores; use the table of differences to compare models.

Differences
-----------
estimator versus difference unadjusted 90 % interval adjusted p shown
new odd {rows["new"]} {adjusted["new"]:.3g} above -0.04
old odd {rows["old"]} {adjusted["old"]:.3g} -

What could not be shown
-----------------------
1 of 2 pairs is not significantly above -0.04: old - odd. A true difference that is \
about {detectable:.3g} (80 % range {low:.3g} to {high:.3g}) away from -0.04 would \
have been shown with a power of 80 %.
"""
    methods = f"""
The accuracy comes from {SPLITS}, the same for all. {SCOPE}

The differences, split by split, from odd were {TESTED}

The p-values are one-sided, of the hypothesis that the expected difference is at most -0.04. The \
bounds are 90 % confidence bounds. P-values were adjusted by Holm's method for 2 one-sided \
comparisons [3], intervals not.

The intervals of scores were not adjusted. An estimator could be the best unless another is shown \
to be better, in one-sided comparisons adjusted for their number [4, 5].
"""
    references = [*REFERENCES, HOLM, GUPTA, HSU]
    procedure = """null_value=-0.04, alternative='greater')
comparisons: reference='odd', adjustment='holm', margin=None, confidence_level=0.9"""
    assert squeezed(report) == whole("3 estimators", found, methods, references, procedure)


def detected(error, level):
    """Return the difference that a one-sided test shows with power .8, by the noncentral law."""
    critical = stats.t.isf(level, 3)
    with np.errstate(divide="ignore"):  # old SciPy takes the logarithm of 0 on its way
        shift = optimize.brentq(lambda nc: stats.nct.sf(critical, 3, nc) - 0.8, 0.1, 15)
    return shift * error


def could_not_be_best(level):
    """Return who is shown to be worse than another, by Bonferroni's bound, which is wider."""
    outside = []
    for name in VALUES:
        pairs = [moments(other, name) for other in VALUES if other != name]
        smallest = min(stats.t.sf(mean / error, 3) for mean, error in pairs)
        assert not level / 2 < smallest < level  # else the simulation would decide
        if smallest <= level / 2:
            outside.append(name)
    return outside


@pytest.mark.parametrize("label", ["new", "old"])
def test_one_estimator(label):
    x = VALUES[label]
    error = np.sqrt(FACTOR * x.var(ddof=1))
    half = stats.t.ppf(0.975, 3) * error
    ends = f"{x.mean() - half:.3g} to {x.mean() + half:.3g}"
    result = quietly(CorrectedResampledTTest(), scores_of(label)[label])
    found = f"""
The expected accuracy of {label} is estimated as {x.mean():.3g} (95 % confidence interval {ends}).

std. error: {error:.3g}
"""
    methods = f"""
The accuracy comes from {SPLITS}. {SCOPE}

The interval was computed by the corrected resampled t-test [1, 2]; its standard error is {ERROR}. \
{ASSUMED}. It is based on Student's t distribution with 3 degrees of freedom. {LIMITS}

The intervals are 95 % confidence intervals.
"""
    procedure = "null_value=0.0, alternative='two-sided')"
    report = evaluation_report(replace(result, reporting=replace(result.reporting, asked=False)))
    assert squeezed(report) == whole(label, found, methods, REFERENCES, procedure)


def squeezed(text):
    """Return a text without its line breaks, alignment and rules."""
    return " ".join(re.sub(r"\n[-=]+\n", "\n", str(text)).split())
