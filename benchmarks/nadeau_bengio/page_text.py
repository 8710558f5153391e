"""The words of the page that do not depend on the numbers."""

from . import _rules

INTRODUCTION = """\
.. Written by ``python -m benchmarks.nadeau_bengio``; change it there.

The report's simulation study, repeated
=======================================

Section 5 of "Inference for the Generalization Error" (C. Nadeau and Y. Bengio, CIRANO 99s-25,
1999), and figure 1 of their paper at NIPS 1999, computed with skcvstats: the seven procedures,
three problems and fourteen simulations, {data_sets}. All values are losses, as in the report
(skcvstats itself works on scores); A-B is the loss of A minus that of B.
``benchmarks/nadeau_bengio`` has the code; its README says how to run it.
"""

OVERLAP = """\
Two 95 % intervals agree here if they overlap, the printed ends widened by half their last digit.
Of the {n_printed} printed intervals {n_distinct} are distinct: the letters' tree is the same for
every weight and is printed six times. {overlap} of the {n_distinct} overlap ({share:.1f} %;
wanted: 97.5 %). The greatest distance is {farthest:.1f} standard errors (wanted: at most
{limit:.0f}), where those of the printed interval are its half-width, widened likewise, over 1.96.
Two intervals of one truth and equal widths miss each other in .6 % of cases, that is 1.2 times in
222.

Taking a quantity's simulations together (the sum of their distances over the root of their
number; for the letters, whose simulations share their data sets, over their number), the greatest
distance is {together:.1f}, and {same_sign} of the {n_quantities} quantities {miss} in several
simulations with the same sign. {verdict}
"""

READING = """\
How the report was read
-----------------------

* "Throwing away 40 % of the data" is one fixed random subset of .6 n rows for each data set,
  inside which all splits of (n/2, n/10) are drawn. Redrawn from all rows, rho would be near .10,
  where table 2 prints .15 to .19.
* In section 5.1 the conservative Z takes its variance from all rows, with half-samples split at
  (2n/5, n/10), and its estimate from (n/2, n/2) or (n/2, n/10).
* Section 5.2 says that the *resampled* t is conservative or liberal with rho, and that it is
  conservative where rho is greater: it is the corrected one, and it is liberal there.
* The letters' six simulations have the same data sets and splits, as the report's tables show.
  Other simulations are independent.
* The trees are those of S-Plus 4.5 with its default arguments, the ties of the nearest neighbour
  are broken at random: see ``trees.py`` and ``neighbors.py``.
* The images of the figures are lost, and with them their values of mu0: here they go from the
  true value four standard deviations of the panel's noisiest estimate to either side. The truth
  is the closed form for the regression and the mean over all data sets for the others.
* Figure 1 of the NIPS paper does not say which weight it is about; 25 makes the two learners
  alike. It has the first 500 data sets.
"""

EXPLANATION = """\
What tells chance from a fault is the column of the other simulations: a quantity that is computed
in another way than in the report would be off in all simulations of its problem, with the same
sign.
"""

COST = """\
What was computed, in parts. The machine was shared: ``load`` is the mean number of processes that
wanted its 2 cores, so that the processor time tells more than the time on the wall. Data sets that
were kept from trials of the program have no row.
"""

RULES = """\
The statements are the report's, in short. Each holds, holds in part, or does not hold. The rules
go by the words of a statement, so that one word has one rule, and their bands lie evenly around
what the word names:

* A statement without a limiting word is about **all** panels or curves: it holds if it is so in
  all, and in part if it is so in most.
* **Usually, tends to** (most): in significantly more than half (binomial test, {significant:g}
  %); in part: in more than half.
* **Often**: in half of the cases or more; in part: in a quarter or more.
* **Sometimes, at times**: in significantly more than by chance, and in significantly fewer than
  half; in part: not in significantly fewer than half.
* **May, in some panels**: in one or more.
* **Half**: {half[0]:g} to {half[1]:g} %.
* A size is **close** to 10 % if its 95 % interval reaches {stringent[0]:g} to {stringent[1]:g}
  %. It is **well behaved**, or only **barely** or **a little** off, from {moderate[0]:g} to
  {moderate[1]:g} %, and **fairly liberal** above. These are Bradley's stringent and liberal
  criteria for robust tests: a size within a tenth, or within a half, of the level
  (*Robustness?*, British Journal of Mathematical and Statistical Psychology 31, 1978). **Far**
  from 10 %, or **very** liberal, is above {far:g} %, the report's own figure. *Significantly* is
  by the exact binomial interval or test of the panel.
* rho0 is **reasonably close** to rho if the corrected resampled t is well behaved with that rho.
* r is **small** if, at M = 10, it makes less than half of the variance of the variance estimate.
* Rejection rates **agree** (are similar, equivalent, comparable) if they are, on average over a
  curve, within {alike:g} points, half of the level, and differ **markedly** beyond. They agree
  **very well**, **nearly overlap** or differ **little** within half of that, {nearly:g} points.
* **Best in size**: the smallest distance from 10 %, both on average and at most.
* Everything else ("greater", "grows", "most powerful") is a comparison of the estimates.

A statement of several parts holds if all of them hold, does not hold if none holds even in part,
and holds in part otherwise. The panels share data sets, so that they are not independent, as the
binomial tests over panels take them to be.
"""

REVISION = """\
**Revised rules.** At first each statement had a rule of its own, and only two outcomes; some of
these rules lay where the result was (20 of 24 where 20 were asked for, "half" up to 75 %). The
rules above replace them, for the same numbers. As these were known, the bands come from
elsewhere: from published criteria, binomial tests and the report's own figures. The outcome of
{n_changed} of {n_findings} statements changed:
"""


def rules():
    """Return the rules of the findings, with the bands of `_rules`, in percent."""
    return RULES.format(
        significant=100 * _rules.SIGNIFICANT,
        half=_percent(_rules.HALF),
        stringent=_percent(_rules.STRINGENT),
        moderate=_percent(_rules.MODERATE),
        far=100 * _rules.FAR,
        alike=100 * _rules.ALIKE,
        nearly=100 * _rules.NEARLY,
    )


def _percent(band):
    return tuple(100 * end for end in band)
