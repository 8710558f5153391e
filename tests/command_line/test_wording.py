"""Notes at the command line name options, never Python."""

import ast
import json
import re
from pathlib import Path

import numpy as np
import pytest

import skcvstats as s
from skcvstats.scores import Note

ROOT = Path(__file__).parents[2]
EXAMPLES = json.loads((ROOT / "doc" / "data" / "note_examples.json").read_text("utf-8"))
# Arguments of the functions, calls, and what is asked of a result.
ARGUMENTS = (
    "groups|cv|method|scoring|pos_label|margin|reference|adjustment|law|variance|missing_rows"
)
ARGUMENTS += "|n_replicates|fresh_seeds|random_state|hypotheses|response_method|rho|rule|threshold"
PYTHON = re.compile(
    rf"(?<![\w-])({ARGUMENTS})=|\w(Split|KFold|TTest|GroupOut)\(|\bnp\.|\bresult\.\w"
    r"|(compare_estimators|make_scorer|best_set|to_frame|ranking|by_slice|from_cv_results)\b"
)


def written_in(path):
    """Yield the texts of a file that contain Python, with {} for what is put into them."""
    tree = ast.parse(path.read_text("utf-8"))
    parts, skipped = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
        if isinstance(node, ast.keyword) and node.arg in ("title", "looks_for", "why", "remedy"):
            skipped.add(id(node.value))  # of the page
        if isinstance(node, ast.Expr):
            skipped.add(id(node.value))
    for node in ast.walk(tree):
        if id(node) in parts | skipped:
            continue
        text = getattr(node, "value", None)
        if isinstance(node, ast.JoinedStr):
            text = "".join(getattr(part, "value", None) if isinstance(part, ast.Constant) else "7"
                           for part in node.values)  # fmt: skip
        if isinstance(text, str) and " " in text and PYTHON.search(text):
            yield text


@pytest.fixture(scope="module")
def printed(run, tmp_path_factory):
    """Return what is printed, and told as JSON, of scores with a note."""
    path = tmp_path_factory.mktemp("noted") / "scores.json"
    design = s.SplitDesign.from_sizes(90, 10, n_splits=10)
    values = np.array([0.01 * np.arange(10.0), np.full(10, 0.5)])
    scores = s.CVScores(values=values, design=design, labels=["a", "b"])

    def printed(*texts):
        notes = [Note("note", f"{text}", None) for text in texts]
        path.write_text(s.compare_scores(scores.with_notes(notes)).to_json())
        return json.loads(run("report", path, "--json")[1])["notes"]

    return printed


def test_no_example_of_a_note_has_python(printed):
    said = printed(*EXAMPLES.values())
    assert len(said) >= len(set(EXAMPLES.values()))
    for text in said:
        assert not PYTHON.search(text), text
        assert not text.endswith((",", ";", ":", " or"))


def test_no_note_of_the_package_has_python(printed):
    texts = [
        f"it is so: {text}"
        for path in sorted(Path(s.__file__).parent.glob("notes/*.py"))
        for text in written_in(path)
    ]
    assert len(texts) > 15
    for text in printed(*texts):
        assert not PYTHON.search(text), text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pass groups=X['customer_id']", "pass --groups customer_id"),
        ("pass groups=X['customer id']", "pass --groups 'customer id'"),
        ('use method="row_t"', "use --method row_t"),
        ("it is so; use n_replicates=16", "it is so"),
        ("Pass groups, such as the week", "Pass --groups, such as the week"),
        ("take a larger test_size", "take a larger --test-size"),
        ("fits of 'a' have random_state", "fits of 'a' have random_state"),
        ("see to_frame()", "see --csv"),
    ],
)
def test_options_are_named(printed, text, said):
    assert said in printed(text)


@pytest.mark.slow
def test_every_output_names_options(run, tmp_path):
    """The answer, a report in each format, the table and a gate."""
    rows = [f"C{k // 4:02},{k % 7},{(k // 4 + k) % 2}" for k in range(120)]
    (tmp_path / "t.csv").write_text("\n".join(["client,a,y", *rows]))
    data = ("--data", tmp_path / "t.csv", "--target", "y", "--n-splits", "2")
    files = [tmp_path / f"report.{ending}" for ending in ("md", "html", "tex", "txt")]
    told = ""
    for path in files:
        told += "".join(
            map(str, run("compare", *data, "--estimators", "tree", "knn", "--report", path))
        )
    assert "--groups client" in " ".join(told.split())
    for path in files:
        text = " ".join(re.sub("<[^>]*>", "", path.read_text("utf-8")).split()).replace("\\", "")
        limits = text.split("Limitations")[-1].split("Methods:")[0]
        assert "groups client" in limits.replace("{}", "")
        assert "groups=" not in limits
