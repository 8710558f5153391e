"""Bad input on the command line: a message of one line, exit status 2, no incomplete file."""

import io
import os
import sys
import threading
import zipfile
from contextlib import redirect_stderr, redirect_stdout

import pytest

from skcvstats.command_line import main
from tests.conftest import needs_posix

GOOD = "a,b,y\n" + "".join(f"{k % 7},{k % 3}.5,{'pq'[k % 2]}\n" for k in range(40))

# What the file contains, further arguments, and what is said.
FILES = [
    ("", "", "is empty"),
    ("a,b,y\n", "", "no rows below its header"),
    ("y\n1\n0\n", "", "has one column, 'y'; it needs a target and a feature"),
    ("a;b;y\n1;2\n1;2;0\n", "", "If its separator is another one, pass --separator"),
    ("a,a,y\n1,2,0\n", "", "has two columns named 'a'"),
    ('a,b,y\n1,"2,0\n3,4,1\n', "", "EOF inside string"),
    ("a,b,y\n1,2,0\n1,2,3,4,0\n", "", "Expected 3 fields in line 3, saw 5"),
    ("a,b,y\n1,Ä,0\n".encode("latin-1"), "", "pass --encoding, such as --encoding latin-1"),
    (GOOD, "--estimators lgbm tree", "A class is named by its path, as lightgbm.LGBMClassifier"),
    (GOOD, "--encoding klingon", "is not in klingon: unknown encoding"),
    (GOOD, "--separator ;;", "separator ';;': \"delimiter\" must be a 1-character string"),
    ("x" * 140_000 + ",y\n1,0\n", "", "separator ',': field larger than field limit"),
    (GOOD, "--target z", "'z': not among the columns of "),
    (GOOD, "--drop z", "csv, which are 'a', 'b', 'y'."),
    (
        *(GOOD, "--estimators ridge tree"),
        "choose one of ['boosting', 'forest', 'knn', 'logistic', 'svm', 'tree']. The target was "
        "read as classification; --task regression changes that.",
    ),
    (
        *(GOOD.replace(".5,p", ".5,0.5").replace(".5,q", ".5,1.5"), "--estimators logistic"),
        "The target was read as regression; --task classification changes that.",
    ),
    (
        *(GOOD.replace(".5", "x"), "--scoring r2 --test-size 0.5"),
        "if y is text, pass classifiers and a metric of classes such as --scoring",
    ),
    (GOOD, "--keep a --drop a", "--drop and --keep both name 'a'"),
    (
        GOOD,
        "--scoring f1",
        "for the positive class, and y has the labels 'p', 'q'. Pass --posi",
    ),
    (GOOD, "--positive r", "--positive 'r' must be one of the labels of 'y', 'p', 'q'."),
    (GOOD.replace("q", "r", 1), "--positive p", "two classes; 'y' has 3: 'p', 'q', 'r'."),
    (GOOD, "--groups y", "'y' is the target"),
    (GOOD, "--drop a b", "No column is left as a feature"),
    (GOOD.replace("q", "p"), "", "y is 'p' in all rows"),
    ("a,y\n1,0\n1,0\n", "", "y is 0 in all rows"),
    (GOOD.replace(",q", ",", 1), "", "is missing in 1 of 40 rows"),
    (GOOD.replace("2.5", "inf"), "", "The column 'b' contains infinite values"),
    ("a,y\n" + "".join(f"{k % 5},t{k}\n" for k in range(40)), "", "they are not classes"),
    (
        "a,y\n" + "".join(f"{k % 5},{k + 10}\n" for k in range(40)),
        "--task classification",
        "If the target is a quantity, pass --task regression; if its",
    ),
    (
        "a,y\n" + "".join(f"{k % 5},{k + 10}\n" for k in range(40)),
        "--as-text y",
        "or, if they are numbers, --task regression without --as-text.",
    ),
    ("a,y\n1.5,p\n", "--keep a", "n_samples=1 rows; pass data with at least two"),
    ("id,y\n" + "".join(f"{k},{k % 2}\n" for k in range(40)), "", "number the rows"),
    ("a,y\n1,0\n1,1\n", "", "contains only one class"),
    ("g,a,y\n,1,0\nu,1,1\n", "--groups g", "The groups column 'g' is missing in 1 of 2 rows"),
]
# Other arguments of compare; {} is the folder of the test.
ARGUMENTS = [
    (
        "--data {}/none.csv",
        "No such file or directory. Pass a CSV or Parquet file, or name one of 'breast_cancer'",
    ),
    ("--data wine --estimators tree forrest", "Did you mean 'forest'"),
    ("--data wine --estimators tree RandomForest", "Did you mean 'forest'"),
    (
        "--data wine --estimators tree RandomForestClassifier",
        "path, as sklearn.ensemble.RandomForestC",
    ),
    (
        "--data wine --estimators tree nowhere.Model",
        "not installed. Run python -m pip install nowhere.",
    ),
    (
        "--data wine --estimators tree imblearn.ensemble.X",
        "python -m pip install imbalanced-learn.",
    ),
    ("--data wine --estimators tree lightgmb.LGBMClassifier", "Did you mean 'lightgbm'?"),
    ("--data wine --estimators tree sklearn.ensembel.AdaBoostClassifier", "No module named"),
    (
        "--data wine --estimators tree sklearn.tree.DecisionTreClassifier",
        "mean sklearn.tree.DecisionTreeClass",
    ),
    ("--data wine --estimators tree sklearn.SVC", "Did you mean sklearn.svm.SVC?"),
    ("--data irs", "'digits', 'iris', 'wine'."),
    ("--data {}/good.csv", "--target is missing; pass the target's column of"),
    ("--data wine --seed 1 --seed 1", "--seed is given more than once; see skcvstats compare"),
    ("--data wine --report {}/a.md --report {}/b.md", "--report is given more than once"),
    ("--data {}/folder.csv", "Is a directory. Pass a CSV or Parquet file"),
    ("--data {}/broken.csv.gz", "cannot be read"),
    ("--data {}/broken.parquet", "arquet"),
    ("--data wine --report {}/out.pdf", "must be one of .html, .md, .tex, .txt."),
    ("--data wine --plot {}/out.jpg", "must be one of .png, .svg, .pdf."),
    ("--data wine --plot {}/out", "must be one of .png, .svg, .pdf."),
    ("--data wine --plot {}/none/a.png", "cannot be written: No such file"),
    ("--data wine --plot /proc/none.png", "cannot be written"),
    ("--data wine --plot {}/a.svg --csv {}/a.svg", "would overwrite"),
    ("--data wine --report {}/none/out.md", "cannot be written: No such file"),
    ("--data wine --report {}/folder.csv", "cannot be written: Is a directory"),
    ("--data wine --csv /proc/none.csv", "cannot be written"),
    ("--data wine --csv {}/t.md --report {}/t.md", "would overwrite --csv; name another file"),
    ("--data {}/good.csv --target y --csv {}/good.csv", "would overwrite --data"),
    ("--data wine --margin 0", "--margin 0.0 does not reach to both sides of 0; give a number ab"),
    ("--data wine --confidence-level 95", "--confidence-level 95 must be a number strictly"),
    ("--data wine --n-jobs 0", "--n-jobs 0 must be None or an integer other than 0"),
    ("--data wine --seed -1", "--seed -1 must be None, an integer from 0 to 2**32 - 1"),
    ("--data wine --n-splits 0", "--n-splits 0 must be an integer of at least 1"),
    ("--data wine --n-splits 1", "for example with --n-splits 15."),
    ("--data wine --method row_t --n-splits 3", "it has no --n-splits. Leave --n-splits out, or"),
    ("--data wine --n-splits many", "invalid int value"),
    ("--data wine --inflation 3", "--inflation 3 must be from 0 to 1.5, the share that"),
    ("--data wine --inflation 1 --method resampled_t", "of row_t and not of --method resampled_t"),
    ("--data wine --method five_by_two_cv_t --n-splits 5", "5 repeats of two halves, so it has no"),
    ("--data wine --method resampled", "Did you mean"),
    ("--data wine --method bootstrap_t", "choose one of ['auto', 'conservative_z', 'corrected_re"),
    ("--data wine --estimators", "expected at least one argument"),
    ("--data wine --estimators tree", "at least two models; name another one in --estimators"),
    (
        "--data wine --estimators sklearn.svm.SVC(C=2) sklearn.svm.SVC",
        "write name=SPEC) are the same, or look so",
    ),
    ("--data wine --estimators tree antigravity.webbrowser", "belongs to Python itself"),
    ("--data wine --estimators tree {}/none.py:model", "there is no file"),
    ("--data wine --estimators tree {}/leaving.py:model", "does not run: SystemExit"),
    ("--data wine --estimators tree {}/models.py:number", "has no method fit"),
    ("--data wine --estimators tree {}/models.py:none", "defines no 'none'"),
    ("--data wine --estimators tree sklearn.svm.SVC(c=1)", "unexpected keyword argument 'c'"),
    ("--data wine --estimators tree sklearn.svm.SVC(C=-1)", "InvalidParameterError"),
    ("--data wine --estimators tree sklearn.base.clone", "is of type function"),
    ("--data wine --estimators tree sklearn.pipeline.Pipeline", "cannot be made of 'sklearn.p"),
    ("--data wine --estimators tree sklearn.__doc__.title", "names with two underscores"),
    ("--data wine --estimators tree knn(n_neighbors=3)", "'knn' takes no parameters"),
    ("--data wine --estimators tree skcvstats.main", "has no attribute 'main'"),
    ("--data wine --unknown", "unrecognized arguments: --unknown"),
    ("--data wine --est tree", "unrecognized arguments"),
    ("churn.csv", "unrecognized arguments: churn.csv"),
]
SIDES = "--champion tree --challenger knn"
OTHERS = [
    (
        "curve --data wine --estimators tree tree",
        "'tree' and 'tree' of the estimators (write",
    ),
    ("compress", "invalid choice: 'compress'"),
    ("report", "the following arguments are required"),
    ("report {}/none.json", "cannot be read: No such file"),
    ("report {}", "cannot be read: Is a directory"),
    ("report {}/good.csv", "damaged or not JSON"),
    ("report {}/lists.json", "damaged or not JSON"),
    ("gate --data wine --champion tree --rule better", "required: --challenger"),
    (f"gate --data wine {SIDES} --rule same", "invalid choice: 'same'"),
    (f"gate --scores s {SIDES} --rule better --n-splits 5", "--scores does not accept --n-splits"),
    (f"gate --scores s {SIDES} --rule better --fresh-seeds", "does not accept --fresh-seeds"),
    (f"gate --predictions s {SIDES} --rule better --seed 0", "does not accept --seed; leave it"),
    (
        "predictions {}/none.csv --target y --scoring accuracy",
        "No such file or directory. Pass a CSV or Parquet",
    ),
    ("predictions {}/good.csv --target y", "predictions needs --target and --scoring"),
    ("predictions {}/good.csv --target y --scoring accuracy --models a c", "'c': not among"),
    ("predictions {}/good.csv --target y --scoring accuracy --models a y", "cannot be a model"),
    ("predictions {}/good.csv --target y --scoring accuracy --time y", "'y' is the target; leave"),
    ("predictions {}/good.csv --target y --scoring accuracy --models a", "has 1 model, not two"),
    (f"gate --predictions {{}}/good.csv {SIDES} --rule better", "needs --target and --scoring"),
    (f"gate --data wine --scores s {SIDES} --rule better", "gate takes only one of --data"),
    (f"gate {SIDES} --rule better", "gate needs one of --data"),
    ("ledger {}/none.json", "There is no ledger"),
    (
        "predictions https://example.com/x.csv --target y --scoring accuracy",
        "is an address: download it first",
    ),
    (f"gate --predictions s {SIDES} --rule better --by a", "--by needs --margin"),
    (f"gate --scores s {SIDES} --rule better --by a", "not accept --by"),
    ("store {}/none.db --older-than -1", "--older-than -1: give 0 days or more"),
]
# The process of the fits says what is wrong with its part.
GATES = [
    (f"gate --data wine {SIDES} --rule not-worse", "need --margin"),
    (f"gate --data wine {SIDES} --rule better --method five_by_two_cv_f", "has no direction"),
    (f"gate --data wine {SIDES} --rule better --method bootstrap_t", "choose one of ['auto', "),
    (f"gate --data wine {SIDES} --rule better --margin 0.01", "; better takes none."),
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "folder.csv").mkdir()
    for name, text in {
        "good.csv": GOOD,
        "broken.csv.gz": "no archive",
        "broken.parquet": "no table",
        "leaving.py": "raise SystemExit(0)",
        "models.py": "number = 3",
        "lists.json": "[" + "[]," * 1_100_000 + "[]]",
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def everything_in(folder):
    return {
        path: path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if "__pycache__" not in path.parts
    }


def check_refused(run, folder, arguments, message):
    before = everything_in(folder)
    status, out, error = run(*arguments)
    assert message in error
    assert (status, out) == (2, "")
    assert error.startswith("skcvstats: ")
    assert error.count("\n") == 1
    assert error[:-1].isprintable()
    assert not error.endswith("..\n")
    assert "Traceback" not in error
    assert not error.startswith("skcvstats: unexpected")
    assert everything_in(folder) == before


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
class TestRefused:
    @pytest.mark.parametrize("separator", [";", ","])
    @pytest.mark.parametrize(
        "title", ["Sales 2023", "Sales 2023{0}{0}", "Sales 2023{0}{0}\n{0}{0}"]
    )
    def test_a_title_above_the_header(self, run, tmp_path, title, separator):
        path = tmp_path / "title.csv"
        decimal = {";": ",", ",": "."}[separator]
        cell = f"{decimal}5{separator}"
        rows = [f"{k}{cell}{k % 7}{cell}{'ab'[k % 2]}" for k in range(30)]
        header = f"price{separator}size{separator}y"
        path.write_text("\n".join([title.format(separator), header, *rows]))
        line = title.count("\n") + 2
        said = f"Line {line} seems to be the header, as it begins with 'price', 'size': delete"
        check_refused(run, tmp_path, ["compare", "--data", path, "--target", "y"], said)

    @pytest.mark.parametrize("flag", ["compare", "gate"])
    def test_a_file_of_python_without_a_variable(self, run, tmp_path, flag):
        path = tmp_path / "models.py"
        path.write_text("from x import y\nbest = 1\nworse=2\n\ndef f():\n    inner = 3\n")
        sides = {"compare": ["--estimators", "knn", path], "gate": ["--champion", "knn"]}[flag]
        sides += {"compare": [], "gate": ["--challenger", f"m={path}", "--rule", "better"]}[flag]
        said = f"{path} is a file: write {path}:NAME. It defines 'best', 'worse', 'f'."
        check_refused(run, tmp_path, [flag, "--data", "iris", *sides], said)

    @pytest.mark.parametrize(("content", "further", "message"), FILES)
    def test_files(self, run, tmp_path, content, further, message):
        path = tmp_path / "data.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        target = [] if "--target" in further else ["--target", "y"]
        written = ["--csv", tmp_path / "table.csv"]
        arguments = ["compare", "--data", path, *target, *written, *further.split()]
        check_refused(run, tmp_path, arguments, message.replace("\\\\", "\\"))

    @pytest.mark.parametrize(("arguments", "message"), ARGUMENTS)
    def test_arguments(self, run, folder, arguments, message):
        arguments = arguments.replace("{}", str(folder)).split()
        check_refused(run, folder, ["compare", *arguments], message)

    @pytest.mark.processes
    @pytest.mark.parametrize(("arguments", "message"), GATES)
    def test_gates(self, run, folder, arguments, message):
        check_refused(run, folder, arguments.split(), message)

    @pytest.mark.parametrize(("arguments", "message"), OTHERS)
    def test_other_commands(self, run, folder, arguments, message):
        check_refused(run, folder, arguments.replace("{}", str(folder)).split(), message)

    def test_saved_scores(self, run, folder):
        scores = folder / "scores.json"
        assert run("compare", "--data", "iris", "--n-splits", 2, "--save-scores", scores)[0] == 0
        for arguments, message in [
            ("forest tree better", "'forest': not among the models of"),
            ("tree forest better", "'forest': not among the models of"),
            ("tree tree better", "--champion and --challenger are both 'tree'."),
            ("tree logistic not-worse --margin .1 --scoring f1", "choose one of ['accuracy']"),
            ("tree logistic not-worse --margin 5", "--margin 5.0 covers every difference"),
        ]:
            champion, challenger, rule, *more = arguments.split()
            names = ["--champion", champion, "--challenger", challenger, "--rule", rule, *more]
            check_refused(run, folder, ["gate", "--scores", scores, *names], message)
        scores.write_text(scores.read_text().replace("0.9", "0.8", 1))
        check_refused(run, folder, ["report", scores], "is damaged")


def test_names_that_the_output_cannot_show(folder):
    (folder / "own.py").write_text(
        "from sklearn.dummy import DummyClassifier; größe = DummyClassifier()", encoding="utf-8"
    )
    estimators = ["--estimators", "tree", f"{folder}/own.py:größe"]
    ascii_only, complained = io.TextIOWrapper(io.BytesIO(), encoding="ascii"), io.StringIO()
    with redirect_stdout(ascii_only), redirect_stderr(complained):
        assert main(["compare", "--data", "iris", *estimators, "--n-splits", "3"]) == 2
    assert "encoding, ascii, lacks characters of the names; set PYTHON" in complained.getvalue()


@needs_posix
@pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="nothing is forbidden to root"
)
def test_files_without_permission(run, folder):
    (folder / "good.csv").chmod(0)
    arguments = ["compare", "--target", "y", "--data", folder / "good.csv"]
    check_refused(run, folder / "folder.csv", arguments, "Permission denied")
    (folder / "folder.csv").chmod(0o500)
    arguments = ["compare", "--csv", folder / "folder.csv" / "table.csv"]
    check_refused(run, folder / "folder.csv", arguments, "cannot be written")


