"""Arbitrary estimator strings and files: nothing is evaluated, and every exit is a known one."""

import contextlib
import sys
import warnings
from threading import current_thread, main_thread

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from skcvstats.command_line import main
from tests.hostile.documents import MISSING, VALUES, changed, documents, places

pytestmark = pytest.mark.processes  # it reads hostile files


def examples(n):
    return settings(max_examples=n, suppress_health_check=list(HealthCheck), database=None)


# What a string that was evaluated would raise, as Python reports it to its audit hooks.
FORBIDDEN = {
    *("os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "subprocess.Popen"),
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "shutil.rmtree", "socket.connect"),
    *("builtins.input", "webbrowser.open", "pickle.find_class"),
}
MODULES = {"antigravity", "this", "webbrowser", "turtle", "pdb", "lurking", "smtplib"}


class Watch:
    """Records, while it is entered, what code in a string would do."""

    def __init__(self):
        self.seen, self.watching = [], False
        sys.addaudithook(self._hear)

    def _hear(self, event, arguments):
        # Threads that other tests have left may do anything.
        if not self.watching or current_thread() is not main_thread():
            return
        if event == "exec":  # modules are run by importlib, and dataclasses run their own code
            caller = sys._getframe(1).f_globals["__name__"]
            forbidden = caller.startswith(("skcvstats", "ast", __name__))
        elif event == "import":
            forbidden = arguments[0].partition(".")[0] in MODULES
        elif event == "open":
            forbidden = isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
            forbidden = forbidden and "sentinel" in str(arguments[0])
        else:
            forbidden = event in FORBIDDEN
        if forbidden:
            self.seen.append((event, ascii(arguments)[:200]))

    def __enter__(self):
        self.seen, self.watching = [], True
        return self

    def __exit__(self, *raised):
        self.watching = False


@pytest.fixture(scope="module")
def watch():
    return Watch()


@pytest.fixture
def ended(watch, capsys):
    """Run the command line; check how it ends, and return its exit status and what it said."""

    def ended(*arguments):
        capsys.readouterr()
        with warnings.catch_warnings(action="default"), watch:
            status = main(list(map(str, arguments)))
        out, error = capsys.readouterr()
        assert not watch.seen
        assert "Traceback" not in out + error
        if status == 2:
            assert out == ""
            assert error.count("\n") == 1
            assert error.startswith("skcvstats: ")
            assert error[:-1].isprintable()
            assert len(error) < 2100
        else:
            assert status in (0, 1, 3)
            assert out
        return status, error

    return ended


def test_the_watch_sees_what_is_evaluated(watch, tmp_path):
    code = f"open({str(tmp_path / 'sentinel')!r}, 'w')"
    with watch:
        eval(compile(code, "<unknown>", "eval")).close()
    assert {event for event, _ in watch.seen} == {"open", "exec"}


ATOMS = [
    *("forest", "knn", "sklearn", "svm", "SVC", "os", "system", "sys", "exit", "x", "self"),
    *("0", "1e999", "-1", "None", "True", "'ls'", "b'x'", "...", "[]", "{}", "()", "1j"),
    *("__import__('os')", "open('sentinel', 'w')", "lambda: open('sentinel', 'w')", "exit()"),
    *('f\'{open("sentinel", "w")}\'', "(y := open('sentinel', 'w'))", "await x", "yield"),
    *("print", "eval", "antigravity", "this", "lurking", "webbrowser", "*a", "**b"),
    *("sklearn.svm.SVC", "sklearn.tree.DecisionTreeClassifier", "numpy.load", "sklearn.utils"),
    *("skcvstats.command_line.main", "sklearn.base.clone", "models.py", "models.py:x", "\0"),
]
LARGER = [
    *("{0}.{1}", "{0}({1})", "{0}(C={1})", "{0}({1}=1, kernel={0})", "{0}={1}", "{0}[{1}]"),
    *("[{0} for x in {1}]", "{{{0}: {1}}}", "lambda x: {0}({1})", "{0} if {1} else {0}"),
    *("f'{{{0}}}'", "{0}; import {1}", "{0}:{1}"),
]
ATOMS, LARGER = map(st.sampled_from, (ATOMS, LARGER))
NEAR_VALID = st.recursive(
    ATOMS, lambda parts: st.builds(str.format, LARGER, parts, parts), max_leaves=8
)
ANY_TEXT = st.text(max_size=60)
DEEP = st.builds(
    lambda name, opening, n: f"{name}(C={opening * n}",
    ATOMS,
    st.sampled_from(["(", "[", "-", "x.", "{1:", "not ", "lambda: ", "f'{"]),
    st.sampled_from([50, 500, 5000]),
)
LONG = st.builds(lambda part: (part * 100_000)[:100_000], st.text(min_size=1, max_size=9))
PREFIXED = st.builds(
    lambda name, value: f"sklearn.tree.DecisionTreeClassifier({name}={value})",
    st.sampled_from(["max_depth", "criterion", "random_state", "class_weight", "self", "x"]),
    NEAR_VALID,
)
ESTIMATORS = st.one_of(NEAR_VALID, ANY_TEXT, PREFIXED, DEEP, LONG)


