"""What a reader should know of the notes that are not looked for here, by their codes.

A procedure makes notes of its own numbers, a result of what was done to it, and what only one step
of a call sees, that step notes.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class DescribedNote:
    """What a reader should know of a note."""

    code: str
    title: str
    looks_for: str
    why: str
    remedy: str
    on_sound_data: str = "Not counted, as it is a procedure's note on its own numbers."


_OF_SPLITS = [
    DescribedNote(
        "doubtful: same test rows",
        title="The same test rows in all splits, accepted",
        looks_for="Several splits that test on the same rows, in a call that accepts them.",
        why="The variance is understated, and a test rejects true null hypotheses far too often.",
        remedy="Use cv=RepeatedSubsampleSplit() over all rows.",
        on_sound_data="Not applicable: such splits are accepted only where a call says so.",
    ),
    DescribedNote(
        "doubtful: repeated splits",
        title="Repeated splits, accepted",
        looks_for="The same split several times, in a call that accepts it.",
        why="A repetition adds no information, but counts as a degree of freedom, and the "
        "variance is understated.",
        remedy="Pass each split once.",
        on_sound_data="Not applicable: such splits are accepted only where a call says so.",
    ),
    DescribedNote(
        "exchanged sizes",
        title="Exchanged sizes",
        looks_for="Stated sizes with more test rows than training rows.",
        why="If n_train and n_test were exchanged, the correction is far too large.",
        remedy="Check the order of n_train and n_test.",
        on_sound_data="Not applicable: no sizes were stated there.",
    ),
    DescribedNote(
        "every split",
        title="Every possible split",
        looks_for="Splits that are all the splits there are of this size.",
        why="They are no independent draws, so the degrees of freedom overstate the precision of "
        "the variance.",
        remedy="Use repeated k-fold cross-validation, or random splits.",
    ),
    DescribedNote(
        "single test rows",
        title="Single test rows",
        looks_for="Splits that test on one row each, as leave-one-out does.",
        why="A score is one loss. The mean of few skewed losses is far from normal, and tests can "
        "reject true null hypotheses too often.",
        remedy="Test on more rows: cv=RepeatedSubsampleSplit().",
    ),
    DescribedNote(
        "unequal training sizes",
        title="Unequal training sizes",
        looks_for="Training sets where the largest is more than twice the smallest.",
        why="The scores do not have one mean and one variance, as the test assumes.",
        remedy="Use splits of like sizes.",
    ),
    DescribedNote(
        "unequal test sizes",
        title="Unequal test sizes",
        looks_for="Test sets where the largest is more than twice the smallest.",
        why="The scores do not have one mean and one variance, as the test assumes.",
        remedy="Use splits of like sizes.",
    ),
]
_OF_NUMBERS = [
    DescribedNote(
        "few splits",
        title="Few splits",
        looks_for="Fewer than 10 splits.",
        why="The variance is poorly estimated, and the test has little power.",
        remedy="Use at least 10 splits, better 15.",
    ),
    DescribedNote(
        "few groups",
        title="Few groups",
        looks_for="A small number of groups.",
        why="The variance between groups is poorly estimated, and the test has little power.",
        remedy="Collect more groups rather than more rows; 30 are good.",
    ),
    DescribedNote(
        "few rows",
        title="Few test rows for a t-test",
        looks_for="A t-test of the losses of few test rows.",
        why="With skewed losses of so few rows it rejects true null hypotheses too often.",
        remedy='Use law="t", and test on more rows if losses are skewed.',
    ),
    DescribedNote(
        "few times",
        title="Few times",
        looks_for="Forecasts of few times.",
        why="Where the scores of neighbouring times depend on each other, tests reject true null "
        "hypotheses too often.",
        remedy="Test on a longer period.",
    ),
    DescribedNote(
        "few pairs",
        title="Few pairs of half-samples",
        looks_for="Fewer pairs of half-samples than the conservative Z-test needs.",
        why="The variance is poorly estimated.",
        remedy="Use 5 to 10 pairs.",
    ),
    DescribedNote(
        "few replicates",
        title="Few replicates",
        looks_for="Few replicates of the corrected bootstrap.",
        why="The variance is poorly estimated.",
        remedy="Use n_replicates=16.",
    ),
    DescribedNote(
        "effective groups",
        title="Groups of unequal sizes",
        looks_for="Groups that are so unequal that they are like few equal ones.",
        why="A few groups decide the result, so only large differences can be shown, and some "
        "tests reject true null hypotheses too often.",
        remedy="Test on more groups of like size.",
    ),
    DescribedNote(
        "effective rows",
        title="Rows of unequal weights",
        looks_for="Weights of rows that are so unequal that the rows are like few equal ones.",
        why="A few rows decide the result, so only large differences can be shown, and some tests "
        "reject true null hypotheses too often.",
        remedy="Test on more rows of like weight.",
    ),
    DescribedNote(
        "unequal groups",
        title="Unequal groups and the sandwich estimate",
        looks_for="The sandwich variance with groups of unequal sizes.",
        why="It is then too small, and tests reject 7 to 39 % of true null hypotheses at the 5 % "
        "level.",
        remedy="Use variance='jackknife'.",
    ),
    DescribedNote(
        "unequal rows",
        title="Unequal weights and the sandwich estimate",
        looks_for="The sandwich variance with rows of unequal weights.",
        why="It is then too small, and tests reject 7 to 39 % of true null hypotheses at the 5 % "
        "level.",
        remedy="Use variance='jackknife'.",
    ),
    DescribedNote(
        "one repeat",
        title="One repeat of folds",
        looks_for="Cross-validation with one repeat.",
        why="One repeat does not show how scores vary with the folds, so a part of the variance is "
        "assumed.",
        remedy="Repeat the folds: cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4).",
    ),
    DescribedNote(
        "liberal procedure",
        title="Anticonservative procedure",
        looks_for="A procedure, or options of one, that is known to be anticonservative.",
        why="It rejects true null hypotheses more often than the level says.",
        remedy="Use the procedure that the note names, or the default.",
    ),
    DescribedNote(
        "undetermined",
        title="Undetermined",
        looks_for="Scores or differences that do not vary.",
        why="The estimated variance is 0, so no conclusion can be drawn.",
        remedy="Use a finer metric, more test rows or more splits.",
    ),
    DescribedNote(
        "second procedure",
        title="A second procedure",
        looks_for="Another procedure on scores that were made for one on rows.",
        why="After trying several procedures one may choose the answer that one wanted.",
        remedy="Report the procedure that was chosen beforehand.",
    ),
    DescribedNote(
        "nearly equal training sizes",
        title="Half-samples of nearly equal size",
        looks_for="Half-samples that train on nearly as many rows as the estimate.",
        why="Models vary nearly as much on both, so the variance is hardly larger than needed, or "
        "too small.",
        remedy="Train on more rows; the default is nine tenths.",
    ),
    DescribedNote(
        "auxiliary data not verified",
        title="Auxiliary data not verified",
        looks_for="Auxiliary scores without a record of their data.",
        why="Scores of other data would give a wrong variance.",
        remedy="Pass y= to CVScores.from_cv_results for both.",
    ),
    DescribedNote(
        "auxiliary pool",
        title="Auxiliary splits of more rows",
        looks_for="Auxiliary splits that were drawn from more rows than those of the estimate.",
        why="This is right only if the rows of the estimate are a part of the same data.",
        remedy="Draw both from the same rows.",
    ),
    DescribedNote(
        "few refits",
        title="Few refits over time",
        looks_for="The Diebold-Mariano test on fewer than 10 splits.",
        why="The luck of a fit moves its whole test block. At 3 to 5 splits the intervals of "
        "differences miss the mean over other training rows in 10 to 43 %.",
        remedy="Take 10 splits or more, cv=TimeSeriesSplit(10).",
        on_sound_data="Reported whenever there are so few splits, as a fact.",
    ),
    DescribedNote(
        "correlation",
        title="Assumed correlation of splits",
        looks_for="A plan of the number of splits.",
        why="It rests on the correlation of the scores of two splits, which scores cannot show.",
        remedy="Pass rho= if you know it better.",
    ),
    DescribedNote(
        "inflation",
        title="Inflation of the row t-test",
        looks_for="Another inflation than 0.5 or 1, or a plan that rests on it.",
        why="The error rates of the row t-test were measured with 0.5.",
        remedy="Leave inflation at 0.5, or take 1 to be careful.",
    ),
    DescribedNote(
        "folds not measured",
        title="Another number of folds",
        looks_for="The row t-test on other than 5 or 10 folds.",
        why="Its error rates were measured with 5 and with 10 folds.",
        remedy="Use 5 or 10 folds.",
    ),
    DescribedNote(
        "fits differ",
        title="Fits that differ",
        looks_for="Scores that vary more between fits than their test rows explain.",
        why="This may be chance, or some fits are bad. The interval is longer for it, but a few "
        "bad fits say little about how many there would be with other training rows.",
        remedy="Look at the scores of each split for fits that failed to converge.",
    ),
    DescribedNote(
        "mean of AUC",
        title="AUC as a mean of folds",
        looks_for="The row t-test on the mean AUC of folds.",
        why="It is not the AUC over all out-of-fold rows, which others report.",
        remedy="Say which of the two you report.",
    ),
    DescribedNote(
        "mean over rows",
        title="Mean over rows",
        looks_for="A mean over rows that differs from the mean over folds by less than half a "
        "standard error.",
        why="Folds of unequal sizes weigh differently in the two, and others may report the "
        "second.",
        remedy="Say which of the two you report.",
    ),
]
_OF_COMPARISONS = [
    DescribedNote(
        "dropped splits",
        title="Dropped splits",
        looks_for="Splits that were left out because a score is missing.",
        why="The other splits may differ from those in which a fit failed.",
        remedy="Fix the fits that fail.",
        on_sound_data="Not applicable: no score was missing there.",
    ),
    DescribedNote(
        "versions of parts differ",
        title="Parts of different versions",
        looks_for="Parts of scores that were made with different versions of packages.",
        why="Scores may differ between versions.",
        remedy="Score all parts with the same versions.",
        on_sound_data="Not applicable: all was scored with the same versions.",
    ),
    DescribedNote(
        "pairing not verified",
        title="Pairing not verified",
        looks_for="Scores whose splits were stated, or are known by their sizes only.",
        why="Scores on different splits would give a wrong standard error of the difference.",
        remedy="Make sure that all were scored on the same splits, in the same order.",
        on_sound_data="Reported for splits that are stated or known by their sizes, as a fact.",
    ),
    DescribedNote(
        "target not verified",
        title="Target not verified",
        looks_for="Results of cross_validate without the target.",
        why="Scores of different targets cannot be compared.",
        remedy="Pass y= to CVScores.from_cv_results for each.",
        on_sound_data="Reported whenever the target is not passed, as a fact.",
    ),
]
_OF_TEST_SETS = [
    DescribedNote(
        "small bootstrap",
        title="Bootstrap of few rows or groups",
        looks_for="A bootstrap of few rows or groups, or of few with the rarer class.",
        why="Its intervals are too short, and tests reject true null hypotheses too often.",
        remedy="Test on more rows or groups.",
    ),
    DescribedNote(
        "runs differ",
        title="Runs that differ",
        looks_for="Repeated runs of models whose mean scores vary more than their rows explain (F "
        "test at the 1 % level, for several pairs by Bonferroni's method).",
        why="The interval is about these runs. Runs with other seeds would move the score or the "
        "difference, and more rows do not shorten that.",
        remedy="Take more runs, and report how far the runs are apart.",
        on_sound_data="In 0.1 to 1.1 % of comparisons where runs do not differ (seven settings of "
        "50 to 1,000 rows and 2 to 10 runs, 4,000 data sets each).",
    ),
    DescribedNote(
        "percentile",
        title="Plain percentiles",
        looks_for="Bootstrap intervals whose bias correction or acceleration is not defined.",
        why="They are of plain percentiles, which cover less well.",
        remedy="Test on more rows.",
    ),
    DescribedNote(
        "undefined replicates",
        title="Undefined bootstrap samples",
        looks_for="Bootstrap samples on which the metric is not defined.",
        why="They were drawn again, so the samples are no longer plain random ones.",
        remedy="Test on more rows of the rarer class.",
    ),
    DescribedNote(
        "smoothness",
        title="Smoothness of a metric",
        looks_for="A metric on a test set that is not among the known ones. Leaving out blocks of "
        "rows shows whether it is smooth.",
        why="The jackknife is right for smooth metrics. Others, such as medians and quantiles, "
        "have the bootstrap.",
        remedy='Nothing, unless method="jackknife_t" was asked for: then use method="bootstrap".',
        on_sound_data="Reported for every such metric, as a fact.",
    ),
    DescribedNote(
        "few positives",
        title="Low average precision of few positives",
        looks_for="An average precision below 0.4 with 9 to 30 positive rows.",
        why="The interval of a single score misses it in 8 to 12 % of data sets.",
        remedy="Test on more positive rows.",
    ),
    DescribedNote(
        "few for one AUC",
        title="Few rows for one AUC",
        looks_for="An AUC with few rows of one class.",
        why="The interval of a single AUC is approximate.",
        remedy="Test on more rows of the class.",
    ),
    DescribedNote(
        "exact test",
        title="Exact test",
        looks_for="Two models that differ only where the same one is right.",
        why="The normal approximation is not good there, so p is that of McNemar's exact test.",
        remedy="Nothing; it is a fact about the test.",
        on_sound_data="Reported for every such pair, as a fact.",
    ),
    DescribedNote(
        "omnibus test",
        title="Omnibus test",
        looks_for="More than two models, for which Cochran's Q is given.",
        why="It says whether any two differ. No comparison depends on it.",
        remedy="Nothing; it is a fact about the models together.",
        on_sound_data="Reported whenever more than two models are compared, as a fact.",
    ),
    DescribedNote(
        "mid-p",
        title="McNemar's mid-p",
        looks_for="McNemar's test of accuracies, beside the score test.",
        why="Readers may know it better. It is not adjusted.",
        remedy="Nothing; it is a fact about another test.",
        on_sound_data="Reported beside such score tests of few pairs, as a fact.",
    ),
    DescribedNote(
        "wilcoxon",
        title="Wilcoxon's signed-rank p",
        looks_for="Models that are compared on data sets or tasks, by unit= of compare_losses.",
        why="Tables of such comparisons report it. It is not adjusted.",
        remedy="Nothing; it is a fact about another test.",
        on_sound_data="Reported beside every such t-test, as a fact.",
    ),
]
DESCRIBED_NOTES = [*_OF_SPLITS, *_OF_NUMBERS, *_OF_COMPARISONS, *_OF_TEST_SETS]
