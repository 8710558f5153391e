"""Checks of arguments other than arrays, such as estimators, numbers and options."""

import difflib
import math
import re
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from functools import wraps
from numbers import Integral, Real
from typing import Any, NamedTuple, ParamSpec, TypeVar

from ._text import check_names, cut, first_of

_LINE_END = re.compile(r"\s*\n\s*")


def check_option(name: str, value: Any, options: Iterable[str], also: str = "") -> str:
    """Return `value` if it is one of the options, else raise an error that lists them."""
    options = list(options)
    hint = ""
    if isinstance(value, str):
        if value in options:
            return value
        option_by_lower = {option.lower(): option for option in options}
        close = difflib.get_close_matches(value.lower(), option_by_lower, n=1)
        if close:
            hint = f" Did you mean {option_by_lower[close[0]]!r}?"
    raise ValueError(f"{name}={value!r} is not known; choose one of {options}.{hint}{also}")


def check_pvalue(pvalue: Any) -> float:
    """Return a p-value as a float from 0 to 1."""
    number = check_finite_number("pvalue", pvalue)
    if not 0 <= number <= 1:
        raise ValueError(f"pvalue={brief(pvalue)} must be a number from 0 to 1.")
    return number


def check_flag(name: str, value: Any) -> bool:
    """Return an argument that is True or False, also NumPy's."""
    import numpy as np  # here, so that --help of the command line need not wait for it

    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}={brief(value)} must be True or False.")
    return bool(value)


def check_finite_number(name: str, value: Any) -> float:
    """Return `value` as a finite float."""
    if not is_finite(value):
        raise ValueError(f"{name}={brief(value)} must be a finite number.")
    return float(value)


def is_finite(value: Any) -> bool:
    """Return whether `value` is a finite real number that a float can represent."""
    with suppress(OverflowError):
        return is_real(value) and math.isfinite(value)
    return False


def brief(value: Any) -> str:
    """Return a representation of at most 100 characters in one line, for a message."""
    return cut(_LINE_END.sub(" ", repr(value)))


