"""The documentation: a complete reference, pages that lead somewhere, a procedure to add."""

import re
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcvstats
from skcvstats import get_procedure
from skcvstats.stats import METHODS, procedures_among

ROOT = Path(__file__).parents[1]
DOC = ROOT / "doc"
PACKAGE = Path(skcvstats.__file__).parent
PAGES = sorted(path.stem for path in DOC.glob("*.rst"))


def load(name, path):
    """Import a file as the module of that name."""
    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def public_api(monkeypatch):
    monkeypatch.setitem(sys.modules, "public_api", None)
    return load("public_api", DOC / "public_api.py")


class TestReference:
    def test_every_public_name_is_listed_once_where_it_belongs(self, public_api):
        sections = public_api.sections()
        listed = [name for names in sections.values() for name in names]
        own = [name for name in listed if "." not in name]
        assert sorted(own) == sorted(skcvstats.__all__)
        assert len(set(listed)) == len(listed) <= 111  # few enough to be promised
        assert len(own) <= 52
        functions = [name for name in sections["Procedures"] if not name[0].isupper()]
        assert functions == ["get_procedure", "get_procedure_names"]
        assert not set(skcvstats.stats.__all__) & set(skcvstats.__all__)
        for name, title in {
            "theory.variance_ratio": "skcvstats.theory",
            "stats.bootstrap_ttest": "skcvstats.stats",
            "CVScores": "Results, scores and splits",
            "RepeatedSubsampleSplit": "Splitters",
            "PairingError": "Errors and warnings",
            "simulate": "Reports and studies",
        }.items():
            assert name in sections[title]
        assert not [title for title in public_api.ABOUT_ROOMS if title not in sections]

    def test_the_doors_come_first_and_the_errors_last(self, public_api):
        assert set(public_api.FIRST) <= set(skcvstats.__all__)
        sections = public_api.sections()
        titles = [title for title in sections if not title.startswith("skcvstats.")]
        assert titles[0] == "Comparing and scoring"
        assert titles[-1] == "Errors and warnings"
        assert sections["Comparing and scoring"][:2] == ["compare_estimators", "compare_scores"]
        assert sections["Procedures"][0] == "CorrectedResampledTTest"
        for title in titles:
            first = [name for name in public_api.FIRST if name in sections[title]]
            others = sorted(set(sections[title]) - set(first), key=str.lower)
            assert sections[title] == [*first, *others]

    def test_the_page_lists_them_for_autosummary(self, public_api, tmp_path):
        (tmp_path / "api").mkdir()
        (tmp_path / "api" / "left_over.rst").touch()
        public_api.write(tmp_path / "api")
        written = {path.stem: path.read_text() for path in (tmp_path / "api").glob("*.rst")}
        assert written == public_api.pages()
        index = written.pop("index")
        for name in skcvstats.__all__:
            listed = re.compile(rf"^   {name}$", flags=re.MULTILINE)
            assert len(listed.findall(index)) == 1
            assert sum(len(listed.findall(page)) for page in written.values()) == 1
        for name in written:
            assert f"\n   {name}\n" in index


# Words that people search for, the page with a sentence on each, and where the sentence leads.
SEARCHED = {
    "LLM": ("predictions", "logs_of_harnesses"),
    "hyperparameter": ("recipes", "plot_grid_search"),
    "sample size": ("predictions", "questions"),
    "overfitting": ("questions", "many_looks"),
    "effect size": ("questions", "pitfalls"),
    "multiclass": ("recipes", "row_t"),
    "reviewer": ("questions", "which_test"),
    "leaderboard": ("tasks", "several_models"),
    "benchmark": ("tasks", "several_models"),
    "A/B test": ("which_test", "predictions"),
    "seeds": ("quickstart", "pitfalls"),
}


