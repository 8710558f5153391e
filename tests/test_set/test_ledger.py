"""Many looks at one test set: levels, answers, and that nothing but the answer depends on it."""

import hashlib
import itertools
import json
import math
import os
import sys
import time
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest, t, ttest_rel
from sklearn.metrics import make_scorer

from skcvstats import PairingError, compare_predictions
from skcvstats.test_set import LedgerError, Look, LookLedger, level_of_look
from tests import processes

N = 1200
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
OLD = np.where(RNG.random(N) < 0.75, Y, 1 - Y)
SLIGHTLY = np.where(RNG.random(N) < 0.02, 1 - OLD, OLD)
MUCH = np.where(RNG.random(N) < 0.5, Y, OLD)
WORSE = np.where(RNG.random(N) < 0.3, 1 - Y, OLD)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """Hash the target once, which takes long on purpose, and do not wait for the disk."""
    monkeypatch.setattr(os, "fsync", lambda file: None)
    slow = hashlib.pbkdf2_hmac
    monkeypatch.setattr(
        hashlib, "pbkdf2_hmac", lambda name, text, salt, n, dklen: slow(name, text, salt, 1, dklen)
    )


@pytest.fixture
def ledger(tmp_path):
    return LookLedger(tmp_path / "looks.json", looks=5)


def accuracy(ledger, challenger, champion=OLD, y=Y, **options):
    return ledger.test(y, champion, challenger, scoring="accuracy", **options)


def content(ledger):
    return json.loads(ledger.path.read_text())


class TestLevels:
    def test_levels_of_all_histories_add_to_at_most_the_level(self):
        """Each history of answers leads to one look, which is tested at its level."""
        total = Fraction(0)
        for length in range(9):
            for history in itertools.product((0, 1), repeat=length):
                total += Fraction(level_of_look(0.05, 9, sum(history)))
        assert float(total) <= 0.05 * (1 + 1e-12)
        assert float(total) > 0.0499

    def test_levels_of_fifty_looks(self):
        levels = [level_of_look(0.05, 50, f) for f in range(3)]
        assert [f"{level:.1e}" for level in levels] == ["5.0e-04", "1.0e-05", "3.2e-07"]
        assert level_of_look(0.05, 10_000, 9_999) == 0.0

    def test_no_result_passes_at_a_level_of_0(self, tmp_path):
        """The last of so many levels is rounded to 0, and so is p."""
        y = np.ones(5000, dtype=int)
        ledger = LookLedger(tmp_path / "looks.json", looks=1, level=1e-320)
        look = accuracy(ledger, y, champion=1 - y, y=y)
        assert look.passed == (look.level > 0)


