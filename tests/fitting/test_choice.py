"""The choice of a procedure, as data: no fits, no splits."""

import pytest

from skcvstats import CorrectedResampledTTest, DieboldMarianoTest, RowTTest
from skcvstats.fitting import Choice, Methods, choose_procedure, procedures_of
from skcvstats.stats import Reason

GENERAL, ROWS, TIMES = CorrectedResampledTTest(), RowTTest(), DieboldMarianoTest()
AUTO = Methods(GENERAL, preferred=ROWS, over_time=TIMES)
WHY = Reason("unsuitable metric", {"words": "max_error is not a per-row average"})
LATER = Reason("time order")


class TestChooseProcedure:
    @pytest.mark.parametrize(("over_time", "reason", "procedure", "why"), [
        (False, None, ROWS, None),
        (False, WHY, GENERAL, WHY),
        (True, None, TIMES, LATER),
        (True, WHY, None, WHY),
    ])  # fmt: skip
    def test_auto_takes_the_first_procedure_without_a_reason_against_it(
        self, over_time, reason, procedure, why
    ):
        choice = choose_procedure(AUTO, over_time, reason)
        assert choice.procedure is procedure
        assert choice.reason == why

    @pytest.mark.parametrize("procedure", [GENERAL, ROWS, TIMES])
    @pytest.mark.parametrize("over_time", [False, True])
    def test_one_that_was_asked_for_is_taken_or_none(self, procedure, over_time):
        methods = Methods(procedure)
        assert choose_procedure(methods, over_time, None) == Choice(procedure)
        assert choose_procedure(methods, over_time, WHY) == Choice(None, WHY)

    def test_metrics_without_a_procedure_have_none(self):
        choices = {"accuracy": Choice(ROWS), "max_error": Choice(None, WHY)}
        assert procedures_of(choices) == {"accuracy": ROWS}


class TestReasons:
    def test_the_same_code_and_values_are_the_same_reason(self):
        assert Reason(WHY.code, dict(WHY.values)) == WHY
        assert Reason("undefined metric", WHY.values) != WHY

    def test_a_sentence_with_a_remedy_becomes_a_clause(self):
        reason = Reason("unsuitable splits", {"words": "The row t-test needs folds. Repeat them."})
        assert str(reason) == "The row t-test needs folds. Repeat them."
        assert reason.fact == "The row t-test needs folds. Repeat them"
        assert reason.clause == "the row t-test needs folds. Repeat them"

    def test_the_name_of_a_metric_keeps_its_capital(self):
        assert Reason("unsuitable metric", {"words": "R2 is no mean"}).clause == "R2 is no mean"

    def test_numbers_are_written_into_the_sentence(self):
        values = {"split": 3, "estimator": "tree", "metric": "roc_auc"}
        short = Reason("no scores of rows", values)
        assert str(short) == "split 3 of 'tree' has no scores of rows"
        assert str(Reason("no scores without each unit", values)).startswith(f"{short}, as roc_auc")
        many = Reason("too many units", {"unit": "rows", "metric": "gini", "n_calls": 20_001})
        assert "gini would be computed 20,001 times" in str(many)
