"""The recipe for MLflow, with a database and with files as the store."""

from pathlib import Path

import pytest

from skcvstats import SplitDesign, compare_scores

mlflow = pytest.importorskip("mlflow")


@pytest.fixture(params=["sqlite:///{}/mlflow.db", "file://{}/runs"], ids=["database", "files"])
def store(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a database keeps its artifacts where it is called
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(request.param.format(tmp_path))
    mlflow.set_experiment("recipe")
    yield
    mlflow.set_tracking_uri(None)


@pytest.mark.usefixtures("store")
def test_recipe(run, tmp_path):
    names = run("mlflow_log.py")
    result, run_id = names["result"], names["run"].info.run_id
    logged = mlflow.get_run(run_id).data
    row = result.to_frame().iloc[0]
    assert logged.metrics["accuracy/naive Bayes - tree/difference"] == row["difference"]
    assert logged.metrics["accuracy/naive Bayes - tree/low"] == row["low"]
    assert logged.metrics["accuracy/naive Bayes - tree/pvalue_adjusted"] == row["pvalue_adjusted"]
    scores = result.ranking().set_index("estimator")["score"]
    assert logged.metrics["accuracy/tree/score"] == scores["tree"]
    assert logged.metrics["accuracy/n_train"] == pytest.approx(0.8 * 569)
    assert logged.params["accuracy/method"] == "row_t"
    assert logged.params["accuracy/naive Bayes - tree/outcome"] == result[0].outcome
    artifacts = mlflow.artifacts.list_artifacts(run_id=run_id)
    assert [artifact.path for artifact in artifacts] == ["report.html"]
    page = mlflow.artifacts.download_artifacts(run_id=run_id, artifact_path="report.html")
    assert "row t-test" in Path(page).read_text(encoding="utf-8")

    # names that MLflow refuses as they are, such as those of candidates of a search
    design = SplitDesign.from_sizes(90, 10, n_splits=10)
    scores = {"#0 C=1, a/b": [0.1, 0.2] * 5, "#1 C=10, é": [0.5, 0.3] * 5}
    with mlflow.start_run() as other:
        names["log_result"](compare_scores(scores, design=design))
    metrics = mlflow.get_run(other.info.run_id).data.metrics
    assert metrics["score/_0 C_1_ a_b/score"] == pytest.approx(0.15)
    assert metrics["score/_1 C_10_ é - _0 C_1_ a_b/difference"] == pytest.approx(0.25)

    same = {"C=1": scores["#0 C=1, a/b"], "C>1": scores["#1 C=10, é"]}
    with mlflow.start_run(), pytest.raises(ValueError, match="same name in MLflow"):
        names["log_result"](compare_scores(same, design=design))