class TestAnswers:
    def test_looks_are_numbered_and_what_passed_becomes_the_champion(self, ledger):
        first = accuracy(ledger, SLIGHTLY)
        assert first == Look(1, False, level_of_look(0.05, 5, 0), 0, 4)
        assert accuracy(ledger, MUCH) == Look(2, True, first.level, 1, 3)
        third = accuracy(ledger, SLIGHTLY, champion=MUCH)
        assert third == Look(3, False, level_of_look(0.05, 5, 1), 1, 2)

    @pytest.mark.parametrize("n_better", [20, 28, 29, 30, 31, 32, 45])
    def test_accuracy_is_tested_by_the_exact_test(self, ledger, n_better):
        """30 rows on which exactly one is right and more; at a level of 0.005."""
        rows = np.random.default_rng(0).permutation(400)
        y = np.zeros(400, dtype=int)
        old = (rows < n_better).astype(int)
        new = ((rows >= 390) | (rows < 3)).astype(int)
        b, c = int(np.sum((new == 0) & (old == 1))), int(np.sum((new == 1) & (old == 0)))
        p = binomtest(b, b + c, 0.5, alternative="greater").pvalue
        assert accuracy(ledger, new, champion=old, y=y).passed == (p <= 0.005)

    def test_other_metrics_are_tested_by_the_t_test(self, tmp_path):
        """At many levels, against SciPy's paired t-test of the absolute errors."""
        rng = np.random.default_rng(1)
        y = rng.normal(size=500)
        old = y + rng.normal(size=500)
        new = 0.1 * y + 0.9 * old + 0.05 * rng.normal(size=500)
        p = ttest_rel(abs(new - y), abs(old - y), alternative="less").pvalue
        for k, share in enumerate((0.5, 0.99, 1.01, 2.0)):
            level = min(0.9, 2 * share * p)
            ledger = LookLedger(tmp_path / f"{k}.json", looks=1, level=level)
            look = ledger.test(y, old, new, scoring="neg_mean_absolute_error")
            assert look.passed == (p <= level / 2)

    @pytest.mark.parametrize(("n_rows", "passed"), [(90, False), (110, True)])
    def test_few_rows_that_carry_the_difference_are_not_enough(self, ledger, n_rows, passed):
        """The effective number of the deviations is about that of the rows that differ."""
        y = np.zeros(20_000)
        rows = np.random.default_rng(0).permutation(20_000)
        old = np.where(rows < n_rows, 1.0, 0.1)
        new = np.full(20_000, 0.1)
        test = compare_predictions(
            y, {"new": new, "old": old}, scoring="neg_mean_squared_error", reference="old"
        ).tests[0]
        assert test.pvalue < 1e-12
        assert ledger.test(y, old, new, scoring="neg_mean_squared_error").passed == passed

    @pytest.mark.parametrize("scoring", ["roc_auc", "f1", "neg_log_loss", "balanced_accuracy"])
    def test_metrics_of_other_kinds_pass_and_do_not(self, ledger, scoring):
        rng = np.random.default_rng(2)
        y = rng.integers(0, 2, 3000)
        signal = (2 * y - 1) * rng.uniform(0.5, 1.5, 3000)
        shown = {}
        for name, size in (("old", 0.4), ("new", 1.2), ("bad", 0.1)):
            chances = 1 / (1 + np.exp(-(size * signal + rng.normal(size=3000))))
            shown[name] = chances if scoring in ("roc_auc", "neg_log_loss") else chances > 0.5
            shown[name] = shown[name] * 1.0
        assert not ledger.test(y, shown["old"], shown["bad"], scoring=scoring).passed
        assert ledger.test(y, shown["old"], shown["new"], scoring=scoring).passed

    def test_groups_are_the_units(self, tmp_path):
        """300 rows of one group are one unit, so that nothing is shown."""
        alone = LookLedger(tmp_path / "alone.json")
        assert accuracy(alone, MUCH).passed
        few = LookLedger(tmp_path / "few.json")
        assert not accuracy(few, MUCH, groups=np.arange(N) // 300).passed
        many = LookLedger(tmp_path / "many.json")
        assert accuracy(many, MUCH, groups=np.arange(N) // 2).passed
        with pytest.raises(ValueError, match="begun with another 'groups'"):
            accuracy(many, SLIGHTLY)

    def test_rows_that_depend_on_those_next_to_them_show_nothing(self, tmp_path):
        """As for a gate, which is undecided then; with groups they count."""
        rows = np.argsort(OLD == Y, kind="stable")
        by_score = {"y": Y[rows], "champion": OLD[rows]}
        assert not accuracy(LookLedger(tmp_path / "rows.json"), MUCH[rows], **by_score).passed
        grouped = {**by_score, "groups": np.arange(N)}
        assert accuracy(LookLedger(tmp_path / "groups.json"), MUCH[rows], **grouped).passed

    def test_rows_are_put_into_the_order_of_an_index(self, ledger):
        rows = np.random.default_rng(3).permutation(N)
        look = accuracy(ledger, pd.Series(MUCH)[rows], y=pd.Series(Y))
        assert look.passed
        assert accuracy(ledger, MUCH) == look

    def test_values_are_compared_and_not_their_types(self, ledger):
        look = accuracy(ledger, MUCH)
        for kind in (float, np.int8, bool, object):
            assert accuracy(ledger, MUCH.astype(kind), champion=OLD.astype(kind)) == look
        words = np.array(["no", "yes"])
        other = LookLedger(ledger.path.with_name("words.json"))
        assert accuracy(other, words[MUCH], champion=words[OLD], y=words[Y]).passed


class TestWhatCostsNothing:
    def test_the_same_pair_gets_its_old_answer_also_after_the_last_look(self, ledger):
        first = accuracy(ledger, SLIGHTLY)
        assert accuracy(ledger, SLIGHTLY) == first
        passed = accuracy(ledger, MUCH)
        drawn = [np.where(RNG.random(N) < 0.02, 1 - MUCH, MUCH) for _ in range(4)]
        for challenger in drawn[:3]:
            accuracy(ledger, challenger, champion=MUCH)
        before = ledger.path.read_bytes()
        with pytest.raises(LedgerError, match=r"5 of 5 in .* are spent, and 1 passed"):
            accuracy(ledger, drawn[3], champion=MUCH)
        assert accuracy(ledger, SLIGHTLY) == first._replace(n_passed=1, n_left=0)
        assert accuracy(ledger, MUCH) == passed._replace(n_left=0)
        assert accuracy(ledger, MUCH.copy(), champion=MUCH) == Look(0, False, 0.0, 1, 0)
        assert ledger.path.read_bytes() == before

    def test_equal_predictions_need_no_look(self, ledger):
        assert accuracy(ledger, OLD.astype(float)) == Look(0, False, 0.0, 0, 5)
        assert not ledger.path.exists()

    def test_another_champion_is_refused(self, ledger):
        accuracy(ledger, SLIGHTLY)
        with pytest.raises(
            ValueError, match="'champion' are not those of the champion, 'champion'"
        ):
            accuracy(ledger, MUCH, champion=WORSE)
        accuracy(ledger, {"v2": MUCH}, champion={"v1": OLD})
        with pytest.raises(ValueError, match="'v1' are not those of the champion, 'v2': the first"):
            accuracy(ledger, WORSE, champion={"v1": OLD})
        assert len(content(ledger)["asked"]) == 2

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"y_true": 1 - Y}, "begun with another 'target'; it has looks=5"),
            ({"scoring": "balanced_accuracy"}, "begun with another 'metric'; .* metric accuracy"),
            ({"looks": 6}, "begun with another 'looks'; it has looks=5, level=0.05"),
            ({"level": 0.1}, "begun with another 'level'"),
            ({"groups": np.arange(N)}, "begun with another 'groups'"),
            ({"challenger": MUCH[1:]}, "There are 1199 rows in challenger and 1200 in y_true"),
            ({"challenger": MUCH + 0.5}, "challenger contains [01].5, which is not a label"),
            ({"challenger": np.where(MUCH, np.nan, 0)}, "of challenger are missing or not finite"),
            ({"challenger": np.full(N, "a")}, "are of different kinds: int64 .* <U1"),
            ({"challenger": np.ones((N, 2, 2))}, r"challenger has shape \(1200, 2, 2\)"),
            ({"challenger": {"a": MUCH, "b": MUCH}}, "challenger must be the predictions of one"),
            ({"challenger": None}, r"challenger has shape \(\); give one prediction"),
            ({"challenger": {"\n": MUCH}}, "cannot be printed"),
            ({"scoring": "acuracy"}, "acuracy"),
            ({"scoring": "neg_median_absolute_error"}, "neg_median_absolute_error has no test at"),
            ({"scoring": "roc_auc", "challenger": 3.0 * MUCH}, "begun with another 'metric'"),
            ({"scoring": "neg_log_loss"}, "are all 0 or 1, which are labels; the metric needs"),
            ({"scoring": "neg_log_loss", "champion": Y / 2 + 1}, "not probabilities: .* to 1.5"),
            ({"scoring": "roc_auc", "challenger": np.full(N, "a")}, "are labels such as 'a'"),
            ({"scoring": "r2", "challenger": np.full(N, "a")}, "must contain real numbers"),
            ({"groups": np.zeros(N)}, "There is only 1 group"),
            ({"groups": [None, *range(1, N)]}, "groups has missing labels"),
            ({"y_true": None}, "y_true must be data with rows"),
            ({"y_true": [[1], [1, 2]] * (N // 2)}, "y_true has parts of different lengths"),
        ],
    )
    def test_mistakes_that_are_seen_without_the_target(self, ledger, changed, said):
        accuracy(ledger, SLIGHTLY)
        before = ledger.path.read_bytes()
        made = {"looks": changed.pop("looks", 5), "level": changed.pop("level", 0.05)}
        call = {"y_true": Y, "champion": OLD, "challenger": MUCH, "scoring": "accuracy"} | changed
        with pytest.raises((TypeError, ValueError), match=said) as caught:
            LookLedger(ledger.path, **made).test(**call)
        assert not isinstance(caught.value, LedgerError)
        assert ledger.path.read_bytes() == before

    def test_rows_that_do_not_match_are_refused(self, ledger):
        with pytest.raises(PairingError, match="are not of the same rows"):
            accuracy(ledger, pd.Series(MUCH, index=np.arange(N) + 1), y=pd.Series(Y))

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"looks": 0}, "looks=0 must be an integer from 1"),
            ({"looks": 2.5}, "looks=2.5 must be an integer"),
            ({"level": 0}, "level=0 must be a number strictly between"),
            ({"level": 5}, "level=5 must be a number strictly between"),
        ],
    )
    def test_ledgers_that_cannot_be(self, tmp_path, options, said):
        with pytest.raises(ValueError, match=said):
            LookLedger(tmp_path / "looks.json", **options)

    def test_it_is_written_as_python_makes_it(self, tmp_path):
        path = tmp_path / "it's.json"
        said = f'LookLedger("{path}", looks=7, level=0.01)'
        assert repr(LookLedger(path, looks=7, level=0.01)) == said
        assert repr(LookLedger(path, 7, np.float64(0.01))) == said
        assert eval(said).path == path

    def test_a_folder_that_is_not_there(self, tmp_path):
        with pytest.raises(ValueError, match=r"locked .*No such file.* a folder that is there"):
            accuracy(LookLedger(tmp_path / "no" / "looks.json"), MUCH)