class TestPages:
    @pytest.mark.parametrize("word", SEARCHED)
    def test_a_word_that_people_search_for_has_a_sentence_with_a_link(self, word):
        page, place = SEARCHED[word]
        text = (DOC / f"{page}.rst").read_text()
        paragraphs = [part for part in text.split("\n\n") if ".. index::" not in part]
        said = [part for part in paragraphs if word.lower() in part.lower()]
        assert any(re.search(rf":(doc|ref):`[^`]*{place}", part) for part in said)
        if word != "seeds":  # which is the title of a page
            assert re.search(rf"^\.\. index:: (.+, )?! {word}(,|$)", text, flags=re.MULTILINE)

    def test_code_in_bold_is_not_written(self):
        """It would show its backticks."""
        for page in PAGES:
            text = (DOC / f"{page}.rst").read_text()
            assert re.search(r"(?<![*\w`])\*\*[^*\n`]*``[^*\n]*\*\*", text) is None, page

    def test_recipes_begin_with_a_recipe(self):
        above = (DOC / "recipes.rst").read_text().partition("\nColumns of text")[0]
        assert ">>>" not in above.partition(".. dropdown::")[0]
        assert re.search(r"^>>>", above, flags=re.MULTILINE) is None  # the imports are folded

    def test_the_first_page_has_the_doors_of_the_readme(self):
        text = (DOC / "index.rst").read_text()
        doors = re.findall(r"grid-item-card:: (.+)", text)
        functions = set(re.findall(r"``(\w+)", text.partition("What it corrects")[0]))
        readme = (ROOT / "README.rst").read_text().partition("\nI have ...\n")[2]
        called = set(re.findall(r"^ +``(\w+)\(", readme.partition("\n---")[0], flags=re.MULTILINE))
        assert len(doors) == 12
        assert called <= functions | {"cross_val_inference", "compare_losses"}

    def test_every_page_is_in_the_contents(self):
        guide = (DOC / "guide.rst").read_text()
        contents = (DOC / "index.rst").read_text() + guide
        apart = {"index", "sg_execution_times", "how_a_call_travels", "rooms", "reproduction"}
        for page in set(PAGES) - apart:
            assert re.search(rf"^   (.*<)?{page}>?$", contents, flags=re.MULTILINE), page
            assert page in ("guide", "changelog") or f":doc:`{page}`" in guide
        assert "reproduction" not in contents
        assert "\n   reproduction\n" in (DOC / "theory.rst").read_text()  # its appendix
        for page in ("how_a_call_travels", "rooms"):  # for contributors
            assert page not in contents
            assert f"doc/{page}.rst" in (ROOT / "CONTRIBUTING.rst").read_text()

    @pytest.mark.slow
    def test_the_contributors_page_walks_the_road_of_a_call(self):
        page = (DOC / "how_a_call_travels.rst").read_text()
        walked = {}

        def see(frame, event, _):
            if event == "call":
                path = Path(frame.f_code.co_filename)
                if PACKAGE in path.parents:
                    names = walked.setdefault(path.relative_to(PACKAGE).as_posix(), set())
                    names.update(frame.f_code.co_qualname.split("."))

        X, y = load_iris(return_X_y=True)
        models = {"a": GaussianNB(), "b": DecisionTreeClassifier(random_state=0)}
        sys.setprofile(see)
        try:
            str(skcvstats.compare_estimators(models, X, y))
        finally:
            sys.setprofile(None)
        lines = re.findall(r"^ +(\w+)/(_\w+)(?:, (_\w+))? +(\S.*)$", page, flags=re.MULTILINE)
        assert len(lines) > 12
        for room, *files, said in lines:
            seen = [walked.get(f"{room}/{file}.py") for file in filter(None, files)]
            assert all(seen), files
            named = re.split(", | -> ", said.partition(":")[0] if ":" in said else "")
            functions = {name for name in named if re.fullmatch(r"\w+", name)}
            assert functions <= set().union(*seen) | {"FitPlan"}, (room, files)

    def test_the_first_picture_is_of_the_models_below_it(self):
        """The code of the first page is in the example that draws it."""
        example = (DOC / "examples" / "plot_compare_three_models.py").read_text()
        below = (DOC / "index.rst").read_text().split("_static/differences.svg")[1]
        code = re.findall(r"^ *(?:>>>|\.\.\.) (.*)$", below, flags=re.MULTILINE)
        last = code.index("}") + 1
        assert all(line in example for line in code[:last] if "skcvstats" not in line)
        call = re.search(r"compare_estimators\(.*?\)", code[last])[0]
        assert f"result = {call}\n" in example

    def test_the_readme_begins_with_its_first_command(self):
        above = (ROOT / "README.rst").read_text().split(".. code-block::")[0]
        assert above.count("\n") <= 25

    @pytest.mark.slow
    def test_figures_of_the_readme(self):
        script = load("draw_readme", DOC / "draw_readme.py")
        assert script.written(*script.on_real_data()) in (ROOT / "README.rst").read_text()

    def test_examples_that_pages_point_to_exist(self):
        pages = "".join((DOC / f"{page}.rst").read_text() for page in PAGES)
        for example in re.findall(r"auto_examples/(plot_\w+)", pages):
            assert (DOC / "examples" / f"{example}.py").is_file()

    def test_every_example_has_its_place_in_the_gallery(self):
        order = load("gallery_order", DOC / "gallery_order.py").ORDER
        assert sorted(order) == sorted(path.stem for path in DOC.glob("examples/plot_*.py"))

    def test_every_recipe_for_another_package_is_shown_and_run(self):
        pages = (DOC / "integrations.rst", DOC / "out_of_fold.rst")
        page = "".join(path.read_text() for path in pages)
        tests = (ROOT / ".ci" / "integrations").glob("test_*.py")
        run = re.findall(r'run\("(\w+\.py)"\)', "".join(path.read_text() for path in tests))
        shown = re.findall(r"literalinclude:: integrations/(\w+\.py)", page)
        files = sorted(path.name for path in DOC.glob("integrations/*.py"))
        assert files == sorted(shown) == sorted(run)
        assert len(files) == 12

    def test_every_method_is_in_the_decision_table(self):
        text = (DOC / "which_test.rst").read_text()
        bootstraps = {"bootstrap_t", "corrected_bootstrap_t"}  # in the table of the theory only
        for method in {*skcvstats.get_procedure_names()} - bootstraps:
            assert f"* - ``{method}``" in text


