"""The study itself: every curve of the figures and every design of the tables, as `simulate` calls.

One call for each problem and simulation serves all its figures and tables, with shared splits. The
letters' six weights take the same data sets and splits, and their tree is grown once for all.
"""

from sklearn.metrics import make_scorer, zero_one_loss

from skcvstats import (
    BootstrapTTest,
    ConservativeZTest,
    CorrectedBootstrapTTest,
    CorrectedResampledTTest,
    FiveByTwoCVTTest,
    HalfSplitPairs,
    HoldoutTTest,
    RepeatedSubsampleSplit,
    ResampledTTest,
)
from skcvstats.model_selection import RepeatedTwoFold
from skcvstats.simulation import StudiedProcedure, simulate

from .analytic import expected_errors
from .designs import EVEN, HALF_SAMPLE, THROWN_AWAY, USUAL
from .figures import FIGURES, Figure
from .problems import PROBLEMS
from .records import predicted
from .remembered_tree import RememberedTree
from .tables import N_PAIRS, N_SPLITS, N_SPLITS_OF_PAIRS
from .trees import DevianceTree

ZERO_ONE = make_scorer(zero_one_loss, greater_is_better=False)
_TESTS = {
    "holdout_t": HoldoutTTest,
    "resampled_t": ResampledTTest,
    "corrected_resampled_t": CorrectedResampledTTest,
    "five_by_two_cv_t": FiveByTwoCVTTest,
    "conservative_z": ConservativeZTest,
    "bootstrap_t": BootstrapTTest,
    "corrected_bootstrap_t": CorrectedBootstrapTTest,
}


def label(curve):
    """Return the label of a curve's procedure in results, unique among those of a problem.

    Parameters
    ----------
    curve : Curve
    """
    parts = [design(curve.sizes)]
    if curve.procedure == "holdout_t":
        parts.append(f"law={curve.law}")
    elif curve.procedure != "five_by_two_cv_t":
        parts.append(f"J={curve.n_splits}")
    if curve.procedure == "conservative_z":
        parts.append(f"M={curve.n_pairs}")
    if "bootstrap" in curve.procedure:
        parts.append(f"R={curve.n_replicates}")
    return " ".join([curve.procedure, *parts])


def design(sizes):
    """Return how the report writes the sizes of splits, such as "9n/10,n/10".

    Parameters
    ----------
    sizes : Sizes
    """
    parts = (sizes.train, sizes.test)
    return ",".join(
        f"{'' if part.numerator == 1 else part.numerator}n/{part.denominator}" for part in parts
    )


def root_of(name, simulation):
    """Return the root of a simulation's random numbers.

    The simulations of a problem are independent, but those of the letters have the same data sets
    and splits for every weight, as in the report.

    Parameters
    ----------
    name : {"regression", "gaussians", "letters"}
    simulation : int
    """
    return {"regression": 20, "gaussians": 30, "letters": 40}[name] + (
        0 if name == "letters" else simulation
    )


def curves_of(name):
    """Return the curves of all figures of a problem, each once.

    Parameters
    ----------
    name : {"regression", "gaussians", "letters"}
    """
    found = {}
    for figure in FIGURES.values():
        of = (
            {panel.problem for panel in figure.panels}
            if isinstance(figure, Figure)
            else {"letters"}
        )
        if name in of:
            found |= {label(curve): curve for curve in figure.curves}
    return list(found.values())


def studied(curve, n_samples):
    """Return a curve's procedure with its splits.

    Parameters
    ----------
    curve : Curve
    n_samples : int
        Rows of a data set.
    """
    test = _TESTS[curve.procedure]
    auxiliary = None
    cv = splitter(curve.sizes, n_samples, curve.n_splits)
    if curve.procedure == "holdout_t":
        test, cv = test(law=curve.law), splitter(curve.sizes, n_samples, 1)
    elif curve.procedure == "five_by_two_cv_t":
        test, cv = test(), RepeatedTwoFold(5)
    elif curve.procedure == "conservative_z":
        test, n_test = test(n_pairs=curve.n_pairs), HALF_SAMPLE.of(n_samples)[1]
        auxiliary = HalfSplitPairs(curve.n_pairs, curve.n_splits, test_size=n_test)
    elif "bootstrap" in curve.procedure:
        replicates = curve.n_replicates + 1
        test, cv = test(), splitter(curve.sizes, n_samples, curve.n_splits, replicates)
    else:
        test = test()
    return StudiedProcedure(test=test, cv=cv, auxiliary=auxiliary, label=label(curve))


def splitter(sizes, n_samples, n_splits, n_replicates=None):
    """Return the splits of a design, inside one fixed pool of as many rows as it uses.

    Parameters
    ----------
    sizes : Sizes
    n_samples, n_splits : int
    n_replicates : int, default=None
    """
    n_train, n_test, _ = sizes.of(n_samples)
    return RepeatedSubsampleSplit(
        n_splits, n_replicates=n_replicates, train_size=n_train, test_size=n_test, pool="fixed"
    )


def study(name, simulation, *, store=None, data_sets, n_jobs=1):
    """Run, or read, some data sets of a simulation.

    Parameters
    ----------
    name : {"regression", "gaussians", "letters"}
    simulation : int
    store : path-like, default=None
        The file of the results of this simulation.
    data_sets : iterable of int
    n_jobs : int, default=1

    Returns
    -------
    SimulationResult
        As losses.
    """
    problem = PROBLEMS[name][simulation]
    learners = problem.learners
    if type(learners["A"]) is DevianceTree:
        learners["A"] = RememberedTree(**learners["A"].get_params())
    n = problem.n_samples
    return simulate(
        problem,
        learners,
        [studied(curve, n) for curve in curves_of(name)],
        designs=[
            *(splitter(sizes, n, N_SPLITS) for sizes in (EVEN, THROWN_AWAY, USUAL)),
            HalfSplitPairs(N_PAIRS, N_SPLITS_OF_PAIRS, test_size=HALF_SAMPLE.of(n)[1]),
        ],
        scoring="neg_mean_squared_error" if name == "regression" else ZERO_ONE,
        data_sets=data_sets,
        random_state=root_of(name, simulation),
        records=predicted,
        store=store,
        n_jobs=n_jobs,
    ).as_losses()


def truth_of(name, simulation, n_train):
    """Return the true values of the hypotheses where they are known: for the regression.

    Parameters
    ----------
    name : {"regression", "gaussians", "letters"}
    simulation, n_train : int

    Returns
    -------
    dict of str to float, or None
    """
    if name != "regression":
        return None
    return expected_errors(PROBLEMS[name][simulation], n_train)