def talking(y_true, y_pred):
    print("the target begins with", y_true[:5])
    print("the target begins with", y_true[:5], file=sys.stderr)
    warnings.warn(f"the target begins with {y_true[:5]}", stacklevel=1)
    return np.mean(y_true == y_pred)


def raising(y_true, y_pred):
    raise RuntimeError(f"the target begins with {y_true[:5]}")


def leaving(y_true, y_pred):
    sys.exit(f"the target begins with {y_true[:5]}")


class TestWhatDependsOnTheTarget:
    @pytest.mark.parametrize(
        ("y", "scoring"),
        [
            (np.where(np.arange(N) == 3, np.nan, Y), "accuracy"),
            (np.ma.masked_array(Y, np.arange(N) == 3), "accuracy"),
            (np.where(Y == 1, "yes", "no"), "accuracy"),
            (np.full(N, 7), "accuracy"),
            ([None, *Y[1:].tolist()], "accuracy"),
            (["a", *Y[1:].tolist()], "accuracy"),
            (["\ud800"] * N, "accuracy"),
            (pd.Series([pd.NA, *Y[1:]], dtype="Int64"), "accuracy"),
            (pd.date_range("2020-01-01", periods=N), "accuracy"),
            (1j * Y, "r2"),
            ([{"a": 1}] * N, "accuracy"),
            (np.column_stack([Y, Y]), "accuracy"),
            (np.zeros(N), "balanced_accuracy"),
            (np.zeros(N), "f1"),
            (np.where(Y == 1, "yes", "no"), "f1"),
            (np.full(N, 2.5), "r2"),
            (Y, make_scorer(raising)),
            (Y, make_scorer(leaving)),
            (Y, raising),
        ],
    )
    def test_a_target_that_gives_no_score_is_not_shown(self, ledger, y, scoring, capsys):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            look = ledger.test(y, OLD, MUCH, scoring=scoring)
        assert look == Look(1, False, 0.005, 0, 4)
        assert capsys.readouterr() == ("", "")
        assert ledger.test(y, OLD, MUCH, scoring=scoring) == look

    def test_a_metric_that_talks_is_not_heard(self, ledger, capsys):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            look = ledger.test(Y, OLD, MUCH, scoring=make_scorer(talking))
        assert look.passed
        assert capsys.readouterr() == ("", "")

    def test_a_label_that_the_target_lacks_is_not_said(self, ledger):
        """A target of 0 and 1, and predictions of 2 and 3."""
        assert not accuracy(ledger, MUCH + 2).passed
        assert ledger.path.read_text().count('"look"') == 1

    def test_a_difference_that_does_not_vary_is_not_shown(self, ledger):
        y = np.zeros(N)
        assert not ledger.test(y, y + 2, y + 1, scoring="neg_mean_absolute_error").passed

    def test_the_file_is_the_same_for_two_targets_but_for_their_fingerprint(self, tmp_path):
        """Whole files, with the time and what covers the fingerprint of the target left out."""
        rng = np.random.default_rng(4)
        targets = [Y, np.where(rng.random(N) < 0.05, 1 - Y, Y), np.full(N, np.nan)]
        for challengers in ((SLIGHTLY, MUCH, WORSE), (SLIGHTLY, WORSE)):
            files = []
            for k, y in enumerate(targets[: 2 if len(challengers) == 3 else 3]):
                ledger = LookLedger(tmp_path / f"{len(challengers)}{k}.json", looks=7)
                champion = OLD
                looks = []
                for challenger in challengers:
                    looks.append(accuracy(ledger, challenger, champion=champion, y=y))
                    champion = challenger if looks[-1].passed else champion
                document = content(ledger)
                document["test_set"].pop("target")
                document.pop("checksum")
                for line in document["asked"]:
                    line.pop("time")
                    line.pop("checksum")
                files.append((looks, document, ledger.path.stat().st_size))
            assert all(file == files[0] for file in files)

    def test_fingerprints_of_one_target_differ_and_take_long(self, tmp_path, monkeypatch):
        n_hashes = []
        quick = hashlib.pbkdf2_hmac

        def counted(name, text, salt, n, dklen):
            n_hashes.append(n)
            return quick(name, text, salt, 1, dklen)

        monkeypatch.setattr(hashlib, "pbkdf2_hmac", counted)
        both = [LookLedger(tmp_path / name) for name in ("a.json", "b.json")]
        for ledger in both:
            accuracy(ledger, MUCH)
        targets = [content(ledger)["test_set"]["target"] for ledger in both]
        assert targets[0] != targets[1]
        assert min(n_hashes) >= 100_000


