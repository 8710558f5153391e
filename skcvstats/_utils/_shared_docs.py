"""What several docstrings say, written once: the entries below.

``{Parameters: null_value, alternative}`` in a docstring stands for that section with these entries,
``{shared: alternative}`` for an entry among others. An entry is called by its first word, or by
what stands before ``=``. A room's ``__init__`` puts the texts into the docstrings of its room.

null_value : float, default=0.0
    The value under test.
alternative : {"two-sided", "less", "greater"}, default="two-sided"
    Where the true value (of a difference, first minus second) lies if not at the null value.
alternative to 0 = alternative : {"two-sided", "less", "greater"}, default="two-sided"
    Of the test against 0.
alternative or None = alternative : {"two-sided", "less", "greater"}, default=None
    Of each difference. None is two-sided, or that of a procedure given as `method`.
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
    The axis of the splits.
test result = CVTestResult
    Its numbers have the leading shape of `x`.
not finite = ValueError
    If a score is not finite.
level = confidence_level : float, default=0.95
    Of the intervals.
own level = confidence_level : float, default=None
    Of the intervals. None is that of this result, by default 0.95.
verdict level = confidence_level : float, default=0.95
    Of the intervals; verdicts are at the level 1 minus it. See `with_confidence` of the result.
new level = confidence_level : float
    Strictly between 0 and 1: of the intervals; verdicts are at the level 1 minus it.
notes : tuple of Note, default=()
    What a reader should know.
warned : tuple of Note, default=()
    The notes that were given as warnings when this was made. Printed, it names them by their
    codes and does not repeat their sentences: see `notes`.
asked : bool, default=True
    Whether the p-value answers a question: False for one estimator's score against 0 if no null
    value was given. Texts and reports then leave it out.
origin : object, default=None
    The procedure, the splits and the scores, which `Procedure.run` adds.
estimate : float or ndarray
    The estimated expected score (or difference of scores) at training size `n_train`.
margin : float or pair of float, default=None
    The largest difference that does not matter, in the metric's unit, chosen before you see the
    scores: from -margin to margin, or the two bounds low < 0 < high. Verdicts then also say
    whether models are equivalent, not worse, or better by more than it. There is no default.
legend : bool, default=True
    Whether `plot` adds one.
ax : matplotlib Axes or array-like of Axes, default=None
    Where to draw, one axes for each panel; None makes a new figure.
one ax = ax : matplotlib Axes, default=None
    Where to draw; None makes a new figure.
display = Display
    Of this class. Nothing is drawn yet: its `plot` does that.
drawn = ax_, figure_ : matplotlib Axes and Figure
    Where it is drawn.
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
    Rows of one group (a patient, a site) stay together in the splits that are drawn here; a `cv`
    must see to it, as GroupKFold does. Sizes then count groups, which are the units.
groups of splits = groups : array-like of shape (n_samples,), default=None
    Groups that the splits keep together; sizes then count groups.
params : dict, default=None
    Passed to every ``fit`` (arrays of one entry a row are split), or routed if that is enabled.
n_jobs : int, default=None
    Number of jobs over all fits, as in joblib; ``joblib.parallel_config`` chooses the backend. The
    scores depend on neither. Inside worker threads an estimator's own ``n_jobs`` has no effect: the
    cores are in use. The multiprocessing backend becomes loky, with a warning.
verbose : int, default=0
    1 shows a progress bar of the fits, and says how many of them the store has.
store : path-like, default=None
    A file in which finished fits are saved. Fits that it has of the same estimators, data, splits
    and metrics are not done again, so a call that was killed can continue, and further splits or
    estimators cost only their own fits. See the Notes of `compare_estimators`.
reseed : bool, default=False
    True gives every ``random_state`` of the estimators, those of their parts included, another
    integer in every fit. The integer is drawn from `random_state`, the rows of the split and the
    estimator's name, so the same call gives the same scores. A fixed seed is the same in all
    splits: then a difference may be that of two seeds. So where it is False, `compare_estimators`
    fits an estimator with a ``random_state`` once more on the first split, with another state, if a
    fit takes less than 10 ms, and a note names those whose predictions differ, and those that were
    not varied. This fit gives no score, and the progress bar does not count it.
random_state : int, RandomState instance or None, default=0
    Seeds the splits that are drawn here: those of ``cv=None`` and the auxiliary ones that `method`
    asks for, and with `reseed` the fits.
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
"""

import re
from collections.abc import Mapping
from inspect import isclass, isfunction
from typing import Any

_PLACE = re.compile(r"^( *)\{(shared|[A-Z][A-Za-z ]+): (.*)\}$", re.MULTILINE)
_ENTRY = re.compile(r"^(?:(.*?) = )?((\S+).*(?:\n +.*)*)", re.MULTILINE)
_TEXTS = {
    name or word: text for name, text, word in _ENTRY.findall((__doc__ or "").rpartition("\n\n")[2])
}


def share_docstrings(room: Mapping[str, Any]) -> None:
    """Put the shared texts into the docstrings of a room's functions, classes and methods."""
    found = [one for thing in room.values() for one in getattr(thing, "__mro__", (thing,))]
    classes = [
        one for one in dict.fromkeys(filter(isclass, found)) if one.__module__[:9] == "skcvstats"
    ]
    members = (getattr(own, "__func__", own) for one in classes for own in vars(one).values())
    for documented in (*classes, *filter(isfunction, (*found, *members))):
        text = documented.__doc__
        if text and "}\n" in text and _PLACE.search(text):
            documented.__doc__ = _filled(text)


def _filled(docstring: str) -> str:
    lines: list[str] = []
    for line in docstring.split("\n"):
        if (place := _PLACE.match(line)) is None:
            lines.append(line)
            continue
        indent, section, names = place.groups()
        if section != "shared":
            lines += [""] * bool(lines[-1].strip())
            lines += [indent + section, indent + "-" * len(section)]
        lines += [
            indent + entry for name in names.split(", ") for entry in _TEXTS[name].split("\n")
        ]
    return "\n".join(lines)
