"""What several docstrings say, written once: the entries below.

``{Parameters: null_value, alternative}`` in a docstring stands for that section with these entries,
which others may follow, and ``{shared: alternative}`` for an entry further on. An entry is called
by its first word, or by what stands before ``=``. A room's ``__init__`` puts the texts into the
docstrings of its room.

null_value : float, default=0.0
    The value under test.
alternative : {"two-sided", "less", "greater"}, default="two-sided"
    Where the true value (of a difference, first minus second) lies if not at the null value:
    ``"greater"`` is above it.
alternative to 0 = alternative : {"two-sided", "less", "greater"}, default="two-sided"
    Of the test against 0.
alternative or None = alternative : {"two-sided", "less", "greater"}, default=None
    Where the true value (of a difference, first minus second) lies if not at the null value. None
    is two-sided, or that of a procedure given as `method`.
null_values = null_value : float or array-like, default=0.0
    The value under test, or one for each leading index of `x`.
scores x = x : array-like of shape (..., n_splits)
    Scores of one estimator, or differences of the scores of two on the same splits.
replicates x = x : array-like of shape (..., n_replicates, n_splits)
    Scores of one estimator, or differences of the scores of two on the same splits. The
    first replicate gives the estimate, the others its variance.
sizes = n_train, n_test : int or sequence of int
    Training and test size of the splits: one number, or one for each split.
size = n_train, n_test : int
    Training and test size of the splits.
n_samples : int, default=None
    The number of rows that the splits were drawn from. None is n_train + n_test; where a split
    leaves rows out, as ``ShuffleSplit(train_size=0.5, test_size=0.1)`` does, it must be given.
axis : int, default=-1
    The axis of the splits in `x`.
test result = CVTestResult
    Its numbers have the leading shape of `x`.
not finite = ValueError
    If a score is not finite, or scores are out of the range from 1e-100 to 1e100 in size.
level = confidence_level : float, default=0.95
    Of the intervals.
own level = confidence_level : float, default=None
    Of the intervals. None is that of this result, by default 0.95.
verdict level = confidence_level : float, default=0.95
    Of the intervals; verdicts are at the level 1 minus it. See `with_confidence` of the result.
full = full : bool, default=False
    Whether to return all columns, not only those that most readers want.
new level = confidence_level : float
    Strictly between 0 and 1: of the intervals; verdicts are at the level 1 minus it.
notes : tuple of Note, default=()
    What a reader should know.
warned : tuple of Note, default=()
    The notes that were given as warnings when this was made. Printed, it names them by their
    codes and does not repeat their sentences: see `notes`.
reporting : object, default=Reporting()
    How it is shown, which changes none of its numbers: ``asked``, whether the p-value answers a
    question, False for one estimator's score against 0 if no null value was given, so that texts
    and reports leave it out; ``confidence_level`` of the intervals, by default 0.95, where verdicts
    are at the level 1 minus it (see `with_confidence`); and ``warned``, the notes that were given
    as warnings when it was made, which the printed result names by their codes. The result has all
    three as attributes too.
origin : object, default=None
    The procedure, the splits and the scores, which `Procedure.run` adds.
estimate : float or ndarray
    The estimated expected score (or difference of scores) at training size `n_train`.
margin : float or pair of float, default=None
    The largest difference that does not matter, in the metric's unit (or the loss's), chosen before
    you see the scores: from -margin to margin, or the two bounds low < 0 < high. Verdicts then also
    say whether models are equivalent, not worse, or better by more than the margin. There is no
    default.
legend : bool or "full", default=True
    Whether `plot` adds one: two lines with names that may be cut, or ``"full"`` all that a
    statistician may ask.
ax : matplotlib Axes or array-like of Axes, default=None
    Where to draw, one axes for each panel; None makes a new figure. In a figure of yours without a
    layout, matplotlib's tight layout makes room for names and legends, once.
one ax = ax : matplotlib Axes, default=None
    Where to draw; None makes a new figure. In a figure of yours without a layout, matplotlib's
    tight layout makes room for labels and the legend, once.
legend of plot = legend : bool or "full", default=None
    Whether to add one below the axes, where it has room, and in full; None is that of the display.
interval_kwargs : dict, default=None
    Matplotlib's properties of the intervals, over our own.
line_kwargs : dict, default=None
    Matplotlib's properties of the lines that the class names under Attributes, over our own.
mark_kwargs : dict, default=None
    Matplotlib's properties of the marks, over our own.
itself = Display
    The display itself, with its attributes set.
no matplotlib = ImportError
    If matplotlib is not installed.
bad drawing = TypeError, ValueError
    If `ax` is something else, or not one axes for each panel, or properties are no dict.
display = Display
    Of this class. Nothing is drawn yet: its `plot` does that.
drawn = ax_, figure_ : matplotlib Axes and Figure
    Where it is drawn.
curves = axes_, ax_, figure_ : ndarray of matplotlib Axes, Axes and Figure
    One panel; in a new figure with more than four curves one for each; the first, and the figure.
panels = axes_, ax_, figure_ : ndarray of matplotlib Axes, Axes and Figure
    The panels, one for each metric; the first of them, and the figure.
legend_ : matplotlib Legend or None
    What the lines and marks mean.
intervals_ : list of matplotlib Line2D or None
    The interval of each row, with ``interval_kwargs``; None where there is none.
metric to show = metric : str, default=None
    Which metric; None shows all.
compared = result : ComparisonResult
    What `compare_estimators` or `compare_scores` returned.
display options = **kwargs : object
    Options of the display's ``from_result``, such as ``margin`` or ``metric``, and of its ``plot``,
    such as ``line_kwargs``.
X : array-like of shape (n_samples, ...)
    The data: an array, frame, sparse matrix or list; for kernel methods a precomputed matrix of
    shape (n_samples, n_samples).
y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
    The target.
by of comparisons = by : array-like of shape (n_rows,), default=None
    The slice of each row, such as its language or country: the models are also compared in each
    slice, and it is tested whether the difference depends on it. See ``result.slices_differ()``,
    ``result.by_slice()`` and ``result.no_slice_worse()``.
by of scores = by : array-like of shape (n_rows,), default=None
    The slice of each row, such as its region: ``result.by_slice()`` has the score in each slice,
    and its difference from all other rows.
test X = X : array-like of shape (n_rows, n_features), default=None
    The test rows, for estimators.
y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
    The target of the test rows.
sample_weight : array-like of shape (n_rows,), default=None
    Weights of the rows; only their ratios matter.
row groups = groups : array-like of shape (n_rows,), default=None
    The group of each row, such as its patient, site, document or prompt, if rows of one group
    depend on each other.
groups : array-like of shape (n_samples,), default=None
    Rows of one group (a patient, a site) stay together in the splits that are drawn here; `cv` must
    keep groups together, as GroupKFold does. Sizes then count groups, which are the units.
groups of splits = groups : array-like of shape (n_samples,), default=None
    Groups that the splits keep together; sizes then count groups.
params : dict, default=None
    Passed to every ``fit`` (arrays of one entry a row are split), or routed if that is enabled.
n_jobs : int, default=None
    Number of jobs over all fits, as in joblib; ``joblib.parallel_config`` chooses the backend. The
    scores depend on neither. Inside worker threads an estimator's own ``n_jobs`` has no effect: the
    cores are in use. The multiprocessing backend becomes loky, with a warning.
verbose : int, default=0
    1 shows a progress bar of the fits, and of max-t where it takes more than two seconds, and
    reports fits found in the store.
store : path-like, default=None
    A file in which finished fits are saved. Fits that it has of the same estimators, data, splits
    and metrics are not done again, so a call that was killed can continue, and further splits or
    estimators cost only their own fits. See the Notes of `compare_estimators`.
fresh_seeds : bool, default=False
    True gives every ``random_state`` of the estimators, those of their parts included, another
    integer in every fit. The integer is drawn from `random_state`, the rows of the split and the
    estimator's name, so the same call gives the same scores. A fixed seed is the same in all
    splits: then a difference may be due to seeds. So where it is False, a note of the result, which
    is not printed, names the estimators that draw at random from a fixed ``random_state``.
random_state : int, RandomState instance or None, default=0
    Seeds the splits that are drawn here: those of ``cv=None`` and the auxiliary ones that `method`
    asks for, and with `fresh_seeds` the fits.
split seed = random_state : int, RandomState instance or None, default=None
    Controls the splits. Pass an int for the same splits at every call.
variance : {"jackknife", "sandwich"}, default="jackknife"
    How the variance of a mean is estimated from the groups: ``"jackknife"`` leaves out one at a
    time, ``"sandwich"`` is the usual cluster-robust estimate, which is too small where groups are
    very unequal.
comparison result = ComparisonResult
    ``print`` gives the verdicts, ``to_frame`` the table.
interval = ConfidenceInterval
    ``(low, high)``; one-sided where the alternative is.
unpaired = PairingError
    If the numbers of rows differ, or series and frames are not of the same rows.
test alpha = alpha : float, default=0.1
    The level of the tests, and 1 minus that of the intervals.
truth : mapping of str to float, default=None
    As in `true_values`.
n_comparisons : int, default=1
    The size of the family: each comparison is planned at the level divided by this number.
json text = text : str or bytes
    JSON text.
max_bytes : int, default=268435456
    The largest text or file that is read.
JSON = str
    JSON, without nan or infinities as bare words.
words = str
    Without a full stop.
file = path : str or Path
    The file.
auxiliary sample = auxiliary : Sample, default=None
    Those on the auxiliary splits.
sample : Sample
    Complete scores of shape (..., n_splits) on splits that `require` has let pass.
splits = design : SplitDesign
    The splits.
auxiliary splits = auxiliary : SplitDesign, default=None
    The auxiliary splits, of a procedure that has some.
label and metric = label, metric : str
    What was measured.
result alternative = alternative : {"two-sided", "less", "greater"}
    Where the true value lies if not at the null value.
no jinja2 = ImportError
    If jinja2 is not installed.
n_more : int, default=0
    Estimators, or comparisons, that there are besides these, for the legend.
moment = parameter : {"mean", "variance", "correlation"}
    Which moment.
nadeau1999 = .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
   CIRANO 99s-25, 1999.
dietterich1998 = .. [1] T. G. Dietterich, "Approximate Statistical Tests for Comparing
   Supervised Classification Learning Algorithms", Neural Computation 10, 1895-1923, 1998.
number of splits = n_splits : int
    Number of splits.
adjustment : {"auto", "max_t", "bonferroni", "holm", "hochberg", "bh", "by", "none"}, \
        default="auto"
    How to adjust for the number of comparisons, within each metric; of several metrics the first
    is the primary one. ``"max_t"`` and
    ``"bonferroni"`` adjust p-values and intervals, so that verdicts and intervals agree at every
    level; the others adjust p-values only, and their intervals are unadjusted. ``"auto"`` is
    ``"max_t"`` where the procedure knows the covariance of its estimates, else ``"holm"``; the
    result's ``adjustment`` says which. An undetermined comparison, whose difference does not vary,
    counts as one with p = 1, and tables leave out its p-values and interval.
reference : str, default=None
    None compares all pairs: the better minus the worse; a one-sided `alternative` needs a
    reference. A name compares every other estimator with that one, as the other minus the
    reference. ``"best"`` takes the one with the highest mean score, which makes p-values too
    small, and warns.
scoring : str, callable, list, tuple or dict, default=None
    The metric or metrics, as in scikit-learn; greater is better. None is accuracy if all
    estimators are classifiers and r2 if all are regressors. ``method="row_t"`` takes any
    metric that scikit-learn names, or that ``make_scorer`` makes of a function of the target
    and the predictions, but max_error; ``"holdout_t"`` needs one that is a mean over rows,
    and None is neg_mean_squared_error for regressors then.
cv : None, int, splitter or iterable of splits, default=None
    None draws the splits that `method` asks for: for the row t-test 5 folds, 4 times; for the
    corrected resampled t-test 15 random splits with a tenth of the rows to test on; both
    stratified if all estimators are classifiers. ``"auto"`` draws 5 folds, 4 times, whatever the
    metrics. For more splits or other sizes pass a splitter, such as
    ``RepeatedStratifiedKFold(n_splits=10, n_repeats=3)`` or
    ``RepeatedSubsampleSplit(50, test_size=0.2)``; random splits make ``"auto"`` the corrected
    resampled t-test. An int is k-fold, stratified if all estimators are classifiers.
    Further splits that `method` asks for are drawn in any case, and all are fitted in one pool.
method : str or Procedure, default="auto"
    The procedure. ``"auto"`` is the row t-test where the splits are k-fold, repeated or not,
    for each metric that is a mean over rows, as accuracy, log loss and squared errors are, and
    for AUC, F1, R2 and others that were measured; else the corrected resampled t-test on the
    same splits. Each metric gets what it would get alone. It is chosen before the first fit, and
    notes say why. Or one of `get_procedure_names()`, or an instance with its own options, such as
    ``CorrectedResampledTTest(null_value=-0.01, alternative="greater")``.
unsuitable cv = SplitDesignError
    If `cv` does not suit the procedure, or a metric that is given by its name is not defined on
    some test sets, such as f1 on one without a positive. Nothing has been fitted then.
weak splits = SplitDesignWarning
    Where the splits make the inference weak or doubtful; also in the notes of the result.
drawn display = Display
    With its attributes set: ``figure_``, ``ax_`` and others.
same key = ValueError
    If two names give the same key.
few replicates = SplitDesignError
    If there are fewer than 3 replicates.
same type = Self
    This one is not changed.
metrics = scoring : str, callable, list, tuple or dict
    The name of a metric of scikit-learn, what `make_scorer` makes, or a function
    ``metric(y_true, y_pred)`` of labels or values; greater is better. Or several of these, or a
    dict from names to them. Each has a procedure of its own; p-values of comparisons
    are adjusted within each.
threshold : float, default=None
    Where a metric needs labels of two classes, predictions that are probabilities of the second
    class, or decision values, count as this class from `threshold` on. So one array serves
    accuracy and log loss. Labels, and what estimators predict, stay as they are.
response : {"auto", "scores"}, default="auto"
    What a function of yours takes: ``"auto"`` is labels or values, ``"scores"`` the decision values
    or the probabilities of the second class, as for a sensitivity at a specificity.
metric_params : dict, default=None
    What a function of yours takes for each row besides target and prediction, as
    ``{"amount": amount}`` for ``f(y_true, y_pred, amount)``, or for a scorer that requests it.
n_resamples : int, default=None
    Samples of the bootstrap, at least 2000; None is 2000. It is refused, as `stratify` is, where
    no metric is resampled.
bootstrap strata = stratify : bool, default=False
    Whether the bootstrap draws rows (or groups, where each is of one class) within classes.
bootstrap seed = random_state : int, RandomState instance or None, default=0
    Seeds the bootstrap, and the random blocks of rows that the jackknife leaves out.
bootstrap jobs = n_jobs : int, default=None
    Workers of the bootstrap and the jackknife, as in joblib; the numbers are the same for any.
bootstrap verbose = verbose : int, default=0
    1 shows the progress of a bootstrap or a jackknife.
time : array-like of shape (n_rows,), default=None
    The time of each row, dates or numbers, in any order. Rows may then depend on those near in
    time, and `DieboldMarianoTest` compares the models in the period of these times. None takes the
    dates of an index (a ``DatetimeIndex``) if there are 20 or more, and no groups or weights.
long frame = rows, models, values, runs : str, default=None
    The names of columns, where what is compared is a long frame with a line for each row and model:
    of the row, the model, what is given for it, and of its run if models were run several times.
missing_rows : {"raise", "drop"}, default="raise"
    What to do about rows that a model lacks, by the index of what is given for it or because they
    are missing: an error, or leave them out for all models. Then a note has the coverage of each
    model, the share of the rows that it has; below 0.9 it is a warning.
model reference = reference : str, default=None
    The name of the model to compare the others with, ``"best"`` for the one with the highest
    score, or the lowest mean loss, or None for all pairs.
model alternative = alternative : {"two-sided", "less", "greater"}, default="two-sided"
    Of the difference of scores, each minus the reference, which one-sided alternatives need.
    ``"greater"``: the first is better, which is the lower expected loss.
holdout hypotheses = hypotheses : {"refitted", "fixed"}, default="refitted"
    ``"refitted"``: the question is about the learning algorithms; the test is then
    anticonservative, and warns. ``"fixed"``: it is about the models that this split gave.
hypotheses : {"refitted", "fixed"}, default="refitted"
    ``"refitted"``: models were fitted again on each split, and the question is about the learning
    algorithms. ``"fixed"``: the same fitted models were tested on disjoint test sets of at least 30
    rows that they were not trained on; scores are then independent, and the test is valid.
law : {"normal", "t"}, default="normal"
    What the statistic is referred to: the normal distribution, as in the report, or Student's with
    one degree of freedom less than test rows, as in the conference paper.
variant : {"dietterich", "t4", "t5"}, default="dietterich"
    Dietterich's statistic, whose numerator is the first split alone and not independent of its
    denominator, or one of the report's two repairs: ``"t4"`` leaves the first pair out of the
    denominator, ``"t5"`` takes the mean of the first pair as the numerator.
inflation : float, default=0.5
    What the training rows that models share add to the variance, as a share of that of one repeat.
    It cannot be estimated from one data set; 0.5 was chosen by measurement. Any other value, from 0
    to 1.5, is your assumption, and a note says so. 0 gives the plain interval, which is far too
    short. Values below 0.25, with which intervals miss in more than about 0.07 of data sets, give a
    warning.
correction : float, default=nan
    What the procedure's sample variance (see its Notes) was multiplied by to get the squared
    standard error.
mean sizes = n_train, n_test : float
    Training and test size of the splits (mean and harmonic mean where they differ).
given level = confidence_level : float
    Of the intervals.
alpha : float
    The level.
fixed : bool
    Whether the answer is about the models as they were fitted, not about models trained again.
measured = scores : CVScores, dict or RowTTestResult
    The scores of one estimator, or the difference of two; or what `cross_validate(...,
    return_indices=True)` returned. Or the result of a row t-test, such as ``result.tests[0]``.
rho : array-like of float, default=None
    Correlations of two splits' scores, each at least 0 and below 1, besides the one that the
    corrected resampled t-test assumes. None is a grid from 0 to 0.5, or on to three times the
    assumed one where that is more (at most to 0.95). Of the row t-test inflations, each at least 0;
    None is a grid from 0 to 1.5.
levels = levels, shape : tuple, default=None, ()
    The arrangement of the splits, where it should not be recognized from the indices; see
    `SplitDesign`.
compare_predictions : Fitted models on one test set, by any metric, with groups of rows.
mcnemar_exact_test : Two classifiers on one test set, exact and mid-p.
compare_estimators : From estimators and data to the verdict about learning algorithms.
cv_variance : From the moments of the scores to the variance of their mean.
SplitPlan.power : Its Notes have the assumptions.
plan_n_splits : What more splits of the same rows would bring.
HalfSplitPairs : Splits of the two halves of random half-samples.
RepeatedSubsampleSplit : Random splits of all rows, in replicates with ``n_replicates``.
simulate : Runs a study of procedures on data of your own making.
implied_correlation : From a variance of the mean score to the correlation of the splits.
cross_val_inference : The expected score of an estimator, with its interval and test.
skcvstats.theory.correlation_sensitivity : At which correlation or inflation the verdict changes.
error_rate_difference : Two models on two independent test sets.
CVTestResult.probabilities : Worse, equivalent or better.
CVTestResult.posterior : The distribution, and what it assumes.
conservative_variance : Half the mean square of half-sample differences.
compare_losses : From losses of single rows that were computed elsewhere.
compare_scores : From scores that exist already.
CVScores.from_cv_results : Reads the results of `cross_validate`.
ComparisonDisplay : The differences with their intervals.
compare_candidates : Compares the candidates of a finished search.
SignificanceRefit : Takes a cheaper candidate that is good enough; pass it as ``refit``.
CorrectedResampledTTest : The corrected test of the scores of splits, for any metric.
FiveByTwoCVTTest : The t-test of the same scores, with a direction and an interval.
"""