class TestAddingAProcedure:
    """One name in `skcvstats.stats` makes a procedure a ``method=``."""

    @pytest.fixture
    def added(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "stated_correlation", None)
        module = load("stated_correlation", DOC / "procedures" / "stated_correlation.py")
        METHODS.update(procedures_among([module.StatedCorrelationTTest, module.np]))
        yield module
        del METHODS["stated_correlation_t"]

    def test_its_name_is_a_method(self, added):
        assert "stated_correlation_t" in skcvstats.get_procedure_names()
        assert get_procedure("stated_correlation_t", correlation=0.2).correlation == 0.2
        with pytest.raises(ValueError, match="has no corelation: leave it out"):
            get_procedure("stated_correlation_t", corelation=0.2)


def test_the_page_of_the_rooms_names_them_all():
    text = (DOC / "rooms.rst").read_text()
    rooms = [path.parent.name for path in (ROOT / "skcvstats").glob("*/__init__.py")]
    assert all(f"``{room}``" in text for room in rooms)
    for path in re.findall(r"``([a-z_]+/\w+\.py)``", text):
        assert (ROOT / "skcvstats" / path).is_file(), path


def test_two_commands_of_the_readme_which_ci_runs_literally():
    text = (ROOT / "README.rst").read_text()
    blocks = re.findall(r"\.\. code-block:: sh\n\n((?: {4}.*\n)+)", text)
    compare, tests = (line.strip() for block in blocks for line in block.splitlines())
    assert "-m skcvstats compare" in compare
    assert "-m pytest" in tests
    assert {compare, tests} <= set((ROOT / ".ci" / "run").read_text().splitlines())


def test_oldest_versions_are_those_of_the_dependencies():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    (dask,) = extras["dask"]  # dask[distributed]; both have the same versions
    both = [dask.replace("[distributed]", ""), dask.replace("dask[distributed]", "distributed")]
    wanted = [*project["dependencies"], *extras["plots"], *extras["reports"], *both]
    pinned = (ROOT / ".ci" / "oldest.txt").read_text().splitlines()
    floors = {one.replace(">=", "==") for one in wanted}
    assert {line for line in pinned if not line.startswith("#")} == floors
