"""Ordinary data, real and generated, with models and metrics that suit them: nothing is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

SERIES = Path(__file__).parents[2] / "doc" / "data"

CLASSIFIERS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
}
MORE_CLASSIFIERS = {
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier(10)),
    "forest": RandomForestClassifier(5, max_depth=4, random_state=0),
    "prior": DummyClassifier(),
}
REGRESSORS = {
    "ridge": make_pipeline(StandardScaler(), Ridge()),
    "knn": make_pipeline(StandardScaler(), KNeighborsRegressor(10)),
    "tree": DecisionTreeRegressor(max_depth=4, random_state=0),
}
MORE_REGRESSORS = {
    "ridge": make_pipeline(StandardScaler(), Ridge()),
    "forest": RandomForestRegressor(5, max_depth=4, random_state=0),
    "mean": DummyRegressor(),
}
METRICS = {
    "two classes": ["accuracy", "balanced_accuracy", "f1", "roc_auc", "neg_log_loss"],
    "classes": ["accuracy", "balanced_accuracy", "f1_macro", "roc_auc_ovr", "neg_log_loss"],
    "numbers": [
        *("r2", "neg_mean_absolute_error", "neg_mean_squared_error"),
        *("neg_root_mean_squared_error", "neg_median_absolute_error"),
    ],
    # The test for splits in time order takes means over rows.
    "forecasts": ["neg_mean_absolute_error", "neg_mean_squared_error"],
}
# Those that take a second or more on a test set, for resampling.
SLOW_METRICS = ("neg_median_absolute_error",)


@dataclass
class SoundData:
    """Data with models that suit them, and what else a user passes with such data."""

    X: Any
    y: Any
    models: dict[str, Any]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def metrics(self) -> list[str]:
        if not is_classifier(next(iter(self.models.values()))):
            return METRICS["forecasts" if "cv" in self.options else "numbers"]
        return METRICS["two classes" if len(np.unique(self.y)) == 2 else "classes"]


def sound_data_sets() -> Iterator[SoundData]:
    """Yield real data, then generated ones."""
    for load in (datasets.load_iris, datasets.load_wine, datasets.load_breast_cancer):
        yield SoundData(*load(return_X_y=True), CLASSIFIERS)
        yield SoundData(*load(return_X_y=True), MORE_CLASSIFIERS)
    X, y = datasets.load_digits(return_X_y=True)
    yield SoundData(X[:600], y[:600], CLASSIFIERS)
    X, y = datasets.load_diabetes(return_X_y=True, as_frame=True)
    yield SoundData(X, y, REGRESSORS)
    yield SoundData(X, y, MORE_REGRESSORS)
    grunfeld = pd.read_csv(SERIES / "grunfeld.csv")
    firms = {"groups": grunfeld["firm"]}
    yield SoundData(grunfeld[["value", "capital"]], grunfeld["invest"], REGRESSORS, firms)
    sunspots = pd.read_csv(SERIES / "sunspots.csv")["SUNACTIVITY"]
    past = pd.concat({f"lag {k}": sunspots.shift(k) for k in (1, 2, 3)}, axis=1).iloc[3:]
    in_time = {"cv": TimeSeriesSplit(10)}
    yield SoundData(past, sunspots.iloc[3:], REGRESSORS, in_time)
    yield from _generated_classes()
    yield from _generated_numbers()


def _generated_classes() -> Iterator[SoundData]:
    make = datasets.make_classification
    for n_rows, share in ((200, 0.5), (400, 0.7), (1000, 0.85)):
        made = make(n_rows, 8, weights=[share], flip_y=0.1, random_state=n_rows)
        yield SoundData(*made, CLASSIFIERS)
    for n_classes in (3, 4):
        made = make(300, 8, n_informative=4, n_classes=n_classes, random_state=n_classes)
        yield SoundData(*made, MORE_CLASSIFIERS)
    X, y = make(300, 6, flip_y=0.2, random_state=1)
    yield SoundData(X, y.astype(bool), CLASSIFIERS)
    yield SoundData(*datasets.make_moons(300, noise=0.3, random_state=0), MORE_CLASSIFIERS)
    yield SoundData(*datasets.make_circles(300, noise=0.2, random_state=0), CLASSIFIERS)
    yield SoundData(*datasets.make_hastie_10_2(400, random_state=0), MORE_CLASSIFIERS)
    yield SoundData(*datasets.make_blobs(240, cluster_std=4, random_state=0), CLASSIFIERS)
    yield SoundData(*datasets.make_gaussian_quantiles(n_samples=300, random_state=0), CLASSIFIERS)
    generator = np.random.default_rng(0)
    patients = np.repeat(np.arange(60), 5)
    X = generator.normal(size=(300, 4)) + generator.normal(size=(60, 4))[patients]
    y = (X[:, 0] + X[:, 1] + generator.normal(size=300) > 0).astype(int)
    yield SoundData(X, y, CLASSIFIERS, {"groups": patients})
    frame = pd.DataFrame(X, columns=list("abcd")).assign(patient_id=patients)
    yield SoundData(frame.drop(columns="patient_id"), y, CLASSIFIERS, {"groups": patients})


def _generated_numbers() -> Iterator[SoundData]:
    for n_rows, noise in ((100, 5), (300, 50), (600, 200)):
        made = datasets.make_regression(n_rows, 6, noise=noise, random_state=n_rows)
        yield SoundData(*made, REGRESSORS)
    for make in (datasets.make_friedman1, datasets.make_friedman2, datasets.make_friedman3):
        yield SoundData(*make(300, noise=1, random_state=0), MORE_REGRESSORS)
    yield SoundData(*datasets.make_sparse_uncorrelated(250, random_state=0), REGRESSORS)
    generator = np.random.default_rng(1)
    X = generator.normal(size=(300, 3))
    heavy = X[:, 0] + generator.standard_t(3, size=300)
    yield SoundData(X, heavy, REGRESSORS)
    skewed = np.exp(X[:, 0] / 2 + generator.normal(size=300) / 2)
    yield SoundData(X, skewed, MORE_REGRESSORS)
    dates = pd.date_range("2021-01-01", periods=300, name="day")
    walk = np.convolve(generator.normal(size=302), [1, 0.6, 0.3], mode="valid")
    past = pd.DataFrame({"yesterday": np.r_[0, walk[:-1]], "before": np.r_[0, 0, walk[:-2]]})
    by_day = {"cv": TimeSeriesSplit(10)}
    yield SoundData(past.set_index(dates), pd.Series(walk, dates), REGRESSORS, by_day)
