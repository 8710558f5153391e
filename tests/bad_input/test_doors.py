"""Every public call that takes a common argument refuses what is wrong with it, by its name."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from tests.bad_input.public_calls import CALLS
from tests.bad_input.test_sweep import ARGUMENTS

pytestmark = pytest.mark.filterwarnings("ignore")
# By argument: a wrong value, and what the message says of it.
WRONG = {
    "alternative": ("more", "'more' is not known; choose one of"),
    "confidence_level": (95, "=95 must be a number .*between .* such as 0.95"),
    "cv": ("five", "cv='five' must be"),
    "margin": (-1, "margin=-1"),
    "method": ("t-test", "='t-test' is not known; choose one of"),
    "n_jobs": (0, "n_jobs=0 must be .* -1 uses all cores"),
    "null_value": (np.nan, "null_value=nan .*must be a finite number"),
    "reference": ("nobody", "reference='nobody' is not among the .*'.*, '"),
    "fresh_seeds": ("yes", "fresh_seeds='yes' must be True or False"),
    "sample_weight": ([-1.0] * 60, "must be finite and at least 0, but 60 are not"),
    "scoring": ("acuracy", "scoring='acuracy'"),
    "store": (5, "store=5 must be a path"),
    "verbose": (None, "verbose=None .* 0 shows nothing"),
}
# Another argument is at fault first, or nothing is computed that needs it.
NOT_REFUSED = {
    ("compare_candidates", "cv"),
    ("compare_candidates", "scoring"),
    ("compare_losses", "sample_weight"),
    ("compare_predictions", "n_jobs"),
    ("predictions_inference", "n_jobs"),
    ("PowerCurveDisplay.from_plan", "alternative"),
}


@pytest.mark.parametrize("argument", WRONG)
def test_a_common_argument_is_refused_everywhere(argument):
    value, said = WRONG[argument]
    n_calls = 0
    for name, (call, *_, options) in CALLS.items():
        if argument in ARGUMENTS[name] and (name, argument) not in NOT_REFUSED:
            with pytest.raises((TypeError, ValueError), match=f"(?s){said}"):
                call(**{**options, argument: value})
            n_calls += 1
    assert n_calls > 2
