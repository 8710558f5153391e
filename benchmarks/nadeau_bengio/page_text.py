"""The words of the page that do not depend on the numbers."""

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