class TestTheFile:
    @pytest.fixture
    def asked(self, ledger):
        for challenger in (SLIGHTLY, WORSE, MUCH):
            accuracy(ledger, challenger)
        return ledger

    def test_it_has_a_line_for_each_look(self, asked):
        lines = [line for line in asked.path.read_text().splitlines() if '"look":' in line]
        told = [json.loads(line.rstrip(",")) for line in lines]
        assert [line["look"] for line in told] == [1, 2, 3]
        assert [line["answer"] for line in told] == ["NOT SHOWN", "NOT SHOWN", "PASS"]
        assert content(asked)["version"] == 1

    def test_a_change_or_a_removal_of_any_line_is_an_error(self, asked):
        whole = asked.path.read_text().splitlines(keepends=True)
        n_refused = 0
        for k in range(len(whole)):
            for lines in (
                [*whole[:k], *whole[k + 1 :]],
                [*whole[:k], whole[k].replace("0", "1", 1), *whole[k + 1 :]],
                whole[:k],
            ):
                if lines == whole or "".join(lines).split() == "".join(whole).split():
                    continue
                asked.path.write_text("".join(lines))
                with pytest.raises(ValueError, match=r"looks\.json"):
                    accuracy(asked, SLIGHTLY)
                n_refused += 1
        assert n_refused > 2 * len(whole)

    @pytest.mark.parametrize("k", [0, 1, 2])
    def test_a_look_that_is_cut_out_is_missed(self, asked, k):
        document = content(asked)
        del document["asked"][k]
        asked.path.write_text(json.dumps(document))
        with pytest.raises(ValueError, match="does not match its checksums, so a line was changed"):
            accuracy(asked, SLIGHTLY)

    @pytest.mark.parametrize("text", ["", "[]", "{}", "null", "7", "[" * 10**5, '{"asked": 1}'])
    def test_what_is_no_ledger_is_refused(self, ledger, text):
        ledger.path.write_text(text)
        with pytest.raises(ValueError, match="is damaged, or not a ledger that this"):
            accuracy(ledger, MUCH)
        assert ledger.path.read_text() == text

    def test_line_ends_and_spaces_do_not_matter(self, asked):
        asked.path.write_text(json.dumps(content(asked), indent=4).replace("\n", "\r\n"))
        assert accuracy(asked, WORSE, champion=MUCH).number == 4

    def test_an_interrupt_spends_the_look_and_the_pair_gets_its_answer_later(self, ledger):
        calls = []

        def interrupted(y_true, y_pred):
            calls.append(1)
            if len(calls) == 1:
                raise KeyboardInterrupt
            return np.mean(y_true == y_pred)

        def ask(challenger):
            return ledger.test(Y, OLD, challenger, scoring=make_scorer(interrupted))

        with pytest.raises(KeyboardInterrupt):
            ask(MUCH)
        assert [line["answer"] for line in content(ledger)["asked"]] == ["no answer yet"]
        assert ask(SLIGHTLY) == Look(2, False, 0.005, 0, 3)
        assert ask(MUCH) == Look(1, True, 0.005, 1, 3)
        assert [line["answer"] for line in content(ledger)["asked"]] == ["PASS", "NOT SHOWN"]
        assert not ledger.test(
            Y, MUCH, WORSE, scoring=make_scorer(interrupted)
        ).passed  # the champion is what passed


