"""The words of the page that do not depend on the numbers."""

from . import _rules

INTRODUCTION = """\
.. Written by ``python -m benchmarks.nadeau_bengio``; change it there.

Appendix: the report's simulation study, repeated
=================================================

Section 5 of "Inference for the Generalization Error" (C. Nadeau and Y. Bengio, CIRANO 99s-25,
1999), and figure 1 of their paper at NIPS 1999, computed with skcvstats: the seven procedures,
three problems and fourteen simulations, {data_sets}. All values are losses, as in the report
(skcvstats itself works on scores); A-B is the loss of A minus that of B.
``benchmarks/nadeau_bengio`` has the code; its README says how to run it.
"""

OVERLAP = """\
{overlap} of the {n_distinct} distinct printed intervals overlap ours ({share:.1f} %; wanted:
97.5 %). The largest distance is {farthest:.1f} standard errors (wanted: at most {limit:.0f}). With
the simulations of a quantity taken together it is {together:.1f}, and {same_sign} of the
{n_quantities} quantities {miss} in several simulations with the same sign. {verdict}
"""

MEASURES = """\
The report prints {n_printed} intervals. The letters' tree is the same for every weight and is
printed six times, so {n_distinct} intervals are distinct. All have a level of 95 %. Before they are
compared, the ends of a printed interval are widened by half a unit of their last digit. A distance
is the difference of the midpoints in its standard errors, where the standard error of a midpoint is
the half-width of its interval over 1.96. Two equally wide intervals for the same value fail to
overlap in .6 % of cases: 1.2 times in 222.

To take simulations together, their distances are summed and divided by the root of their number,
or, for the letters, whose simulations share their data sets, by their number.
"""

READING = """\
How the report was read
-----------------------

* "Throwing away 40 % of the data" is one fixed random subset of .6 n rows for each data set,
  and all splits of (n/2, n/10) are drawn within it. With splits drawn from all rows, rho would be
  near .10, where table 2 prints .15 to .19.
* In section 5.1 the conservative Z takes its variance from all rows, with half-samples split at
  (2n/5, n/10), and its estimate from (n/2, n/2) or (n/2, n/10).
* Section 5.2 says that the *resampled* t is conservative or liberal depending on rho, and that it
  is conservative where rho is greater. We read it as about the corrected resampled t, which is
  liberal where rho is greater.
* The letters' six simulations have the same data sets and splits, as the report's tables show.
  Other simulations are independent.
* The trees are those of S-Plus 4.5 with its default arguments, and ties of the nearest neighbour
  are broken at random: see ``trees.py`` and ``neighbors.py``.
* The images of the figures are lost, and with them their values of mu0. Here they range over four
  standard deviations of the panel's noisiest estimate on either side of the true value. That value
  is the closed form for the regression and the mean over all data sets for the others.
* Figure 1 of the NIPS paper does not say which weight it is about. We took 25, which makes the two
  learners alike, and the first 500 data sets.
"""

EXPLANATION = """\
The column of the other simulations tells chance from a fault: a quantity that is computed in
another way than in the report would be off in all simulations of its problem, with the same sign.
"""

COST = """\
The computations, in parts. The machine was shared: ``load`` is the mean number of processes that
wanted its 2 cores, so processor time says more than elapsed time. Data sets that were kept from
trials of the program have no row. 1000 data sets of everything are 47 minutes on one core; a loop
of ``cross_validate`` with the same learners and shared splits would take 27 times as long (22
November 2026).
"""

RULES = """\
The statements are the report's, in short. Each holds, holds in part, or does not hold. Each word
has one rule, whose band is centred on what the word names:

* A statement without a limiting word is about **all** panels or curves: it holds if it is true in
  all, and in part if it is true in most.
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
  criteria for robust tests: a size within a tenth, or within half, of the level
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
and holds in part otherwise. The binomial tests over panels assume that panels are independent;
they are not, as they share data sets.
"""

REVISION = """\
**Revised rules.** At first each statement had a rule of its own, and only two outcomes. Some of
their bands ended at the result (20 of 24 where 20 were required, "half" up to 75 %).
The rules above replace them, on the same numbers. As the numbers were known, the bands come from
elsewhere: from published criteria, binomial tests and the report's own figures. The outcome of
17 of 41 statements changed, on 22 November 2026.
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
