"""compare_trials: a verdict on the trials of a finished Optuna study; nothing is refitted.

Notes
-----
Studies and trials are recognised by their attributes, so Optuna is not imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import listed, one_line
from .._utils._text import counted
from ..comparison import ComparisonResult
from ..exceptions import AnticonservativeWarning
from ..scores import UNVERIFIED_PAIRING, CVScores, Note, SplitDesign
from ..splitters import check_data, to_splitter
from ..stats import Procedure, get_procedure
from ._candidates import candidate_labels, matching_label
from ._chosen import Choice, check_several, compare_chosen
from ._replay import require_no_more

_COMPLETE, _FAILED, _PRUNED = "COMPLETE", "FAIL", "PRUNED"
# Relative difference by rounding, between the value of a trial and the mean of its scores.
_ROUNDING = 1e-6


def compare_trials(
    study: Any,
    X: Any = None,
    y: ArrayLike | None = None,
    *,
    cv: Any = None,
    groups: ArrayLike | None = None,
    design: SplitDesign | None = None,
    key: str = "scores",
    metric: str = "score",
    method: str | Procedure = "corrected_resampled_t",
    reference: str | None = "best",
    top: int | None = None,
    alternative: str | None = None,
    adjustment: str = "auto",
    margin: Any = None,
    confidence_level: float = 0.95,
) -> ComparisonResult:
    """Compare the trials of an Optuna study on the scores that its objective stored.

    Nothing is fitted. The objective stores the score of each split, the same splits in every trial:
    ``trial.set_user_attr("scores", scores.tolist())``.

    Parameters
    ----------
    study : optuna.Study
        Finished, with one objective.
    X, y : array-like of shape (n_samples, ...), default=None
        The data that `cv` split; not needed with `design`.
    cv : splitter or list of (train, test) pairs, default=None
        What split the data in every trial, with a seed.
    groups : array-like of shape (n_samples,), default=None
        The groups that the splitter was given. Sizes then count groups.
    design : SplitDesign, default=None
        The splits, in the place of the data and `cv`.
    key : str, default="scores"
        The user attribute that holds the scores of a trial, one for each split, in the direction of
        the study: where it minimizes, smaller is better. They are then negated here, and the metric
        is called ``neg_`` and its name.
    metric : str, default="score"
        What the scores measure.
    method : str or Procedure, default="corrected_resampled_t"
        One of `get_procedure_names()` that needs no auxiliary splits, or a procedure with its
        options.
    reference : str or None, default="best"
        ``"best"`` compares the others with the trial of the highest mean score. A label, such as
        ``"#12 C=1, gamma=0.1"``, or its number or its parameters alone, compares with that one;
        None compares all pairs.
    top : int, default=None
        Compare only this number of trials, those with the highest mean scores, and the reference.
        ``result.best_set()`` and ``result.ranking()`` are of all finished trials nevertheless.
    alternative : {"two-sided", "less", "greater"}, default=None
        Of the difference; see `compare_scores`.
    adjustment : {"auto", "max_t", "bonferroni", "holm", "hochberg", "bh", "by", "none"}, \
            default="auto"
        How to adjust for the number of comparisons; see `compare_scores`.
    margin : float or pair of float, default=None
        The largest difference that does not matter, chosen beforehand; see `compare_scores`.
    confidence_level : float, default=0.95
        Of the intervals; verdicts are at the level 1 minus it.

    Returns
    -------
    ComparisonResult
        The trials are labelled by their number in the study and the parameters that differ between
        them.

    Raises
    ------
    SplitDesignError
        If the sizes of the splits cannot be known, or `cv` draws other splits each time.
    FitError
        If fewer than two trials have all their scores, or the reference lacks some.
    ValueError
        If finished trials have no scores, or not one for each split, or have them with the other
        sign than their values; or if the study has several objectives, or one finished trial only.

    Warns
    -----
    AnticonservativeWarning
        If the reference is the best on these same scores, if `top` leaves trials out, and if trials
        were pruned.
    SplitDesignWarning
        Where the splits make the inference weak or doubtful.
    FitFailedWarning
        If trials are left out because they failed, or a score of theirs is missing.

    See Also
    --------
    compare_candidates : The same for searches of scikit-learn.

    Notes
    -----
    The notes of `compare_candidates` hold here too: the best trial's own score is optimistic, and
    ``result.best_set()`` names the trials that could be the best. Samplers such as TPE also choose
    the parameters of a trial by the scores of those before it, on the same splits. The tests assume
    that the trials were chosen beforehand, so later ones are favoured.

    Pruned trials were stopped because of their scores on some of the splits. They are left out, and
    nothing is concluded about them. Whether all trials had the same splits is not stored; the
    result notes that their pairing is not verified.

    Examples
    --------
    With Optuna, which does not come with this package:

    >>> import optuna  # doctest: +SKIP
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from skcvstats import RepeatedSubsampleSplit, compare_trials, cross_val_score
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = RepeatedSubsampleSplit(15, random_state=0)
    >>> def objective(trial):
    ...     model = SVC(C=trial.suggest_float("C", 0.01, 100, log=True))
    ...     scores = cross_val_score(model, X, y, cv=cv)
    ...     trial.set_user_attr("scores", scores.tolist())
    ...     return scores.mean()
    >>> study = optuna.create_study(direction="maximize")  # doctest: +SKIP
    >>> study.optimize(objective, n_trials=20)  # doctest: +SKIP
    >>> result = compare_trials(study, X, y, cv=cv, metric="accuracy")  # doctest: +SKIP
    """
    sign = _sign(study)
    trials = {state: _in_state(study, state) for state in (_COMPLETE, _FAILED, _PRUNED)}
    compared = sorted([*trials[_COMPLETE], *trials[_FAILED]], key=lambda trial: trial.number)
    params_of = [trial.params for trial in compared]
    if not trials[_COMPLETE]:
        raise ValueError(
            f"The study has no finished trials among its {len(study.trials)}, so there is nothing "
            "to compare. Run study.optimize(objective, n_trials=...) first."
        )
    check_several(params_of, "The study")
    labels = candidate_labels(params_of, [trial.number for trial in compared])
    test = get_procedure(method, alternative=alternative)
    design = _design(design, X, y, cv, groups)
    require_no_more(test, design, who="compare_trials")
    values = _values(compared, key, design.n_splits)
    _check_signs(compared, values, key, sign)
    name = metric if sign > 0 else f"neg_{metric}"
    scores = CVScores(
        values=sign * values,
        design=replace(design, digests=None, seed=None),  # it is the user's word
        labels=labels,
        metric=name,
        notes=(UNVERIFIED_PAIRING,),
    )
    return compare_chosen(
        {name: scores},
        test,
        Choice(matching_label(reference, labels), adjustment, top, confidence_level, margin),
        params_of,
        scoring=f"{metric}, by the objective of the study",
        write=one_line,
        notes=_left_out(study, len(trials[_PRUNED]), len(compared)),
        again="run the study again",
    )


def _sign(study: Any) -> int:
    """Return 1 for a study that maximizes, -1 for one that minimizes."""
    directions = getattr(study, "directions", None)
    if directions is None or not hasattr(study, "trials"):
        raise TypeError(
            f"study is a {type(study).__name__}; pass an optuna.Study, such as "
            "optuna.load_study(study_name=..., storage=...)."
        )
    if len(directions) > 1:
        raise ValueError(
            f"The study has {len(directions)} objectives, and trials are compared in one. Compare "
            "each with compare_scores(scores, design=...), a mapping from names of trials to their "
            "scores."
        )
    return -1 if directions[0].name == "MINIMIZE" else 1


def _in_state(study: Any, state: str) -> list[Any]:
    return [trial for trial in study.trials if trial.state.name == state]


def _design(design: SplitDesign | None, X: Any, y: Any, cv: Any, groups: Any) -> SplitDesign:
    """Return the splits of the trials."""
    if design is not None:
        if any(given is not None for given in (X, y, cv, groups)):
            raise ValueError("Pass either the data (X, y, cv, groups) or design=, not both.")
        if not isinstance(design, SplitDesign):
            raise TypeError(
                f"design={design!r} must be a SplitDesign, for example "
                "SplitDesign.from_splitter(cv, X, y)."
            )
        return design
    if X is None or cv is None:
        raise ValueError(
            "A study does not keep its splits. Pass the data and what split them, "
            "compare_trials(study, X, y, cv=...), or design=SplitDesign.from_sizes(...)."
        )
    if isinstance(cv, type) or not (hasattr(cv, "split") or isinstance(cv, Sequence)):
        raise ValueError(
            f"cv={cv!r} must be the splitter of the objective, such as KFold(5) or "
            "RepeatedSubsampleSplit(15, random_state=0), or its list of (train, test) pairs."
        )
    X, y, groups = check_data(X, y, groups)
    return SplitDesign.from_splitter(to_splitter(cv, y, classifier=False), X, y, groups)


def _values(trials: Sequence[Any], key: str, n_splits: int) -> np.ndarray:
    """Return the scores of each trial as they were stored, nan in those that failed."""
    finished = [trial for trial in trials if trial.state.name == _COMPLETE]
    without = [f"#{trial.number}" for trial in finished if key not in trial.user_attrs]
    if without:
        known = dict.fromkeys(name for trial in finished for name in trial.user_attrs)
        there = f" Their attributes are {listed(known)}; choose one with key=." if known else ""
        raise ValueError(
            f"{len(without)} of {counted(len(finished), 'finished trial')} without {key!r} in "
            f"their user_attrs: {listed(without)}.{there} The value of a trial is a mean, which "
            "does not say how much the splits differ. Store their scores in the objective, "
            f"trial.set_user_attr({key!r}, scores.tolist()), and run it again."
        )
    missing = np.full(n_splits, np.nan)
    rows = (
        _row(trial, key, n_splits) if trial.state.name == _COMPLETE else missing for trial in trials
    )
    return np.array(list(rows))


def _row(trial: Any, key: str, n_splits: int) -> np.ndarray:
    """Return the scores of a finished trial."""
    stored = trial.user_attrs[key]
    wanted = "store one number for each split, trial.set_user_attr(key, scores.tolist())"
    if isinstance(stored, (str, Mapping)):
        raise ValueError(f"The {key!r} of trial {trial.number} is {stored!r}; {wanted}.")
    try:
        row = np.asarray(stored, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"The {key!r} of trial {trial.number} is {stored!r}, not numbers; {wanted}."
        ) from error
    if row.shape != (n_splits,):
        raise ValueError(
            f"The {key!r} of trial {trial.number} has shape {row.shape}, but there are "
            f"{counted(n_splits, 'split')}; {wanted}, and pass what split the data in all trials."
        )
    return row


def _check_signs(trials: Sequence[Any], values: np.ndarray, key: str, sign: int) -> None:
    """Raise ValueError if scores have the opposite sign of the value, which is their mean."""
    direction = "maximizes" if sign > 0 else "minimizes"
    for trial, mean in zip(trials, values.mean(axis=1), strict=True):
        if trial.value is None or not np.isfinite(mean) or mean == 0:
            continue
        if abs(trial.value + mean) <= _ROUNDING * abs(mean):
            raise ValueError(
                f"The mean of the {key!r} of trial {trial.number} is {mean:.6g}, and its value is "
                f"{trial.value:.6g}, with the other sign. The study {direction}: store the scores "
                "that the value is the mean of."
            )


def _left_out(study: Any, n_pruned: int, n_compared: int) -> Iterable[Note]:
    """Return what to say about the trials that are not compared."""
    if n_pruned:
        text = (
            f"{counted(n_pruned, 'pruned trial')} left out, for their scores on some splits; "
            "p-values are adjusted for the comparisons that were made, not for the choice"
        )
        yield Note("pruned trials", text, AnticonservativeWarning)
    unfinished = len(study.trials) - n_pruned - n_compared
    if unfinished:
        yield Note("unfinished trials", f"{counted(unfinished, 'unfinished trial')} left out", None)