# Asks for the answers about challengers, one after the other, and prints each.
ASK = """
import sys
import numpy as np
from skcvstats.test_set import LookLedger
path, first, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(0)
y = rng.integers(0, 2, 400)
old = np.where(rng.random(400) < 0.7, y, 1 - y)
print("begin", flush=True)
for k in range(first, first + n):
    challenger = np.where(np.random.default_rng(k).random(400) < 0.05, 1 - old, old)
    both = {"old": old}, {f"v{k}": challenger}
    look = LookLedger(path, looks=200).test(y, *both, scoring="accuracy")
    print(k, look.number, int(look.passed), flush=True)
"""


def answers(text):
    lines = [line.split() for line in text.splitlines()[1:]]
    return [tuple(map(int, line)) for line in lines if len(line) == 3]


@pytest.mark.processes
class TestProcesses:
    def test_two_at_once_wait_for_each_other(self, tmp_path):
        path = tmp_path / "looks.json"
        pipes = {"stdout": -1, "stderr": -1}
        both = [processes.start(["-c", ASK, path, first, 15], **pipes) for first in (0, 10)]
        printed = []
        for process in both:
            out, err = process.communicate(timeout=300)
            assert (process.returncode, err) == (0, "")
            printed += answers(out)
        lines = json.loads(path.read_text())["asked"]
        numbers = {k: number for k, number, _ in printed}
        assert [line["look"] for line in lines] == list(range(1, 26))
        assert sorted(numbers.values()) == list(range(1, 26))
        for line in lines:
            assert (
                line["challenger"] == f"v{next(k for k in numbers if numbers[k] == line['look'])}"
            )
        assert len(set(printed)) == 25  # the five pairs that both asked for have one answer

    def test_no_look_is_free_or_lost_where_processes_are_killed(self, tmp_path):
        path = tmp_path / "looks.json"
        rng = np.random.default_rng(0)
        printed = []
        for attempt in range(12):
            pipes = {"stdout": -1, "stderr": -1}
            process = processes.start(["-c", ASK, path, 4 * attempt, 4], **pipes)
            assert process.stdout.readline() == "begin\n"
            time.sleep(rng.uniform(0, 0.6))
            process.kill()
            out, _ = process.communicate(timeout=300)
            printed += answers(f"begin\n{out}")
        ledger = json.loads(path.read_text()) if path.exists() else {"asked": []}
        by_name = {line["challenger"]: line for line in ledger["asked"]}
        for k, number, passed in printed:
            line = by_name[f"v{k}"]
            assert (line["look"], line["answer"] == "PASS") == (number, bool(passed))
        n_before = len(by_name)
        out = processes.run(["-c", ASK, path, 0, 48], check=True).stdout
        again = {k: (number, passed) for k, number, passed in answers(out)}
        assert len(again) == 48  # none is lost: each has its answer, also those without one
        for k, number, passed in printed:
            assert again[k] == (number, passed)
        lines = json.loads(path.read_text())["asked"]
        assert [line["look"] for line in lines] == list(range(1, 49))
        assert {line["challenger"] for line in lines[:n_before]} == set(by_name)

    def test_a_look_whose_process_dies_while_it_is_tested_is_spent(self, tmp_path):
        """A metric that ends its process, as a crash in compiled code does."""
        path = tmp_path / "looks.json"
        code = (
            "import os, sys; import numpy as np; from skcvstats.test_set import LookLedger\n"
            "def score(y, p): os.kill(os.getpid(), 9) if sys.argv[2] == '1' else None; return 1.0\n"
            "y = np.arange(200) % 2\n"
            "print(LookLedger(sys.argv[1]).test(y, 1 - y, y, scoring=score).number)"
        )
        assert processes.run(["-c", code, path, "1"]).returncode == -9
        (line,) = json.loads(path.read_text())["asked"]
        assert line["answer"] == "no answer yet"
        assert processes.run(["-c", code, path, "0"], check=True).stdout == "1\n"
        (line,) = json.loads(path.read_text())["asked"]
        assert line["answer"] == "NOT SHOWN"


