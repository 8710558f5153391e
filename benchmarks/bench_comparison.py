"""All pairs of finished scores: seconds and peak memory of a comparison and of its table."""

import time
import tracemalloc

import numpy as np

from skcvstats import CVScores, SplitDesign, compare_scores

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

    params = (10, 80, 200)
    param_names = ("n_estimators",)
    repeat = 5

    def setup(self, n_estimators):
        self.scores = scores_of(n_estimators)
        self.result = self.compare()
        self.result.to_frame()  # pandas is imported when it is first needed

    def compare(self):
        return compare_scores(self.scores, adjustment="holm")

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


def best_of(function, repeat=7):
    """Return the least seconds of several calls."""
    seconds = []
    for _ in range(repeat):
        started = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


if __name__ == "__main__":
    for n_estimators in AllPairs.params:
        benchmark = AllPairs()
        benchmark.setup(n_estimators)
        times = [best_of(benchmark.compare), best_of(benchmark.result.to_frame)]
        peak = benchmark.track_peak_mb(n_estimators)
        written = " ms, ".join(f"{1e3 * seconds:.1f}" for seconds in times)
        print(f"{n_estimators} estimators: compare, to_frame {written} ms, peak {peak:.0f} MB")
