"""Scores and designs that do not fit each other, or do not fit the procedure."""

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit

import skcvstats as s
from skcvstats import stats
from skcvstats.plotting import ComparisonDisplay

from .given import BOTH, DESIGN, FOUR, NAN, SPLITS, TWO, X, Y, array, cross, scored, ttest

OTHERS = list(ShuffleSplit(4, test_size=10, random_state=1).split(X))
SPARSE = ShuffleSplit(2, train_size=10, test_size=5, random_state=0)
HALVES = s.SplitDesign.from_sizes(30, 30, n_splits=4)
ONE = s.SplitDesign.from_sizes(50, 10, n_splits=1)
TEN = np.linspace(0, 1, 10)
HELD = {"a": cross(), "b": cross()}
HUGE = s.CVScores(values=[1e200] * 4, design=DESIGN)
METRICS = dict.fromkeys("ab", cross(scoring=["f1", "r2"]))
SAVED = {name: {"test_score": one["test_score"]} for name, one in HELD.items()}


def read(**options):
    return s.CVScores.from_cv_results(cross(), **options)


def of(cv):
    return s.SplitDesign.from_splitter(cv, X, Y)


def compared():
    return s.compare_scores(scored(TWO, labels=BOTH))


def conservative(x=(0.1, 0.2), auxiliary=(((0.1, 0.2), (0.3, 0.1)),), **options):
    return stats.conservative_ztest(x, auxiliary, **{"n_train": 90, "n_test": 10, **options})


def frame(*, turned=False, names=BOTH):
    scores = pd.DataFrame(np.transpose(TWO), columns=names)
    return scores.T if turned else scores


def reread(old="", new="", **options):
    return s.ComparisonResult.from_json(compared().to_json().replace(old, new), **options)