def exact_passes(n_new, n_apart, level):
    """McNemar's exact one-sided test, for arrays."""
    return binom.sf(n_new - 1, n_apart, 0.5) <= level


@pytest.mark.calibration
@pytest.mark.parametrize("share", [0.02, 0.2])
def test_an_adaptive_agent_hardly_ever_gets_a_false_pass(share):
    """2,000 loops of 50 looks, with a target that is independent of all predictions.

    So no model is better than another, and each PASS is false. The agent keeps whatever passes,
    and proposes what differs from the champion at random rows, and mixtures of all that passed.
    """
    n_loops, n_rows, looks = 2000, 1000, 50
    levels = np.array([level_of_look(0.05, looks, f) for f in range(looks)])
    rng = np.random.default_rng(0)
    y = rng.random((n_loops, n_rows)) < 0.5
    champion = rng.random((n_loops, n_rows)) < 0.5
    votes = 2.0 * champion - 1.0  # of all champions so far
    n_passed = np.zeros(n_loops, dtype=int)
    for look in range(looks):
        other = rng.random((n_loops, n_rows)) < share
        challenger = champion ^ other
        if look % 3 == 2:  # the vote of those that passed, ties at random
            mixture = votes + rng.uniform(-0.9, 0.9, (n_loops, n_rows)) > 0
            challenger = mixture ^ (rng.random((n_loops, n_rows)) < share / 4)
        apart = challenger != champion
        right = (challenger == y) & apart
        passed = exact_passes(right.sum(axis=1), apart.sum(axis=1), levels[n_passed])
        n_passed += passed
        champion = np.where(passed[:, np.newaxis], challenger, champion)
        votes += np.where(passed[:, np.newaxis], 2.0 * challenger - 1.0, 0.0)
    n_false = int(np.count_nonzero(n_passed))
    assert binomtest(n_false, n_loops).proportion_ci(0.99).high <= 0.05
    assert n_false > 0  # the agent does try


