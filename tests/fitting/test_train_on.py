"""TrainOn: how parts of a training set are drawn, and that all else is the estimator's own."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from skcvstats.fitting import TrainOn
from tests.fitting.fingerprints import digest

X, Y = load_iris(return_X_y=True)
ROWS = np.arange(150)
HALF = TrainOn(GaussianNB(), 0.5, stratify=True).fit(X, Y, part_units=ROWS)
NO_CLASSES = np.zeros(150, dtype=int)


def draw_part(units, classes, train_size, seed):
    """Return the rows of a training set that a model is fitted on."""
    part = TrainOn(DummyClassifier(), train_size, seed=seed, stratify=True)
    return part.fit(np.zeros((len(units), 1)), classes, part_units=units).rows_


def training_sets():
    """Yield units and classes of training sets: rows and groups, rare classes, many and one."""
    rng = np.random.default_rng(0)
    for n in (40, 97):
        for n_units in (n, 25):
            units = np.arange(n) if n_units == n else rng.integers(0, n_units, n)
            for n_classes in (1, 2, 5):
                classes = rng.permutation(
                    np.r_[np.arange(n_classes), rng.integers(0, n_classes, n)]
                )
                yield units, classes[:n]
            yield units, np.r_[1, 2, np.zeros(n - 2, dtype=int)]  # classes of one row


class TestParts:
    @pytest.mark.parametrize("seed", [0, 1])
    def test_are_nested_and_in_order(self, seed):
        for units, classes in training_sets():
            smaller = np.empty(0, dtype=int)
            for size in (5, 0.4, 0.5, 0.8, 1.0):
                rows = draw_part(units, classes, size, seed)
                assert (np.diff(rows) > 0).all()
                assert np.isin(smaller, rows).all()
                smaller = rows
            assert np.array_equal(rows, np.arange(len(units)))

    def test_have_whole_units_so_many_as_are_asked_for(self):
        for units, classes in training_sets():
            every = np.unique(units)
            sizes = {0.5: len(every) // 2, 7: 7, 0.999: len(every) - 1}
            for size, n_kept in sizes.items():
                rows = draw_part(units, classes, size, 0)
                kept = np.unique(units[rows])
                assert len(kept) == n_kept
                assert np.isin(units, kept).sum() == len(rows)

    def test_have_every_class(self):
        for units, classes in training_sets():
            for seed in range(5):
                rows = draw_part(units, classes, 5, seed)
                assert set(classes[rows]) == set(classes)

    def test_of_rows_keep_the_shares_of_the_classes(self):
        rng = np.random.default_rng(1)
        for counts in ((50, 50), (90, 10), (20, 30, 50), (97, 1, 1, 1)):
            classes = rng.permutation(np.repeat(np.arange(len(counts)), counts))
            for n in (10, 33, 60):
                kept = np.bincount(classes[draw_part(np.arange(100), classes, n, 0)])
                assert (np.abs(kept - n * np.array(counts) / 100) < len(counts)).all()

    def test_of_groups_of_one_class_keep_the_shares_roughly(self):
        units = np.arange(200) // 4
        classes = (units % 5 == 0).astype(int)  # a fifth
        for seed in range(5):
            kept = classes[draw_part(units, classes, 0.5, seed)]
            assert abs(kept.mean() - 0.2) < 0.05

    def test_another_seed_draws_other_parts_and_the_same_the_same(self):
        one, again, other = (draw_part(ROWS, NO_CLASSES, 0.5, seed) for seed in (0, 0, 1))
        assert np.array_equal(one, again)
        assert not np.array_equal(one, other)

    def test_are_drawn_anew_for_each_training_set(self):
        """If not, all fits on sorted rows would have nearly the same part."""
        first, second = (draw_part(of, NO_CLASSES[:120], 0.5, 0) for of in (ROWS[:120], ROWS[30:]))
        assert 20 < len(np.intersect1d(first, second)) < 45  # 30 are expected

    def test_do_not_depend_on_the_order_of_classes(self):
        named = {kind: TrainOn(GaussianNB(), 0.2, stratify=True) for kind in "ab"}
        named["a"].fit(X, Y, part_units=ROWS)
        named["b"].fit(X, np.array(["c", "a", "b"])[Y], part_units=ROWS)
        assert np.array_equal(named["a"].rows_, named["b"].rows_)

    def test_that_are_too_small_for_all_classes_are_refused_with_the_least_size(self):
        said = "2 of the 150 rows or groups .* takes 3. .* begin at 3, or at a share of 0.02"
        for size in (2, 0.015):
            with pytest.raises(ValueError, match=said):
                draw_part(ROWS, Y, size, 0)
        draw_part(ROWS, Y, 0.02, 0)


def on_half(model, X, y, **params):
    """Return TrainOn, fitted on half of all rows, and these rows."""
    part = TrainOn(model, 0.5, stratify=is_classifier(model)).fit(X, y, part_units=ROWS, **params)
    return part, part.rows_


class TestFits:
    def test_on_all_units_it_is_the_model_itself(self):
        for model in (DecisionTreeClassifier(random_state=0, max_features=1), GaussianNB()):
            part = TrainOn(model, 1.0, stratify=True).fit(X, Y, part_units=ROWS)
            alone = clone(model).fit(X, Y)
            assert np.array_equal(part.predict_proba(X), alone.predict_proba(X))
            assert not hasattr(model, "classes_")

    def test_rows_of_every_kind_of_data(self):
        part, rows = on_half(GaussianNB(), X, Y)
        expected = GaussianNB().fit(X[rows], Y[rows]).predict_proba(X)
        assert np.array_equal(part.predict_proba(X), expected)
        frame, target = pd.DataFrame(X, columns=[*"abcd"], index=ROWS + 7), pd.Series(Y)
        part, _ = on_half(GaussianNB(), frame, target)
        assert np.array_equal(part.predict_proba(frame), expected)
        assert part.feature_names_in_.tolist() == [*"abcd"]
        part, rows = on_half(MultinomialNB(), sparse.csr_array(X), Y)
        alone = MultinomialNB().fit(sparse.csr_array(X)[rows], Y[rows])
        assert np.array_equal(part.predict_proba(X), alone.predict_proba(X))
        texts = [f"word{k % 7} of{y}" for k, y in enumerate(Y)]
        part, rows = on_half(make_pipeline(CountVectorizer(), MultinomialNB()), texts, Y)
        assert part.score(texts, Y) == 1.0

    def test_of_a_target_with_two_outputs(self):
        y = np.c_[X[:, 0], X[:, 1]]
        part, rows = on_half(Ridge(), X, y)
        assert np.array_equal(part.predict(X), Ridge().fit(X[rows], y[rows]).predict(X))

    def test_a_part_is_drawn_without_a_target(self):
        part = TrainOn(StandardScaler(), 0.5).fit(X, part_units=ROWS)
        assert np.array_equal(part.mean_, StandardScaler().fit(X[part.rows_]).mean_)

    def test_of_a_precomputed_kernel_rows_and_columns_are_drawn(self):
        kernel = X @ X.T
        part, rows = on_half(SVC(kernel="precomputed"), kernel, Y)
        alone = SVC(kernel="precomputed").fit(kernel[np.ix_(rows, rows)], Y[rows])
        assert np.array_equal(part.predict(kernel), alone.predict(kernel[:, rows]))
        accuracy = get_scorer("accuracy")
        assert accuracy(part, kernel, Y) == accuracy(alone, kernel[:, rows], Y)
        assert part.score(kernel, Y) == alone.score(kernel[:, rows], Y)

    def test_parameters_of_fit_with_an_entry_for_each_row(self):
        weights = np.random.default_rng(0).uniform(size=150)
        for given in (weights, weights.tolist(), pd.Series(weights, index=ROWS[::-1])):
            part, rows = on_half(GaussianNB(), X, Y, sample_weight=given)
            alone = GaussianNB().fit(X[rows], Y[rows], sample_weight=weights[rows])
            assert np.array_equal(part.predict_proba(X), alone.predict_proba(X))
        pipeline = make_pipeline(StandardScaler(), LogisticRegression())
        params = {"logisticregression__sample_weight": weights}
        part, rows = on_half(pipeline, X, Y, **params)
        alone = clone(pipeline).fit(
            X[rows], Y[rows], logisticregression__sample_weight=weights[rows]
        )
        assert np.array_equal(part.predict_proba(X), alone.predict_proba(X))

    def test_requests_are_those_of_the_estimator(self):
        with sklearn.config_context(enable_metadata_routing=True):
            model = LogisticRegression().set_fit_request(sample_weight="w")
            found = TrainOn(model, 0.5).get_metadata_routing().fit.requests
            assert found == model.get_metadata_routing().fit.requests


class TestIsTheEstimator:
    @pytest.mark.parametrize("name", ["accuracy", "f1_macro", "neg_log_loss", "roc_auc_ovr", "r2"])
    def test_scorers_see_the_model_on_the_part(self, name):
        alone = GaussianNB().fit(X[HALF.rows_], Y[HALF.rows_])
        assert get_scorer(name)(HALF, X, Y) == get_scorer(name)(alone, X, Y)

    @pytest.mark.parametrize(
        "model", [GaussianNB(), Ridge(), SVC(kernel="precomputed"), MultinomialNB(), LinearSVC()]
    )
    def test_in_its_tags_and_methods(self, model):
        part = TrainOn(model, 0.5)
        assert get_tags(part) == get_tags(model)
        assert is_classifier(part) == is_classifier(model)
        assert is_regressor(part) == is_regressor(model)
        for name in ("predict", "predict_proba", "decision_function", "score", "transform"):
            assert hasattr(part, name) == (hasattr(model, name))
        assert not hasattr(part, "classes_")
        assert not hasattr(part, "alpha")

    def test_in_what_it_has_learnt(self):
        assert HALF.classes_.tolist() == [0, 1, 2]
        assert HALF.theta_.shape == (3, 4)
        part, _ = on_half(make_pipeline(StandardScaler(), Ridge()), X, Y)
        assert part[-1].coef_.shape == part.named_steps["ridge"].coef_.shape == (4,)
        with pytest.raises(AttributeError, match="no_such"):
            HALF.no_such  # noqa: B018

    def test_copies_predict_alike_and_clones_are_unfitted(self):
        for same in (pickle.loads(pickle.dumps(HALF)), copy.deepcopy(HALF)):
            assert np.array_equal(same.predict_proba(X), HALF.predict_proba(X))
        again = clone(HALF)
        assert repr(again) == "TrainOn(estimator=GaussianNB(), stratify=True, train_size=0.5)"
        assert not hasattr(again, "rows_")
        assert np.array_equal(again.fit(X, Y, part_units=ROWS).rows_, HALF.rows_)

    def test_in_its_random_state(self):
        """The seed of the parts is none: fresh seeds of fits leave the parts as they are."""
        part = TrainOn(DecisionTreeClassifier(random_state=3), 0.5, seed=5)
        seeds = {name: value for name, value in part.get_params().items() if "random_state" in name}
        assert seeds == {"estimator__random_state": 3}

    def test_its_fingerprint_tells_parts_apart(self):
        part = TrainOn(GaussianNB(), 0.5)
        assert digest(part) == digest(TrainOn(GaussianNB(), 0.5).fit(X, Y, part_units=ROWS))
        others = [TrainOn(GaussianNB(), 0.25), TrainOn(GaussianNB(), 0.5, seed=1), GaussianNB()]
        others += [TrainOn(GaussianNB(), 0.5, stratify=True), TrainOn(MultinomialNB(), 0.5)]
        assert len({digest(model) for model in [part, *others]}) == 6