@needs_posix
def test_pipes_and_files_without_an_end(run, folder):
    """Nothing waits for a writer, and nothing is read that is too large."""
    pipe = folder / "pipe.csv"
    os.mkfifo(pipe)
    saved = (f"{pipe}: the text is damaged or not JSON", "/dev/zero has at least 26948")
    table = (f"{pipe} is empty.", "/dev/zero is a device")
    target = ["--target", "y"]
    for first, last, messages in [
        (["report"], [], saved),
        (["gate", *SIDES.split(), "--rule", "better", "--scores"], [], saved),
        (["compare", "--data"], target, table),
        (["predictions"], [*target, "--scoring", "accuracy"], table),
    ]:
        for path, message in zip((pipe, "/dev/zero"), messages, strict=True):
            status, out, error = run(*first, path, *last)
            assert (status, out, error.count("\n")) == (2, "", 1)
            assert message in error


@needs_posix
def test_a_pipe_that_somebody_writes_to(run, folder):
    scores, pipe = folder / "scores.json", folder / "pipe"
    run("compare", "--data", "iris", "--n-splits", "3", "--save-scores", scores)
    os.mkfifo(pipe)
    keep = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # what is written waits for the reader
    with pipe.open("wb") as file:
        writer = threading.Timer(0.2, lambda: (file.write(scores.read_bytes()), file.close()))
        writer.start()
        assert run("report", pipe) == run("report", scores)
        writer.join()
    os.close(keep)