@examples(200)
@example(text="knn", said="at least two models")
@example(text="sklearn.svm.SVC(C=-1, kernel=[])", said="at least two models")
@example(text="sklearn.svm.SVC(c=1)", said="unexpected keyword argument 'c'")
@given(text=ESTIMATORS, said=st.just(""))
def test_any_estimator(ended, tmp_path_factory, text, said):
    """Alone, an estimator is made, and then refused before it is fitted."""
    folder = tmp_path_factory.getbasetemp() / "fuzzed"
    folder.mkdir(exist_ok=True)
    (folder / "lurking.py").write_text("open('sentinel', 'w')")
    with contextlib.chdir(folder):
        status, error = ended("compare", "--data", "iris", f"--estimators={text}")
    assert (status, said in error) == (2, True)
    assert [path.name for path in folder.iterdir()] == ["lurking.py"]


CELL = st.one_of(
    st.sampled_from(["", "0", "1", "2.5", "nan", "inf", "-1e308", "yes", "no", "2024-05-01", '"']),
    st.integers().map(str),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
)


@st.composite
def near_csv(draw):
    """A table of few columns, mostly whole: some rows are longer or shorter, or quoted by half."""
    n_columns = draw(st.integers(1, 4))
    header = draw(st.lists(st.sampled_from(["y", "a", "b", "a b", "", "é"]), min_size=n_columns))
    kinds = [draw(st.sampled_from([st.integers(0, 1).map(str), CELL])) for _ in header]
    rows = [
        [draw(kind) for kind in kinds] + [draw(CELL)] * draw(st.sampled_from([0, 0, 0, 0, 1]))
        for _ in range(draw(st.integers(0, 6)))
    ]
    separator, end = draw(st.sampled_from(",,,;\t")), draw(st.sampled_from(["\n", "\r\n", "\r"]))
    lines = [separator.join(row) for row in [header, *rows * draw(st.sampled_from([1, 1, 8]))]]
    return end.join(lines).encode(draw(st.sampled_from(["utf-8", "utf-16", "utf-8-sig"])))


NEAR_PARQUET = st.builds(lambda body: b"PAR1" + body + b"\x04\x00\x00\x00PAR1", st.binary())
FILES = st.one_of(
    st.tuples(st.just("data.csv"), st.one_of(near_csv(), near_csv(), st.binary())),
    st.tuples(st.sampled_from(["data.csv.gz", "data.parquet", "data.xz"]), st.binary()),
    st.tuples(st.just("data.parquet"), NEAR_PARQUET),
)
PAIR = ("--champion", "a", "--challenger", "b")
TREES = ("--estimators", "tree", "sklearn.dummy.DummyClassifier", "--n-splits", "2")
OF_TABLE = ("--target", "y", "--scoring", "accuracy")
ON_FILES = {
    "compare": ("compare", "--target", "y", *TREES, "--data"),
    "predictions": ("predictions", *OF_TABLE, "--json"),
    "gate": ("gate", *OF_TABLE, *PAIR, "--rule=equivalent", "--margin=0.5", "--predictions"),
}


@examples(100)
@given(file=FILES, command=st.sampled_from(list(ON_FILES)))
def test_any_file(ended, tmp_path_factory, file, command):
    name, content = file
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(content)
    ended(*ON_FILES[command], path)


@st.composite
def near_json(draw):
    """Saved scores with something else in one place, also in the scores within."""
    saved = documents()["a margin"]
    place = draw(st.sampled_from(places(saved)))
    return changed(saved, place, draw(st.sampled_from((*VALUES, MISSING)))).encode()


@st.composite
def torn_json(draw):
    text = documents()["a margin"]
    first, last = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    return (text[:first] + text[last:]).encode()


ON_SCORES = [("report",), ("report", "--json", "--confidence-level", "0.8", "--margin", "0.01")]
ON_SCORES += [("gate", *PAIR, "--rule", rule, "--scores") for rule in ("better", "not-worse")]


@examples(100)
@given(content=st.one_of(near_json(), torn_json(), st.binary()), command=st.sampled_from(ON_SCORES))
def test_any_saved_scores(ended, tmp_path_factory, content, command):
    path = tmp_path_factory.getbasetemp() / "scores.json"
    path.write_bytes(content)
    ended(*command, path)
