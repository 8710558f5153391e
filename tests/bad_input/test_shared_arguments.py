"""Every public callable refuses a bad value of a shared argument first, in the same sentence.

The callables and their arguments are read from the package, so new ones are included. All other
arguments are of a kind that raises an error as soon as anything is done with them.
"""

import inspect
import re

import pytest

import skcvstats
from tests.test_copies import NAMES

SENTENCES = {
    "alternative": ("more", r"'more' is not known; choose one of \['two-sided', 'less', 'greater'"),
    "confidence_level": (95, "95 must be a number strictly between 0 and 1, such as 0.95"),
    "alpha": (5, "5 must be a number strictly between 0 and 1, such as 0.1"),
    "power": (80, "80 must be a number strictly between 0 and 1, such as 0.8"),
    "random_state": (-1, r"-1 must be None, an integer from 0 to 2\*\*32 - 1 or a numpy.random"),
    "n_jobs": (0, "0 must be None or an integer other than 0, .*; -1 uses all cores"),
}
COUNT = re.compile("n_.*|fits_per_split|top")
OF_COUNTS = (-1, r"-1 must be an integer (of at least \d|from \d+ to \d+)")
# Numbers of rows or errors are data. They may be arrays, and are checked against other data.
SIZES = re.compile("n_(train|test|samples|rows|errors|vectors|1|2|errors_1|errors_2)")
# A list of counts, each of which is checked.
LISTS = {"plan_n_splits-n_splits"}
# What only the package makes, of checked values.
RECORDS = re.compile(
    ".*(Result|Display|Report|Plan|Comparison|Sensitivity|Interval|Difference|Moments|Components|Look)"
)


class Untouched:
    """An argument that raises an error as soon as anything is read of it."""

    def __getattribute__(self, name):
        raise AssertionError(f"{name} was read first")


def wrong_value(parameter):
    """Return a bad value of a parameter and its sentence, or None if it is not a shared one."""
    name = parameter.name
    if name in SENTENCES:
        return SENTENCES[name]
    if COUNT.fullmatch(name) and not SIZES.fullmatch(name):
        return OF_COUNTS
    return None


def parameters_of(function):
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return [parameter for parameter in parameters if parameter.kind not in kinds]


def required_of(function):
    """Return values of the arguments that a function needs, which it may not read."""
    required = [one.name for one in parameters_of(function) if one.default is one.empty]
    return dict.fromkeys(required, Untouched())


def made_and_used(kind):
    """Return a class as a call, which includes its use where that checks what it is made of."""

    def call(**options):
        instance = kind(**options)
        use = getattr(instance, "fit", None) or instance
        return use(*required_of(use).values())

    return call


def is_used(kind):
    """Whether scikit-learn's conventions hold: parameters are checked when they are used."""
    return hasattr(kind, "get_params")


def unread_instance(kind):
    """Return an instance whose fields may not be read."""
    if issubclass(kind, tuple):
        return kind(*[Untouched()] * len(kind._fields))
    instance = kind.__new__(kind)
    for name in getattr(kind, "__dataclass_fields__", ()):
        object.__setattr__(instance, name, Untouched())
    return instance


def public_methods(kind):
    """Yield the name of each public method that the package defines, and the method, bound."""
    for name, function in inspect.getmembers(kind, inspect.isroutine):
        # Python 3.13 counts cached properties, too.
        is_call = callable(function)
        module = str(getattr(function, "__module__", ""))
        is_ours = is_call and module.startswith(skcvstats.__name__)
        if not name.startswith("_") and is_ours:
            if inspect.isfunction(inspect.getattr_static(kind, name)):
                function = function.__get__(unread_instance(kind))
            yield name, function


def doors():
    """Yield name, signature and call of each public function, class and method."""
    for name, part in NAMES.items():
        if inspect.isfunction(part):
            yield name, part, part
        if not inspect.isclass(part) or inspect.isabstract(part) or issubclass(part, Exception):
            continue
        if not RECORDS.fullmatch(name):
            yield name, part, made_and_used(part) if is_used(part) else part
        for attribute, method in public_methods(part):
            yield f"{name}.{attribute}", method, method


CASES = [
    pytest.param(call, signature, parameter, id=f"{name}-{parameter.name}")
    for name, signature, call in doors()
    for parameter in parameters_of(signature)
    if wrong_value(parameter)
]


@pytest.mark.parametrize(("call", "signature", "parameter"), CASES)
def test_shared_arguments_are_refused_first_and_alike(request, call, signature, parameter):
    value, sentence = wrong_value(parameter)
    if request.node.callspec.id in LISTS:
        value = [value]
    with pytest.raises(ValueError, match=f"^{parameter.name}={sentence}"):
        call(**required_of(signature) | {parameter.name: value})