def halves(n=60, shape=(1, 2, 2), unit="rows"):
    count = int(np.prod(shape))
    return s.CVScores(
        values=np.linspace(0, 1, count),
        design=s.SplitDesign(
            n_samples=n,
            n_train=(n // 2 - 10,) * count,
            n_test=(10,) * count,
            levels=("pair", "half", "split"),
            shape=shape,
            unit=unit,
        ),
    )


def replicates(shape, function=stats.bootstrap_ttest):
    return function(np.linspace(0, 1, int(np.prod(shape))).reshape(shape), n_train=90, n_test=10)


def rows(x=(0.1, 0.2, 0.4), **options):
    return stats.holdout_ttest(x, n_train=90, **options)


def fixed(n_test=30, n_samples=160):
    sizes = {"n_train": 40, "n_test": n_test, "n_samples": n_samples}
    return stats.resampled_ttest([0.1, 0.2, 0.3, 0.2], hypotheses="fixed", **sizes)


def sizes(n_train=90, n_test=10, **options):
    return s.SplitDesign.from_sizes(n_train, n_test, **options)


def pairs(x=TEN, n_train=50, n_test=50, **options):
    return stats.five_by_two_cv_ttest(x, n_train=n_train, n_test=n_test, **options)


def load(old="", new="", *, text=None, keep=None):
    """Save scores, spoil the text and load it."""
    text = text or FOUR.to_json()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scores.json")
        path.write_text(text.replace(old, new)[:keep] if old else text[:keep])
        return s.CVScores.load(path)


# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
FIT_ERRORS = [
    (lambda: scored(NAN, NAN, NAN, NAN).dropna(), "No split is left", "[Mm]end|[Ss]core again"),
    (lambda: ttest(scored(.1, NAN, .3, .2)), "tree, split 1, is nan", r"with \.dropna\(\)"),
]
PAIRING_ERRORS = [
    (lambda: ttest(cross(), cross(OTHERS)), "4 of 4 splits differ", "an integer random_state"),
    (lambda: ttest(cross(), cross(KFold(5))), "4 splits against 5", "with the same cv"),
    (lambda: ttest(FOUR, scored(TWO[0], design=HALVES)), "sizes of the splits", "the same cv"),
    (lambda: ttest(cross(), cross(SPLITS[::-1])), "in another order", "in one order"),
    (lambda: ttest(read(y=Y), read(y=1 - Y)), "different targets y", "in the same row order"),
    (lambda: ttest(FOUR, scored(TWO[0], metric="f1")), "'score' and 'f1'", "[Ss]core both|same"),
    (lambda: s.compare_scores({"a": cross(), "b": read(metric="accuracy")}), "'score' and 'accu",
     "metric='accuracy' to .*metric= to compare_scores"),
    (lambda: s.ConservativeZTest()(scored(TWO, labels=BOTH), auxiliary=halves()), "shape (2, 4)",
     "the same estimators"),
    (lambda: s.ConservativeZTest()(FOUR, auxiliary=replace(halves(), labels=("b",))), "'b'",
     "the same estimators"),
]
DESIGN_ERRORS = [
    (lambda: of(ShuffleSplit(3)), "ShuffleSplit(n_splits=3",
     r"from_indices\(\.\.\.\).*from_sizes\("),
    (lambda: ttest(*SAVED.values()), "'indices'", r"return_ind.*_cv_results .*from_splitter\("),
    (lambda: s.compare_scores({"a": TWO[0], "b": TWO[1]}), "scores of 'a'", "design=Split"),
    (lambda: s.compare_scores(TWO), "not in an array", r"design=SplitDesign\.from_splitter\("),
    (lambda: s.compare_scores(SAVED), "'indices'", r"compare_scores: design=SplitDesign\.from"),
    (lambda: s.compare_scores(HELD, design=HALVES), "contradict design=", "leave design out"),
    (lambda: s.compare_scores(HELD, design=s.SplitDesign.from_splitter(KFold(4), X)),
     "other splits", "leave design out"),
    (lambda: ttest(cross(SPARSE)), "2 splits use 24 rows", "Pass n_samples="),
    (lambda: array([.1]), "there is 1", "Score on more splits"),
    (lambda: array(n_samples=99), "n_samples=99", "at least that many"),
    (lambda: array(n_train=[90] * 4), "[90, 90, 90, 90]", "one (size )?for each split"),
    (lambda: array(n_train=[90, 90, 90, 90, 89]), "(99 to 100)", "Pass n_samples="),
    (lambda: array(n_train=.9, n_test=.1), "0.9", "one integer of at least 1 for each split"),
    (lambda: rows([.1]), "there is 1", "Make test_size larger"),
    (lambda: s.HoldoutTTest()(FOUR), "there are 4", r"RepeatedSubsampleSplit\(n_splits=1"),
    (lambda: s.ResampledTTest(hypotheses="fixed")(cross()), "splits on which models", "differ"),
    (lambda: fixed(n_samples=100), "but there are 100", "fitted again for each test set"),
    (lambda: fixed(n_test=29), "29 rows", "at least 30 .* Use fewer, larger"),
    (lambda: pairs(TEN[:8]), "there are 8", "scores of 5 x 2 splits"),
    (lambda: pairs(n_train=90, n_test=10), "n_train=90 and n_test=10", r"cv=RepeatedTwoFold\(\)"),
    (lambda: stats.five_by_two_cv_ftest(FOUR), "arranged as split", r"cv=RepeatedTwoFold\(\)"),
    (lambda: s.FiveByTwoCVTTest()(cross(RepeatedKFold(n_splits=2, n_repeats=4))), "are 4 of 2",
     "n_repeats=5"),
    (lambda: replicates((2, 5)), "there are 2", "n_replicates=16"),
    (lambda: replicates(10), "shape (10,)", r"\(\.\.\., n_replicates, n_splits\)"),
    (lambda: s.BootstrapTTest()(FOUR), "arranged as split", "state levels="),
    (lambda: conservative(auxiliary=np.ones((2, 3, 4))), "shape (2, 3, 4)", r"\(n_pairs, 2, "),
    (lambda: conservative(n_train=50, n_test=50), "testing on 50", "Test on 1 to 49"),
    (lambda: conservative(auxiliary_n_test=2.5), "testing on 2.5", "Test on 1 to 49"),
    (lambda: s.ConservativeZTest()(FOUR), "needs auxiliary splits too", "pass auxiliary="),
    (lambda: s.ConservativeZTest()(FOUR, auxiliary=FOUR), "arranged as split", r"HalfSplitPairs"),
    (lambda: s.ConservativeZTest()(FOUR, auxiliary=halves(40)), "from 40 rows", "same rows"),
    (lambda: s.ConservativeZTest()(cross(KFold(4))), "as fold", "for the estimate"),
    (lambda: ttest(FOUR, auxiliary=halves()), "uses one set of splits only", "leave auxiliary out"),
    (lambda: sizes(), "n_splits=None", "Pass n_splits="),
    (lambda: sizes(n_splits=9, levels=("folds",)), "levels=('folds',)", "is not one of .*'fold'"),
    (lambda: s.SplitDesign.from_indices(*zip(*SPLITS, strict=True), n_samples=60, y=Y[1:]),
     "{'n_samples': 60, 'y': 59}", "pass them alike"),
]
TYPE_ERRORS = [
    (lambda: s.evaluation_report({"a": 1}), "got dict", "Pass such a result"),
    (lambda: array(FOUR), "x is a CVScores", r"Call CorrectedResampledTTest\(\)\(x\)"),
    (lambda: stats.conservative_ztest([.1] * 4, halves(), n_train=50, n_test=10),
     "auxiliary is a CVSc", r"Call ConservativeZTest\(\)"),
    (lambda: ttest(np.arange(5.0)), "got ndarray", "use the procedure's function"),
    (lambda: s.compare_scores([FOUR, FOUR]), "got list", 'such as {"tree": a, "forest": b}'),
    (lambda: s.compare_scores(compared()), "got ComparisonResult", r"are result\.scores"),
    (lambda: ttest(compared()), "got ComparisonResult", r"result\.tests\[0\]\.scores"),
    (lambda: ttest(ttest(FOUR)), "got CVTestResult", r"are result\.scores"),
    (lambda: s.compare_scores(SAVED, design=KFold(4)), "design=KFold(", r"\.from_splitter\("),
    (lambda: s.ConservativeZTest()(FOUR, auxiliary=(halves(),) * 2), "got tuple", "must be"),
    (lambda: s.ConservativeZTest()(FOUR, FOUR, auxiliary=[halves()]), "got list", "the pair of"),
    (lambda: s.SplitDesign.from_splitter(SPLITS, X, Y), "must be a splitter", "zip.*from_indices"),
    (lambda: s.compare_scores({"a": "high", "b": "low"}), "of 'a' are of type str", "one score"),
    (lambda: stats.five_by_two_cv_ftest(TEN, TEN), "other goes with", r"ftest\(a - b\)"),
    (lambda: FOUR.confidence_interval(method=s.CorrectedResampledTTest), "method=<class",
     r"such as CorrectedResampledTTest\(\)"),
]
INDEX_ERRORS = [(lambda: s.RepeatedSubsampleSplit(3).lazy_split(X)[3], "no split 3", "from 0")]
KEY_ERRORS = [(lambda: FOUR["forest"], "'forest' is not among", r"the labels \['tree'\]")]
VALUE_ERRORS = [
    (lambda: s.compare_scores(frame().astype(str), design=DESIGN),
     "The frame has texts in the column 'tree'", r"frame\.astype\(float\) if they are num"),
    (lambda: s.DesignRequest(kind="full"), "kind='full'", "'subsample', 'half_pairs', 'two_f"),
    (lambda: s.DesignRequest(kind="subsample", test_size=-3), "test_size=-3", "strictly between"),
    (lambda: s.DesignRequest(kind="half_pairs", test_size=1.5), "test_size=1.5", "a count of 1"),
    (lambda: s.DesignRequest(kind="subsample").with_sizes("The t-test", test_size=0.0),
     "test_size=0.0", "strictly between 0 and 1"),
    (lambda: s.DesignRequest(kind="folds").with_sizes("The folds t-test", n_splits=9), "n_splits=9",
     "4 repeats of 5 folds .*Leave n_splits out"),
    (lambda: array().confidence_interval(0), "confidence_level=0", "such as 0.95"),
    (lambda: s.ConservativeZTest(n_pairs=0), "n_pairs=0", "an integer of at least 1"),
    (lambda: s.HoldoutTTest(law="z"), "law='z'", "choose one of .*'normal'"),
    (lambda: s.HoldoutTTest(hypotheses="fix"), "hypotheses='fix'", "'fixed'"),
    (lambda: s.FiveByTwoCVTTest(variant="t8"), "variant='t8'", "'t4'"),
    (lambda: s.HoldoutTTest()(s.CVScores(values=[.1], design=ONE)), "scores of 'score'",
     "keep the scores of rows"),
    (lambda: conservative(auxiliary=[[["a"], ["b"]]]), "auxiliary of dtype", "convert it"),
    (lambda: stats.five_by_two_cv_ftest([NAN, *TEN[1:]]), "scores contains nan at (0,)", "leave"),
    (lambda: array([.1, NAN, .2]), "x contains nan at (1,)", "leave that split out"),
    (lambda: array(.1), "x has shape ()", "one for each split"),
    (lambda: array([]), "x has shape (0,)", "one for each split"),
    (lambda: scored(.1, .2), "shape (2,)", "one score for each of the 4 splits"),
    (lambda: scored(TWO[0], labels=("a", "b")), "2 labels", "one (label )?(for|per) "),
    (lambda: s.compare_scores(scored(TWO, labels=BOTH), metric="f1"), "'f1'", "contain 'score'"),
    (lambda: s.compare_scores(frame(turned=True), design=DESIGN), "(2, 4)", r"pass frame\.T"),
    (lambda: s.compare_scores(np.transpose(TWO), design=DESIGN), "(4, 2)", r"pass scores\.T"),
    (lambda: s.compare_scores(np.ones((4, 4)), design=DESIGN), "(4, 4)", r'\{"tree": scores\[0\]'),
    (lambda: s.compare_scores(np.ones((2, 3)), design=DESIGN), "(2, 3)", r"\(n_estimators, n_spl"),
    (lambda: s.compare_scores([["a"]], design=DESIGN), "array of scores", "convert it to fl"),
    (lambda: s.compare_scores(frame(names=["a", "a"]), design=DESIGN), "'a' and 'a'", "rename"),
    (lambda: s.compare_scores({"a": [1, 2], "b": [1, 2]}, design=DESIGN), "'a' have shape (2,)",
     "one score for each split"),
    (lambda: s.compare_scores({"a": TWO[0]}, design=DESIGN, metric=["f1", "r2"]), "['f1', 'r2']",
     "pass its name"),
    (lambda: s.compare_scores({**METRICS, "b": cross(scoring=["f1"])}),
     "not in all of these for 'b'", "metric="),
    (lambda: s.ComparisonResult.from_json(FOUR.to_json()), "not contain a Comparison", "json"),
    (lambda: reread('"version": 3', '"version": 9'), "version 9", "the skcvstats that wrote it"),
    (lambda: reread(method="resampled_t"), "method=ResampledTTest(", "leave method out"),
    (lambda: s.compare_scores({"tree": FOUR}), "['tree']", "use cross_val_inference"),
    (lambda: s.compare_scores(scored(TWO, labels=BOTH), design=DESIGN), "know their", "leave d"),
    (lambda: s.compare_scores(SAVED, design=ONE), "shape (4,)", "for each of the 1 splits"),
    (lambda: s.compare_scores({}), "No scores given", "give those of at least two estimators"),
    (lambda: ttest(METRICS["a"]), "['f1', 'r2'], and not in one", "metric= in"),
    (lambda: ttest({"fit_time": [1.0]}), "'fit_time'", "'test_score'"),
    (lambda: read(design=DESIGN, n_samples=60), "design=", "either design=, or n_samples="),
    (lambda: load(keep=-20), "scores.json is damaged", "Restore it|score again"),
    (lambda: load(": 60, ", ": 61, "), "does not match its checksum", "Restore it"),
    (lambda: scored(TWO, labels=BOTH, fit_times=[1.]), "fit_times has shape (1,)", r"\(2, 4\)"),
    (lambda: ttest(HUGE - replace(HUGE, values=-HUGE.values)), "is 1e+200", "Rescale the target"),
    (lambda: HUGE.confidence_interval(), "a score of the estimator in", "Rescale"),
    (lambda: s.compare_scores([*TWO, [1e150] * 4], design=DESIGN), "'estimator 2' is 1e+150",
     "by a constant"),
    (lambda: s.compare_scores(scored([*TWO, [1e-150] * 4], labels=(*BOTH, "c"))),
     "of c in 'score' is 1e-150", "Rescale the target or the metric"),
    (lambda: array(TWO, axis=2), "along axis=2", r"has shape \(2, 4\)"),
    (lambda: array(TWO, null_value=[0.] * 3), "null_value has shape (3,)", "pass a number"),
    (lambda: ComparisonDisplay.from_result(compared(), top=0), "top=0", "at least 1"),
    (lambda: s.compare_scores(scored(TWO, labels=BOTH), alternative="less", reference="tree").plot(
        "ranking", ranks=True), "no intervals of ranks", "draw scores"),
    (lambda: s.compare_scores(scored(TWO, labels=BOTH), alternative="less"),
     "='less' without a ref", "Pass reference="),
]
# fmt: on
CASES = {
    s.FitError: FIT_ERRORS,
    s.PairingError: PAIRING_ERRORS,
    s.SplitDesignError: DESIGN_ERRORS,
    TypeError: TYPE_ERRORS,
    IndexError: INDEX_ERRORS,
    KeyError: KEY_ERRORS,
    ValueError: VALUE_ERRORS,
}
