"""
How often a true null hypothesis is rejected
============================================

Two equally good algorithms should be called different in 5 % of data sets. To know the truth, the
scores here are simulated: they have a Gaussian distribution, and the splits of one data set are
correlated exactly as they are if the loss depends on the test row only.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

from skcvstats.stats import corrected_resampled_ttest, resampled_ttest

n_data_sets, n_samples = 20_000, 200
rng = np.random.default_rng(0)


def differences(n_splits, rho):
    """Draw the scores of many data sets: true difference 0, correlation rho between splits."""
    common = rng.normal(size=(n_data_sets, 1))
    own = rng.normal(size=(n_data_sets, n_splits))
    return np.sqrt(rho) * common + np.sqrt(1 - rho) * own


def rejections(test, x, n_test):
    """Return the share of data sets with p below 0.05."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the uncorrected test says itself that it is liberal
        return np.mean(test(x, n_train=n_samples - n_test, n_test=n_test).pvalue < 0.05)


# %%
# With more splits the uncorrected test rejects more and more, because it does not take into account
# that the rows are the same.

numbers = [3, 5, 10, 15, 30, 60, 100]
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for n_test, style in [(20, "-"), (60, "--")]:
    share = f"{100 * n_test // n_samples} % to test on"
    for test, name, colour in [
        (resampled_ttest, "usual t-test", "tab:red"),
        (corrected_resampled_ttest, "corrected", "tab:blue"),
    ]:
        rates = [rejections(test, differences(k, n_test / n_samples), n_test) for k in numbers]
        ax.plot(numbers, rates, style, color=colour, marker="o", label=f"{name}, {share}")
ax.axhline(0.05, color="black", linewidth=1)
ax.set(xscale="log", xlabel="number of splits", ylabel="null hypotheses rejected at 5 %", ylim=0)
ax.set_xticks(numbers, map(str, numbers), minor=False)
ax.minorticks_off()
ax.legend()
plt.show()

# %%
# The correction is exact only at this correlation. If models change much with their training rows,
# the correlation is larger and the corrected test is liberal too, but far less.

rhos = np.linspace(0, 0.3, 7)
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for test, name, colour in [
    (resampled_ttest, "usual t-test", "tab:red"),
    (corrected_resampled_ttest, "corrected", "tab:blue"),
]:
    rates = [rejections(test, differences(15, rho), 20) for rho in rhos]
    ax.plot(rhos, rates, color=colour, marker="o", label=name)
ax.axhline(0.05, color="black", linewidth=1)
ax.axvline(0.1, color="grey", linewidth=1, linestyle=":", label="n_test / n_samples")
ax.set(xlabel="true correlation of two splits", ylabel="null hypotheses rejected at 5 %", ylim=0)
ax.legend()
plt.show()
