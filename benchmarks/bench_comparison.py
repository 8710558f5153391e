"""All pairs of finished scores: seconds and memory of a comparison, its table and its text."""

import time
import tracemalloc
from dataclasses import replace

import numpy as np

from skcvstats import CVScores, SplitDesign, compare_scores
from skcvstats.scores import RowScores

N_SPLITS = 15


def scores_of(n_estimators):
    """Return the scores of estimators that differ a little."""
    random_state = np.random.RandomState(0)
    skills = random_state.normal(0.8, 0.02, size=(n_estimators, 1))
    noise = random_state.normal(0, 0.02, size=(n_estimators, N_SPLITS))
    return CVScores(
        values=skills + noise,
        design=SplitDesign.from_sizes(900, 100, n_splits=N_SPLITS),
        labels=tuple(f"model {k}" for k in range(n_estimators)),
        metric="accuracy",
    )


class AllPairs:
    """``compare_scores`` of all pairs and its ``to_frame()``."""

    adjustment = "holm"
    params = (10, 80, 200)
    param_names = ("n_estimators",)
    repeat = 5

    def setup(self, n_estimators):
        self.scores = scores_of(n_estimators)
        self.result = self.compare()
        self.result.to_frame()  # pandas is imported when it is first needed

    def compare(self):
        return compare_scores(self.scores, adjustment=self.adjustment)

    def time_compare(self, n_estimators):
        self.compare()

    def time_frame(self, n_estimators):
        self.result.to_frame()

    def track_peak_mb(self, n_estimators):
        tracemalloc.start()
        try:
            self.compare().to_frame()
            return tracemalloc.get_traced_memory()[1] / 2**20
        finally:
            tracemalloc.stop()

    track_peak_mb.unit = "MB"


class Text:
    """The first ``str(result)``, once the set of the best and the intervals of scores are known."""

    params = (10, 200)
    param_names = ("n_estimators",)
    repeat = 5
    timeout = 120  # the set of the best is simulated

    def setup(self, n_estimators):
        self.result = compare_scores(scores_of(n_estimators), adjustment="holm")
        self.result.ranking()

    def text(self):
        # the same tests, without what they have already counted
        again = {metric: replace(tests) for metric, tests in self.result.tests_by_metric.items()}
        return str(replace(self.result, tests_by_metric=again))

    def time_text(self, n_estimators):
        self.text()


class MaxT(AllPairs):
    """The same with one critical value, simulated; ``ranking()`` uses the simulation again."""

    adjustment = "max_t"
    params = (10, 200, 500)
    timeout = 120

    def time_ranking(self, n_estimators):
        self.compare().ranking()

    def peakmem_compare(self, n_estimators):
        self.compare()


class ManyModels:
    """All pairs, text and set of the best of many models by the row t-test, without fits."""

    params = ([(200, 5000), (500, 1000)],)
    param_names = ("n_estimators_and_rows",)
    number = repeat = 1
    timeout = 300

    def setup(self, sizes):
        n_estimators, n_rows = sizes
        rng, everyone = np.random.default_rng(0), np.arange(n_rows)
        folds = [np.sort(part) for _ in range(4) for part in np.split(rng.permutation(n_rows), 5)]
        difficulty, skills = rng.random(n_rows), np.linspace(0.1, 0.2, n_estimators)[:, np.newaxis]
        rows = RowScores.from_splits(
            [
                1.0 * (difficulty[f] + 0.3 * rng.random((n_estimators, len(f))) > skills)
                for f in folds
            ],
            folds,
        )
        self.scores = CVScores(
            values=rows.means(),
            design=SplitDesign.from_indices([np.setdiff1d(everyone, f) for f in folds], folds),
            labels=tuple(f"model {k}" for k in range(n_estimators)),
            row_scores=rows,
        )

    def compare(self):
        result = compare_scores(self.scores, method="row_t")
        return str(result), result.best_set()

    def time_compare(self, sizes):
        self.compare()

    def peakmem_compare(self, sizes):
        self.compare()


def best_of(function, repeat=7):
    """Return the least seconds, and the least of processor time, of several calls."""
    seconds = []
    for _ in range(repeat):
        started = time.perf_counter(), time.process_time()
        function()
        seconds.append((time.perf_counter() - started[0], time.process_time() - started[1]))
    return np.min(seconds, axis=0)


if __name__ == "__main__":
    for benchmark in (AllPairs(), MaxT()):
        for n_estimators in benchmark.params:
            benchmark.setup(n_estimators)
            (wall, cpu), (frame, _) = map(best_of, (benchmark.compare, benchmark.result.to_frame))
            peak = benchmark.track_peak_mb(n_estimators)
            print(
                f"{benchmark.adjustment}, {n_estimators} estimators: compare {1e3 * wall:.1f} ms "
                f"({1e3 * cpu:.1f} of processor time), to_frame {1e3 * frame:.1f} ms, peak "
                f"{peak:.0f} MB"
            )