def test_missing_packages_are_named(run, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    arguments = ["compare", "--data", "iris", "--report", folder / "out.html"]
    check_refused(run, folder, arguments, "needs jinja2")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    arguments = ["compare", "--data", "iris", "--plot", folder / "out.svg"]
    check_refused(run, folder, arguments, "needs matplotlib, which is not installed; run python -m")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "fastparquet", None)
    check_refused(run, folder, ["compare", "--data", folder / "broken.parquet"], "pip install")


# What is wrong with a call, a part of each mistake in the order in which they are told.
SEVERAL = [
    (
        "compare --data {}/good.csv --target y --positive r --plot {}/a.jpg --report {}/no/a.html "
        "--estimators tree lightgbm.LGBMClassifier sklearn.nowhere.Model --seed -1 --scoring f2",
        (
            *("No such file", "one of .png", "--positive 'r'", "--seed -1", "'f2'"),
            *("pip install lightgbm", "No module named 'sklearn.nowhere'"),
        ),
    ),
    (
        "compare --data {}/none.csv --csv {}/no/t.csv",
        ("t.csv cannot be written", "none.csv cannot be read"),
    ),
    ("compare --data {}/good.csv --estimators forrest tree", ("--target is", "mean 'forest'")),
    (
        "curve --data wine --estimators lightgbm.Model --n-jobs 0 --confidence-level 2",
        ("--confidence-level 2", "--n-jobs 0", "pip install lightgbm"),
    ),
    ("predictions {}/none.csv --target y --scoring f1 --plot a.x", ("one of .png", "No such file")),
    ("report {}/none.json --csv {}/no/t.csv", ("No such file", "cannot be read")),
    pytest.param(
        f"gate --data {{}}/good.csv --target z {SIDES[:-3]}lightgbm.Model --rule not-worse "
        "--plot a.x",
        ("one of .png", "need --margin", "'z': not among", "pip install lightgbm"),
        marks=pytest.mark.processes,
    ),
]