import re
from collections.abc import Mapping
from inspect import Signature, isclass, isfunction, signature
from textwrap import indent
from typing import Any

# What every display's `plot` takes, returns and raises.
_PLOT = re.compile(r"\{Plot: ((?:one )?ax), (.*)\}")
_OF_PLOT = """{Parameters: \\1, legend of plot, \\2}

        {Returns: itself}

        {Raises: no matplotlib, bad drawing}"""
# With the blank line before it, if there is one.
_PLACE = re.compile(r"\n(\n?)( *)\{(shared|[A-Z][A-Za-z ]+): (.*)\}$", re.MULTILINE)
_ENTRY = re.compile(r"^(?:(.*?) = )?((\S+).*(?:\n +.*)*)", re.MULTILINE)
_TEXTS = {
    name or word: text for name, text, word in _ENTRY.findall(str(__doc__).rpartition("\n\n")[2])
}


def share_docstrings(room: Mapping[str, Any]) -> None:
    """Put the shared texts into the docstrings of a room's functions, classes and methods."""
    classes = set[type]()
    for thing in filter(isclass, room.values()):
        classes.update(thing.__mro__)
    members = [
        getattr(member, "__func__", member) for kind in classes for member in vars(kind).values()
    ]
    for documented in (*classes, *filter(isfunction, (*room.values(), *members))):
        text = str(documented.__doc__)
        if "}\n" in text:
            documented.__doc__ = _PLACE.sub(_entries, _PLOT.sub(_OF_PLOT, text))
    for name in room.get("__all__", room):
        _show_signature(room[name])


def _show_signature(thing: Any) -> None:
    """Let help and notebooks show names and defaults; types are in the docstring."""
    function = vars(thing).get("__init__") if isclass(thing) else thing
    if isfunction(function):
        shown = [p.replace(annotation=p.empty) for p in signature(function).parameters.values()]
        shown.sort(key=lambda p: (p.kind, p.name == "legend"))  # of all displays, after their own
        function.__signature__ = Signature(shown)  # type: ignore[attr-defined]


def _entries(match: re.Match[str]) -> str:
    """Return the shared texts that a docstring names, under the heading of their section."""
    blank_line, margin, section, names = match.groups()
    entries = "\n".join([_TEXTS[name] for name in names.split(", ")])
    if section != "shared":
        blank_line = "\n"
        entries = f"{section}\n{'-' * len(section)}\n{entries}"
    return f"\n{blank_line}{indent(entries, margin)}"
