"""Reports word by word, with numbers that NumPy and SciPy give."""

import re
from dataclasses import replace
from importlib.metadata import version

import numpy as np
import pytest
from scipy import stats

from skcvstats import (
    CorrectedResampledTTest,
    CVScores,
    SplitDesign,
    compare_scores,
    evaluation_report,
)

from .cases import quietly

N_TRAIN, N_TEST, J = 180, 20, 4
FACTOR = 1 / J + N_TEST / N_TRAIN
DESIGN = SplitDesign.from_sizes(n_train=N_TRAIN, n_test=N_TEST, n_splits=J)
VALUES = {
    "new": np.array([0.91, 0.89, 0.93, 0.90]),
    "old": np.array([0.85, 0.86, 0.86, 0.83]),
    "odd": np.array([0.90, 0.87, 0.95, 0.89]),
}
SUBJECT = "models trained on 180 rows"
SPLITS = "4 splits of 200 rows (180 to train on, 20 to test on)"
ERROR = f"the square root of {FACTOR:.3g} times the sample variance over the splits"
ASSUMED = (
    f"{FACTOR:.3g} = 1/n_splits + n_test/(n_samples - n_test) is right if the scores of two splits "
    "are correlated by n_test/n_samples = 0.1; Student's law is for scores that are about normal"
)
SCOPE = (
    f"this is about the expected score of {SUBJECT} from the same source, not about one fitted "
    "model, nor about models trained on all 200 rows"
)
FEW = (
    "Only 4 splits: the variance is badly known and the test has little power; use at least 10, "
    "better 15."
)
MADE_DIFFERENCE = (
    "difference: the score of the estimator minus that of the one it is held against, split by "
    "split; positive speaks for the estimator"
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


NOT_KNOWN = f"""
estimators: not known
scoring: not known
splits: not known
fingerprint of the splits: not known
fingerprint of the target: not known
time spent fitting: not known
versions at the fits: not known
version of this report: skcvstats {version("skcvstats")}
"""


def scores_of(*labels):
    values = np.stack([VALUES[label] for label in labels])
    return CVScores(values=values, design=DESIGN, labels=labels, metric="accuracy")


def moments(a, b):
    """Return the mean difference and its standard error."""
    x = VALUES[a] - VALUES[b]
    return x.mean(), np.sqrt(FACTOR * x.var(ddof=1))


def test_two_estimators():
    mean, error = moments("new", "old")
    t, half = mean / error, stats.t.ppf(0.975, 3) * error
    p = 2 * stats.t.sf(t, 3)
    low, high = mean - half, mean + half
    report = evaluation_report(quietly(compare_scores, scores_of("new", "old")))
    numbers = f"{0.9075:#.3g} {0.85:#.3g} {mean:#.3g} {error:#.3g} {low:#.3g} to {high:#.3g}"
    assert squeezed(report) == squeezed(f"""
Evaluation report: accuracy of new and old
==========================================
Verdict
-------
new scores significantly higher than old in accuracy at the 5 % level (new - old = {mean:.3g}, \
95 % confidence interval {low:.3g} to {high:.3g}, p = {p:.3g}), by the corrected resampled t-test \
over {SPLITS}, the standard error being {ERROR}; {SCOPE}.
1 warning below weakens this.

estimator versus score score versus difference std. error 95 % interval t(3) p
new old {numbers} {t:#.3g} {p:.3g}

How the numbers were made
-------------------------
splits: {SPLITS}
score, score versus: the estimated expected score of {SUBJECT}; greater is better
{MADE_DIFFERENCE}
std. error: the standard error, {ERROR}; {ASSUMED}
95 % interval: the values that the test would not reject at the 5 % level
t(3): the estimated difference minus 0, divided by its standard error, referred to Student's law \
with 3 degrees of freedom
p: two-sided, of the hypothesis that the expected difference, new minus old, is 0

Warnings
--------
- {FEW}

Methods
-------
The expected accuracy of {SUBJECT} was estimated for 2 estimators (new, old) on {SPLITS}, the same \
for all. The difference, split by split, was tested by the corrected resampled t-test [1, 2]; its \
standard error is {ERROR}. {ASSUMED}. The statistic was referred to Student's law with 3 degrees \
of freedom. p-values are two-sided, of the hypothesis that the expected difference, new minus \
old, is 0. Intervals are 95 % confidence intervals. The variance of a mean over splits of one \
data set has no unbiased estimate [1], so every test of it rests on an assumption. The \
computations were made with skcvstats {version("skcvstats")} and scikit-learn [3].

References
----------
[1] {REFERENCES[0]}
[2] {REFERENCES[1]}
[3] {SKLEARN}

To repeat this
--------------
procedure: CorrectedResampledTTest(null_value=0.0, alternative='two-sided')
comparisons: all pairs
{NOT_KNOWN}
""")


def test_non_inferiority_to_a_reference_at_another_level():
    null = -0.04
    test = CorrectedResampledTTest(null_value=null, alternative="greater")
    scores = scores_of("new", "old", "odd")
    result = quietly(compare_scores, scores, method=test, reference="odd", adjustment="holm")
    report = evaluation_report(result, confidence_level=0.9)
    rows, said, pvalues = {}, {}, {}
    for name in ("new", "old"):
        mean, error = moments(name, "odd")
        t = (mean - null) / error
        pvalues[name] = stats.t.sf(t, 3)
        low = mean - stats.t.ppf(0.9, 3) * error
        rows[name] = f"{VALUES[name].mean():#.3g} {VALUES['odd'].mean():#.3g} {mean:#.3g} "
        rows[name] += f"{error:#.3g} at least {low:#.3g} {t:#.3g} {pvalues[name]:.3g}"
        said[name] = (
            f"{name} - odd = {mean:.3g}, unadjusted 90 % confidence bound: at least {low:.3g}"
        )
    adjusted = {"new": 2 * pvalues["new"], "old": max(2 * pvalues["new"], pvalues["old"])}  # Holm
    assert adjusted["new"] < 0.1 < adjusted["old"]
    text = squeezed(report)
    assert text.startswith(
        squeezed(f"""
Evaluation report: accuracy of 3 estimators
===========================================
Verdict
-------
By the corrected resampled t-test over {SPLITS}, the standard error being {ERROR}, of 2 expected \
differences in accuracy (each estimator minus odd), at the 10 % level, 1 is shown to be above \
-0.04; 1 is not shown to be above -0.04, which is no proof that it is not; p-values are adjusted \
by Holm's method for 2 comparisons, intervals not; {SCOPE}.
1 warning below weakens this.
- The expected difference new - odd in accuracy is significantly above -0.04 at the 10 % level \
({said["new"]}, adjusted p = {adjusted["new"]:.3g}).
- Not shown at the 10 % level that the expected difference old - odd in accuracy is above -0.04 \
({said["old"]}, adjusted p = {adjusted["old"]:.3g}).

estimator score score versus difference std. error unadjusted 90 % interval t(3) p adjusted p
new {rows["new"]} {adjusted["new"]:.3g}
old {rows["old"]} {adjusted["old"]:.3g}

How the numbers were made
-------------------------
splits: {SPLITS}
score, score versus: the estimated expected score of {SUBJECT}; greater is better
{MADE_DIFFERENCE}
std. error: the standard error, {ERROR}; {ASSUMED}
unadjusted 90 % interval: the values that the test would not reject at the 10 % level, each for \
its own comparison and not adjusted
t(3): the estimated difference minus -0.04, divided by its standard error, referred to Student's \
law with 3 degrees of freedom
p: one-sided, of the hypothesis that the expected difference, each estimator minus odd, is at \
most -0.04
adjusted p: p adjusted by Holm's method for 2 comparisons
""")
    )
    assert (
        squeezed(f"""
The differences, split by split, from odd were tested by the corrected resampled t-test [1, 2]; \
its standard error is {ERROR}. {ASSUMED}. The statistic was referred to Student's law with 3 \
degrees of freedom. p-values are one-sided, of the hypothesis that the expected difference, each \
estimator minus odd, is at most -0.04; they were adjusted by Holm's method [3] for 2 comparisons. \
Bounds are 90 % confidence bounds and were not adjusted.
""")
        in text
    )
    assert f"[3] {squeezed(HOLM)}" in text
    assert (
        squeezed(f"""
procedure: CorrectedResampledTTest(null_value=-0.04, alternative='greater')
comparisons: with reference='odd'; p-values adjusted by Holm's method
{NOT_KNOWN}
""")
        in text
    )


@pytest.mark.parametrize("label", ["new", "old"])
def test_one_estimator(label):
    x = VALUES[label]
    error = np.sqrt(FACTOR * x.var(ddof=1))
    half = stats.t.ppf(0.975, 3) * error
    ends = f"{x.mean() - half:.3g} to {x.mean() + half:.3g}"
    padded = f"{x.mean() - half:#.3g} to {x.mean() + half:#.3g}"
    result = quietly(CorrectedResampledTTest(), scores_of(label)[label])
    text = squeezed(evaluation_report(replace(result, asked=False)))
    assert text.startswith(
        squeezed(f"""
Evaluation report: accuracy of {label}
======================================
Verdict
-------
The expected accuracy of {label} is estimated as {x.mean():.3g} (95 % confidence interval {ends}) \
for {SUBJECT}, by the corrected resampled t-test over {SPLITS}. Its standard error is {ERROR}. \
T{SCOPE[1:]}.
1 warning below weakens this.

of estimate std. error 95 % interval
{label} {x.mean():#.3g} {error:#.3g} {padded}

How the numbers were made
-------------------------
splits: {SPLITS}
estimate: the estimated expected value for {SUBJECT}
std. error: the standard error, {ERROR}; {ASSUMED}
95 % interval: the values that the test would not reject at the 5 % level
""")
    )
    assert (
        squeezed(f"""
The expected accuracy of {SUBJECT} was estimated for {label} on {SPLITS}. Its interval was \
computed by the corrected resampled t-test [1, 2]; its standard error is {ERROR}. {ASSUMED}. The \
interval rests on Student's law with 3 degrees of freedom. Intervals are 95 % confidence \
intervals.
""")
        in text
    )


def squeezed(text):
    """Return a text without its line breaks, alignment and rules."""
    return " ".join(re.sub(r"\n[-=]+\n", "\n", str(text)).split())