@pytest.mark.parametrize(("arguments", "parts"), SEVERAL)
def test_all_that_is_wrong_is_told_in_one_start(run, folder, monkeypatch, arguments, parts):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    before = everything_in(folder)
    status, out, error = run(*arguments.replace("{}", str(folder)).split())
    told = error.splitlines()
    assert (status, out, len(told)) == (2, "", len(parts))
    for line, part in zip(told, parts, strict=True):
        assert line.startswith("skcvstats: ")
        assert part in line
    assert everything_in(folder) == before


def test_missing_packages_are_told_together(run, folder, monkeypatch):
    for package in ("jinja2", "matplotlib", "lightgbm"):
        monkeypatch.setitem(sys.modules, package, None)
    files = ("--report", folder / "a.html", "--plot", folder / "a.svg")
    error = run("compare", "--data", "wine", *files, "--estimators", "tree", "lightgbm.Model")[2]
    for line, package in zip(error.splitlines(), ("jinja2", "matplotlib", "lightgbm"), strict=True):
        assert f"python -m pip install {package}" in line


COMMANDS = ("compare", "curve", "gate", "predictions", "report", "store")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_examples(run, command):
    status, out, _ = run(*command.split(), "--help")
    assert (status, "examples:\n" in out) == (0, True)


@pytest.mark.parametrize("name", ["table.xlsx", "table.csv"])
def test_an_excel_file_is_refused_with_the_remedy(run, folder, monkeypatch, name):
    """It is known by its content."""
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with zipfile.ZipFile(folder / name, "w") as archive:
        archive.writestr("xl/workbook.xml", "")
    arguments = ["compare", "--data", folder / name, "--target", "y"]
    message = "needs python -m pip install openpyxl; or save the sheet as CSV"
    check_refused(run, folder, arguments, message)
    predictions = ["predictions", folder / name, "--target", "y", "--scoring", "accuracy"]
    check_refused(run, folder, predictions, "to_csv('table.csv', index=False)")
    (folder / name).write_bytes(b"PK\x03\x04 and no more")
    check_refused(run, folder, arguments, "cannot be read as an Excel file")