@pytest.mark.calibration
def test_without_a_ledger_many_loops_have_a_false_pass():
    """As above, each look at the level 0.025 with the same target."""
    rng = np.random.default_rng(0)
    n_loops, n_rows = 200, 1000
    y = rng.random((n_loops, n_rows)) < 0.5
    champion = rng.random((n_loops, n_rows)) < 0.5
    n_passed = np.zeros(n_loops, dtype=int)
    for _ in range(50):
        apart = rng.random((n_loops, n_rows)) < 0.2
        challenger = champion ^ apart
        right = (challenger == y) & apart
        passed = exact_passes(right.sum(axis=1), apart.sum(axis=1), 0.025)
        n_passed += passed
        champion = np.where(passed[:, np.newaxis], challenger, champion)
    assert np.mean(n_passed > 0) > 0.35


@pytest.mark.calibration
def test_an_agent_that_calls_the_ledger_itself(tmp_path):
    """The simulated loops are those of the class: the same answers to the same challengers."""
    rng = np.random.default_rng(0)
    n_passed = 0
    for loop in range(4):
        y = rng.integers(0, 2, 600)
        champion = np.where(rng.random(600) < 0.7, y, 1 - y)
        ledger = LookLedger(tmp_path / f"{loop}.json", looks=15)
        passed_so_far = 0
        for _ in range(15):
            better = rng.random(600) < rng.choice([0.0, 0.02, 0.1, 0.3])
            challenger = np.where(better, y, champion)
            challenger = np.where(rng.random(600) < 0.03, 1 - challenger, challenger)
            apart = challenger != champion
            right = (challenger == y) & apart
            level = level_of_look(0.05, 15, passed_so_far)
            wanted = bool(exact_passes(right.sum(), apart.sum(), level))
            look = ledger.test(y, champion, challenger, scoring="accuracy")
            assert (look.passed, look.level) == (wanted, level)
            if wanted:
                passed_so_far += 1
                champion = challenger
        n_passed += passed_so_far
    assert 4 < n_passed < 40


