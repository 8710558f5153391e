"""Notes on tables: dates, subjects without groups, groups of one row."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, TimeSeriesSplit
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline

import skcvstats as s
from skcvstats.notes import Evidence
from skcvstats.scores import find_notes

N = 300
RNG = np.random.default_rng(0)
WALK = np.cumsum(RNG.normal(size=(N, 4)), axis=0)
REGRESSORS = {"knn": KNeighborsRegressor(), "least squares": LinearRegression()}
MINE = {"dates", "repeated subjects", "groups of one row"}
KNN = REGRESSORS["knn"]
FOLDS = KFold(5, shuffle=True, random_state=0)
MSE = "neg_mean_squared_error"


def notes_of(in_time_order=None, groups=None, **tables):
    known = {} if in_time_order is None else {"has_later_training_rows": not in_time_order}
    return find_notes(Evidence(groups=groups, tables=tables, **known))


def codes(result):
    return [note.code for note in result.notes if note.code in MINE]


def text_of(result, code):
    (text,) = {note.text for note in result.notes if note.code == code}
    return text


DATED = pd.DataFrame(WALK, columns=list("abcd"))
DAYS = pd.date_range("2020-01-01", periods=N)


def on_columns(model):
    return make_pipeline(make_column_transformer(("passthrough", ["a", "b"])), model)


class TestDates:
    @pytest.mark.parametrize("made", [DAYS, DAYS.date, DAYS.to_period("D")], ids=type)
    def test_in_a_column(self, made):
        (note,) = notes_of(in_time_order=False, X=DATED.assign(when=made))
        assert note.code == "dates"
        assert "dates in the column 'when'" in note.text
        both = DATED.assign(when=made, since=made).set_index(DAYS)
        (note,) = notes_of(in_time_order=False, X=both)
        said = "X has an index of dates, dates in the column 'when', dates in the column 'since'"
        assert said in note.text

    def test_at_each_door(self):
        X = DATED.assign(when=DAYS)
        models = {name: on_columns(model) for name, model in REGRESSORS.items()}
        y = RNG.normal(size=N)
        assert codes(s.compare_estimators(models, X, y, cv=FOLDS)) == ["dates"]
        groups, knn = np.arange(N) // 10, models["knn"]
        assert codes(s.cross_val_inference(knn, X, y, cv=FOLDS)) == ["dates"]
        in_blocks = {"groups": groups, "cv": GroupKFold(5)}
        assert codes(s.cross_val_inference(knn, X, y, **in_blocks)) == []
        search = GridSearchCV(models["knn"], {"kneighborsregressor__n_neighbors": [3, 5]}, cv=FOLDS)
        assert codes(s.compare_candidates(search.fit(X, y), X, y)) == ["dates"]

    @pytest.mark.parametrize("made", [DAYS, DAYS.strftime("%Y-%m-%d")], ids=["dates", "text"])
    def test_that_do_not_ascend_though_splits_are_in_time_order(self, made):
        models = {name: on_columns(model) for name, model in REGRESSORS.items()}
        y, mixed = RNG.normal(size=N), np.arange(N)
        mixed[[3, 4]] = 4, 3
        for order, noted in ((np.arange(N), False), (mixed, True)):
            X, how = DATED.assign(when=made[order]), {"cv": TimeSeriesSplit(5), "scoring": MSE}
            with warnings.catch_warnings(record=True, action="always") as warned:
                found = s.compare_estimators(models, X, y, **how)
            assert ("dates do not ascend" in {note.code for note in found.notes}) == noted
            assert any("sort the rows by date" in str(w.message) for w in warned) == noted
            assert "dates" not in codes(found)

    def test_of_a_target_out_of_fold_and_as_text(self):
        y, made = RNG.normal(size=N), {"a": RNG.normal(size=N), "b": RNG.normal(size=N)}
        dated, folds = pd.Series(y, DAYS), RNG.permutation(np.arange(N) % 5)
        assert codes(s.compare_out_of_fold(y, made, folds=folds, scoring=MSE)) == []
        found = s.compare_out_of_fold(dated, made, folds=folds, scoring=MSE)
        assert "y_true has an index of dates" in text_of(found, "dates")
        text = DAYS.strftime("%Y-%m-%d")
        for when, noted in ((text, True), (text + " 10:00", True), (DAYS.strftime("%d%b"), False)):
            assert bool(notes_of(in_time_order=False, X=DATED.assign(when=when))) == noted

    def test_in_arrays_and_polars_and_not_durations(self):
        def notes(X):
            return notes_of(in_time_order=False, X=X)

        assert notes(DAYS.to_numpy().reshape(-1, 1))
        assert not notes_of(X=DATED.set_index(DAYS))
        assert not notes(DATED.assign(took=pd.to_timedelta(np.arange(N), unit="h")))
        assert not notes(DATED.assign(year=2020, text="2020-01-01", birth_date=DAYS))
        polars = pytest.importorskip("polars")
        frame = polars.DataFrame({"a": np.arange(3.0)})
        assert not notes(frame)
        assert notes(frame.with_columns(when=polars.date(2020, 1, 1)))


class TestSubjects:
    PATIENT = np.arange(N) // 10

    @pytest.mark.parametrize(
        ("name", "is_noted"),
        [
            *((name, True) for name in ("patient_id", "PatientID", "subject", "userId", "ID", "id",
               "participant no", "customer_key", "uuid", "Patient No.", "subj", "MRN", "pid")),
            *((name, False) for name in ("valid", "acid", "humid", "a_ratio", "age", "bid")),
        ],
    )  # fmt: skip
    def test_a_column_that_is_called_so(self, name, is_noted):
        X = DATED.assign(**{name: self.PATIENT})
        (*found,) = notes_of(in_time_order=False, X=X)
        assert [note.code for note in found] == ["repeated subjects"] * is_noted
        if is_noted:
            assert f"{name!r} has 30 values in 300 rows" in found[0].text
            assert f"groups=X[{name!r}]" in found[0].text
        for other in (np.arange(N), np.arange(N) % 3):  # each row its own; rather a category
            assert notes_of(in_time_order=False, X=X.assign(**{name: other})) == ()

    def test_an_index_at_every_door(self):
        X = DATED.set_index(self.PATIENT)
        rng = np.random.default_rng(2)
        y = pd.Series(rng.normal(size=N), index=X.index)
        made = {"a": rng.normal(size=N), "b": rng.normal(size=N)}
        losses = pd.DataFrame(made, index=X.index).abs()
        folds, cvs = rng.permutation(np.arange(N) % 5), (FOLDS, GroupKFold(5))
        calls = (
            lambda **of: s.compare_estimators(REGRESSORS, X, y, cv=cvs[len(of)], **of),
            lambda **of: s.cross_val_inference(KNN, X, y, cv=cvs[len(of)], **of),
            lambda **of: s.compare_predictions(y, made, scoring=MSE, **of),
            lambda **of: s.compare_losses(losses, **of),
        )
        out_of_fold = s.compare_out_of_fold(y, made, folds=folds, scoring=MSE)
        for result in (*(call() for call in calls), out_of_fold):
            assert codes(result) == ["repeated subjects"]
        for call in calls:
            assert codes(call(groups=self.PATIENT)) == []
            assert codes(call(groups=np.arange(N) + 0.5)) == ["groups of one row"]
        for index in (DATED.index, DAYS[: len(X)], pd.Index(np.arange(N)[::-1])):
            result = s.compare_predictions(pd.Series(y.to_numpy(), index), made, scoring=MSE)
            assert "repeated subjects" not in codes(result)

    def test_a_level_of_an_index(self):
        visits = pd.MultiIndex.from_arrays([self.PATIENT, np.arange(N) % 10])
        (note,) = notes_of(in_time_order=False, X=DATED.set_index(visits))
        assert "groups=X.index.get_level_values(0)" in note.text

    def test_groups_that_change_nothing_are_noted_once(self):
        how = {"groups": RNG.normal(size=N), "cv": GroupKFold(5), "scoring": [MSE, "r2"]}
        result = s.compare_estimators(REGRESSORS, WALK[:, :3], RNG.normal(size=N), **how)
        assert codes(result) == ["groups of one row"]
        assert " ".join(str(result).split()).count("groups= changes nothing") == 1