def test_a_sheet_is_one_of_an_excel_file(run, folder):
    arguments = ["compare", "--data", folder / "good.csv", "--target", "y", "--sheet", "a"]
    check_refused(run, folder, arguments, "--sheet is for Excel files, and ")


def test_errors_on_predictions_and_scores_name_the_options_that_help(run, tmp_path):
    path, numbers, saved = (tmp_path / name for name in ("labels.csv", "numbers.csv", "list.json"))
    labels = [f"{'ab'[k % 2]},{'ab'[k % 3 % 2]},{'ba'[k % 5 % 2]},{'xy'[k % 2]}" for k in range(60)]
    path.write_text("y,old,new,land\n" + "\n".join(labels))
    shares = [f"0.{k + 10},0.{k + 11},0.{k + 12}" for k in range(60)]
    numbers.write_text("rf,xgb,svm\n" + "\n".join(shares))
    saved.write_text("[1]")
    cases = [
        (
            ("predictions", path, "--target", "y", "--scoring", "accuracy"),
            "If it is no model, name the models by --models, or pass --drop land; else replace",
        ),
        (
            ("predictions", numbers, "--target", "rf", "--scoring", "accuracy"),
            "Finished scores are compared by --values without --target.",
        ),
        (
            ("gate", "--scores", saved, "--champion", "a", "--challenger", "b", "--rule", "better"),
            "Pass a file that compare --save-scores wrote.",
        ),
    ]
    for arguments, message in cases:
        status, _, error = run(*arguments)
        assert status == 2
        assert message in error
        assert "compare_losses(" not in error
        assert "ComparisonResult" not in error