def is_integer(value: Any) -> bool:
    """Return whether `value` is an integer; ``True`` and ``False`` are not."""
    # The first test is for speed: every call checks the sizes of many splits.
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def is_real(value: Any) -> bool:
    """Return whether `value` is a real number; ``True`` and ``False`` are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_several(value: Any) -> bool:
    """Return whether `value` is iterable, and neither text nor an array without dimensions."""
    if isinstance(value, (str, bytes)) or getattr(value, "shape", None) == ():
        return False
    return isinstance(value, Iterable)


def is_array(value: Any) -> bool:
    """Return whether `value` is an array or a sequence other than text."""
    if isinstance(value, Sequence):
        return not isinstance(value, (str, bytes))
    return hasattr(value, "__array__") and len(getattr(value, "shape", ())) > 0


def is_list_of(value: Any, kind: type | tuple[type, ...]) -> bool:
    """Return whether `value` is a list or tuple of instances of a class."""
    return isinstance(value, (list, tuple)) and all(isinstance(part, kind) for part in value)


def is_list_of_length(value: Any, length: int) -> bool:
    """Return whether `value` is a list or tuple of this length."""
    return isinstance(value, (list, tuple)) and len(value) == length


def check_several(name: str, value: Any, what: str) -> None:
    """Raise TypeError unless `value` is a list, or something else that can be gone through."""
    if not is_several(value):
        raise TypeError(f"{name}={brief(value)} must be a list of {what}.")


def check_verbose(verbose: Any) -> None:
    """Raise TypeError unless `verbose` is an integer, True or False."""
    import numpy as np  # here, so that --help of the command line need not wait for it

    if not isinstance(verbose, Integral | np.bool_):
        raise TypeError(
            f"verbose={verbose!r} must be an integer: 0 shows nothing, 1 a progress bar."
        )


OF_OWN_COLUMNS = (
    " To give each estimator columns of its own, pass one X with all columns, and "
    "make_pipeline(make_column_transformer(('passthrough', columns)), estimator) for each."
)


def n_rows(X: Any, name: str = "X") -> int:
    """Count the rows of an array, a frame, a sparse matrix or a list."""
    shape = getattr(X, "shape", None)
    if shape:
        return int(shape[0])
    if not isinstance(X, (str, bytes, Mapping, Set)):
        with suppress(TypeError):
            return len(X)
    remedy = ""
    if isinstance(X, Mapping):
        remedy = OF_OWN_COLUMNS
    if isinstance(X, str):
        remedy = f' If that is the name of a column, pass the column itself, such as table["{X}"].'
    raise TypeError(
        f"{name} must be data with rows (an array, a frame, a sparse matrix or a list), got "
        f"{type(X).__name__}. Pass one row, or one entry, for each sample.{remedy}"
    )


def _check_estimator(name: Any, estimator: Any) -> None:
    """Raise TypeError unless these are a name and an estimator."""
    if not isinstance(name, str) or not name:
        raise TypeError(f"An estimator's name must be a non-empty string, got {name!r}.")
    if isinstance(estimator, type):
        written = f"{estimator.__name__}()"
        raise TypeError(f"{name!r} is a class, not an instance: pass {written}.")
    if not hasattr(estimator, "fit"):
        remedy = OF_OWN_COLUMNS if isinstance(estimator, (tuple, list, Mapping)) else ""
        raise TypeError(
            f"{name!r} is a {type(estimator).__name__}, which has no fit method; pass an estimator."
            f"{remedy}"
        )


def check_estimators(estimators: Any) -> dict[str, Any]:
    """Return two or more estimators by name."""
    named = _check_named(_pairs(estimators))
    if len(named) < 2:
        raise ValueError(
            f"A comparison needs at least two estimators, got {len(named)}. For a single one use "
            "cross_val_inference."
        )
    return named


def named_estimators(estimators: Any) -> dict[str, Any]:
    """Return one or more estimators by name; one alone is called by its class."""
    if not isinstance(estimators, Mapping):
        _check_estimator("estimator", estimators)
        return {type(estimators).__name__: estimators}
    if not estimators:
        raise ValueError("There are no estimators; pass at least one, by its name.")
    return _check_named(estimators.items())


def _check_named(pairs: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    """Return estimators by name, or raise an error for names or estimators that cannot be used."""
    names = []
    for name, estimator in pairs:
        _check_estimator(name, estimator)
        names.append(name)
    check_names(names, "estimators")
    return dict(pairs)


def _pairs(estimators: Any) -> Iterable[tuple[Any, Any]]:
    """Return the pairs of a name and an estimator, or say what to pass instead."""
    if isinstance(estimators, Mapping):
        return estimators.items()
    wanted = (
        'a dict such as {"logistic": LogisticRegression(), "forest": RandomForestClassifier()} '
        "or a list of estimators or of (name, estimator) pairs"
    )
    wrong = f"estimators must be {wanted}, got {type(estimators).__name__}."
    if hasattr(estimators, "shape"):
        raise TypeError(f"{wrong} The estimators come first: compare_estimators(estimators, X, y).")
    if hasattr(estimators, "cv_results_"):
        raise TypeError(f"{wrong} compare_candidates(search, X, y) compares a search's candidates.")
    if not is_several(estimators):
        raise TypeError(wrong)
    pairs = list(estimators)
    if all(hasattr(part, "fit") for part in pairs):
        return list(zip(_names_by_class(pairs), pairs, strict=True))
    for pair in pairs:
        if not is_list_of_length(pair, 2):
            raise TypeError(f"estimators must be {wanted}; {brief(pair)} is not such a pair.")
    return pairs


def _names_by_class(estimators: list[Any]) -> list[str]:
    """Return names as `make_pipeline` gives them: classes, numbered where two are of one class."""
    names = []
    for estimator in estimators:
        # A class, which is refused later, is called by its own name.
        name = getattr(estimator, "__name__", type(estimator).__name__)
        names.append(name.lower())
    numbered = []
    for position, name in enumerate(names):
        number = 1 + names[:position].count(name)
        numbered.append(f"{name}-{number}" if names.count(name) > 1 else name)
    return numbered


def random_states(estimator: Any) -> dict[str, Any]:
    """Return every random_state of an estimator and its parts, by the name of the parameter."""
    try:
        params = estimator.get_params(deep=True)
    except Exception:  # not a scikit-learn estimator
        return {}
    return {k: value for k, value in params.items() if k.rpartition("__")[2] == "random_state"}


def unseeded_parameters(estimator: Any) -> list[str]:
    """Return the parameters of an estimator and its parts that are random without a seed."""
    return [name for name, value in random_states(estimator).items() if value is None]


def distinct(names: Iterable[Any], what: str) -> list[str]:
    """Return names of `what`, such as "columns", as text; raise an error if two are equal."""
    written = list(map(str, names))
    check_names(written, what)
    return written


# A design has two sizes for each, and a plan of this many takes a second.
MOST_SPLITS = 10**6
LISTED_SPLITS = "a list of splits"


def one_line(value: Any) -> str:
    """Return a representation without line breaks, memory addresses and listed splits."""
    if type(value).__name__ == "_CVIterableWrapper":  # scikit-learn's, which shows every row
        return LISTED_SPLITS
    return re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(repr(value).split()))


_FEW_NAMES = 3  # of many
_SHORT = reprlib.Repr()  # takes out the middle of what is longer than 200 characters
vars(_SHORT).update(maxstring=200, maxother=200, maxlong=200, maxtuple=50, maxlist=50, maxdict=50)


def listed(names: Iterable[Any], limit: int = 6) -> str:
    """Join names for a sentence; of more than the limit name three, and count the others."""
    return first_of(list(map(_SHORT.repr, names)), limit, _FEW_NAMES)


class ConfidenceInterval(NamedTuple):
    """The two ends of a confidence interval; one is infinite for a one-sided alternative.

    Parameters
    ----------
    low, high : float or ndarray
        The ends.
    """

    low: Any
    high: Any


P = ParamSpec("P")
R = TypeVar("R")
_OF_LEVELS = "pass confidence_level=, which is 1 - alpha, such as confidence_level=0.95"
_OF_FITS = (
    'params={"sample_weight": w} weights the fits only; with '
    "set_config(enable_metadata_routing=True), models and a scorer that request it get it, "
    "get_scorer(...).set_score_request(sample_weight=True)"
)


def explain_arguments(
    *, alpha: str = _OF_LEVELS, sample_weight: str = _OF_FITS
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say of arguments that other packages have, and a function has not, what to pass instead."""
    remedies = {"alpha": (TypeError, alpha), "sample_weight": (ValueError, sample_weight)}

    def explaining(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return function(*args, **kwargs)
            except TypeError as error:
                text = str(error)
                for name, (kind, remedy) in remedies.items():
                    if f"{function.__name__}() got an unexpected keyword argument {name!r}" in text:
                        raise kind(f"{function.__name__} has no {name}=: {remedy}.") from None
                raise

        return call

    return explaining
