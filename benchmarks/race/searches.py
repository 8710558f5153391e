"""The searches: an estimator, its candidates, and a pool of rows from which each draws its own."""

import ast
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import fetch_openml
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from ..nadeau_bengio.problems import load_letters

N_FRESH = 2000


@dataclass(frozen=True)
class Search:
    """Candidates, and how many rows each repetition draws from which pool."""

    estimator: Any
    grid: Any
    pool: Callable[[], tuple[np.ndarray, np.ndarray]]
    n_rows: int

    def draw(self, repetition: int) -> tuple[np.ndarray, ...]:
        """Return X and y to search on, and X and y of fresh rows."""
        X, y = self.pool()
        order = np.random.RandomState(repetition).permutation(len(y))
        rows, fresh = order[: self.n_rows], order[self.n_rows :][:N_FRESH]
        return X[rows], y[rows], X[fresh], y[fresh]


@lru_cache
def vowels() -> tuple[np.ndarray, np.ndarray]:
    """Return images of letters, and whether they are vowels."""
    X, y = load_letters()
    return X, np.isin(y, list("AEIOU"))


@lru_cache
def spam() -> tuple[np.ndarray, np.ndarray]:
    """Return frequencies of words in mails, and whether they are spam."""
    if folder := os.environ.get("SKCVSTATS_DATA"):
        table = pd.read_csv(Path(folder) / "spam.csv.gz")
    else:
        table = fetch_openml("spambase", version=1, as_frame=True).frame
    is_spam = table.iloc[:, -1].astype(str).isin(["spam", "1"])
    return table.iloc[:, :-1].to_numpy(float), is_spam.to_numpy()


PACKAGES = ["numpy", "scipy", "sklearn", "pandas"]
_NAMES = re.compile(r"\b(numpy|np|scipy|sp|sklearn|scikit|learn|pandas|pd)\b", re.IGNORECASE)


def description(docstring: str) -> str:
    """Return what stands before the first heading, without the names of packages."""
    return _NAMES.sub(" ", re.split(r"\n[^\n]*\n *[-=]{3,}", docstring)[0])


def descriptions(package: str) -> list[str]:
    """Return what a package's docstrings say first, where that is ten words or more."""
    found = set()
    for path in Path(find_spec(package).origin).parent.rglob("*.py"):
        if {"tests", "_vendor", "externals"} & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                found.add(description(ast.get_docstring(node) or ""))
    return sorted(text for text in found if len(text.split()) >= 10)


@lru_cache
def docstrings() -> tuple[np.ndarray, np.ndarray]:
    """Return descriptions of functions, classes and modules, and the package of each."""
    texts = {package: descriptions(package) for package in PACKAGES}
    X = np.array([text for package in PACKAGES for text in texts[package]], dtype=object)
    return X, np.repeat(PACKAGES, [len(texts[package]) for package in PACKAGES])


_SVC = make_pipeline(StandardScaler(), SVC())
_TEXT = Pipeline([("words", TfidfVectorizer()), ("model", ComplementNB())])
_WORDS = {"words__sublinear_tf": [False, True]}

SEARCHES = {
    "SVC": Search(
        _SVC,
        {"svc__C": [0.1, 1, 10, 100], "svc__gamma": [0.003, 0.01, 0.03, 0.1, 0.3, 1]},
        vowels,
        500,
    ),
    "text": Search(
        _TEXT,
        [
            {**_WORDS, "model": [ComplementNB()], "model__alpha": [0.01, 0.1, 1, 10]},
            {**_WORDS, "model": [LinearSVC(random_state=0)], "model__C": [0.01, 0.1, 1, 10]},
        ],
        docstrings,
        400,
    ),
    "boosting": Search(
        HistGradientBoostingClassifier(random_state=0),
        {
            "learning_rate": [0.03, 0.1, 0.3, 1.0],
            "max_leaf_nodes": [3, 31],
            "max_iter": [20, 60],
        },
        spam,
        500,
    ),
}