@pytest.mark.calibration
@pytest.mark.parametrize("kind", ["normal", "exponential", "lognormal", "sparse"])
def test_the_t_test_far_out_holds_its_level_where_enough_rows_tell(kind, tmp_path):
    """Level 5e-4, 500 rows, differences of mean 0: exact binomial bound on the false passes."""
    rng = np.random.default_rng(5)
    n_rows, n_sets, level = 500, 400_000, 5e-4
    n_false = 0
    for _ in range(n_sets // 20_000):
        size = (20_000, n_rows)
        if kind == "normal":
            d = rng.normal(size=size)
        elif kind == "exponential":
            d = 1 - rng.exponential(size=size)
        elif kind == "lognormal":
            d = math.exp(0.5) - rng.lognormal(size=size)
        else:
            d = np.where(rng.random(size) < 0.05, 0.19, -0.01) * rng.choice([-1, 1], size)
        mean = d.mean(axis=1)
        d -= mean[:, np.newaxis]
        squares = d**2
        sums = squares.sum(axis=1)
        telling = sums**2 / (squares**2).sum(axis=1)
        statistic = mean / np.sqrt(sums / (n_rows - 1) / n_rows)
        n_false += np.count_nonzero((t.sf(statistic, n_rows - 1) <= level) & (telling >= 100))
    assert binomtest(n_false, n_sets, 1.5 * level, alternative="greater").pvalue > 0.001
