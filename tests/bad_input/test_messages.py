"""Messages about bad input: what was given, and what to do.

Readers of a message are stuck, so it has to say both.
"""

import re

import pytest

from tests.bad_input import (
    fitted,
    fitting,
    out_of_fold,
    rare,
    scores,
    searches,
    statistics,
    time_order,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
]

CASES = [
    pytest.param(call, error, given, remedy, id=given)
    for table in (fitted, fitting, out_of_fold, rare, scores, searches, statistics, time_order)
    for error, cases in table.CASES.items()
    for call, given, remedy in cases
]


@pytest.mark.parametrize(("call", "error", "given", "remedy"), CASES)
def test_error_says_what_was_given_in_a_sentence_and_names_the_remedy(call, error, given, remedy):
    with pytest.raises(error, match=re.escape(given)) as caught:
        call()
    message = str(caught.value.args[0])
    assert re.search(f"(?s){remedy}", str(caught.value))
    first_line, *details = message.splitlines()
    assert message.endswith((".", "?")) or (details and first_line.endswith("."))
    assert len(first_line.split()) >= 5
