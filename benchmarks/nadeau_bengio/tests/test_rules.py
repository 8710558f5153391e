"""The rules by which the report's statements are judged: what each word asks for."""

import numpy as np
import pytest

from benchmarks.nadeau_bengio import _rules, page_text
from benchmarks.nadeau_bengio._rules import FAILS, HOLDS, IN_PART


def flags(n_set, n_flags):
    return [True] * n_set + [False] * (n_flags - n_set)


def test_all_is_all():
    outcomes = {n_set: _rules.in_all(flags(n_set, 24)) for n_set in range(25)}
    assert outcomes[24] == HOLDS
    # 17 of 24 is significantly more than half (one-sided p = .032), 16 is not (.076).
    assert {n for n, outcome in outcomes.items() if outcome == IN_PART} == set(range(17, 24))
    assert {n for n, outcome in outcomes.items() if outcome == FAILS} == set(range(17))


def test_most_is_significantly_more_than_half():
    outcomes = {n_set: _rules.in_most(flags(n_set, 24)) for n_set in range(25)}
    assert {n for n, outcome in outcomes.items() if outcome == HOLDS} == set(range(17, 25))
    assert {n for n, outcome in outcomes.items() if outcome == IN_PART} == set(range(13, 17))


def test_often_is_half_or_more():
    outcomes = [_rules.often(flags(n_set, 8)) for n_set in range(9)]
    assert outcomes == [FAILS] * 2 + [IN_PART] * 2 + [HOLDS] * 5


def test_sometimes_is_neither_chance_nor_half():
    outcomes = {n_set: _rules.sometimes(flags(n_set, 24)) for n_set in range(25)}
    assert outcomes[0] == FAILS
    assert {n for n, outcome in outcomes.items() if outcome == HOLDS} == set(range(1, 8))
    by_tests = {n_set: _rules.sometimes(flags(n_set, 24), 0.05) for n_set in range(25)}
    # At 5 %, 3 of 24 are by chance (p = .116), 4 are not (.030).
    assert {n for n, outcome in by_tests.items() if outcome == FAILS} == set(range(4))
    assert by_tests[4] == HOLDS


def test_most_and_sometimes_are_mirror_images():
    for n_set in range(1, 25):
        most = _rules.in_most(flags(n_set, 24)) == HOLDS
        assert most == (_rules.sometimes(flags(24 - n_set, 24)) == HOLDS or n_set == 24)


@pytest.mark.parametrize("rule", [_rules.in_all, _rules.in_most, _rules.sometimes])
def test_nothing_is_no_evidence(rule):
    assert rule([]) == FAILS


def test_parts():
    assert _rules.together([HOLDS, HOLDS]) == HOLDS
    assert _rules.together([FAILS, FAILS]) == FAILS
    assert _rules.together([IN_PART, IN_PART]) == IN_PART
    for mixed in ([HOLDS, FAILS], [HOLDS, IN_PART], [IN_PART, FAILS]):
        assert _rules.together(iter(mixed)) == IN_PART
    assert (_rules.outcome(True), _rules.outcome(np.False_)) == (HOLDS, FAILS)


@pytest.mark.parametrize(
    ("band", "centre"),
    [(_rules.HALF, 0.5), (_rules.STRINGENT, _rules.LEVEL), (_rules.MODERATE, _rules.LEVEL)],
)
def test_bands_lie_evenly_around_what_they_name(band, centre):
    assert np.mean(band) == pytest.approx(centre)


def test_the_page_says_the_bands():
    text = " ".join(page_text.rules().split())
    for words in ("40 to 60 %", "9 to 11 %", "5 to 15 %", "above 20 %", "2.5 points"):
        assert words in text
