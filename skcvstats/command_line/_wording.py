"""What notes and errors say in Python, said with the options of the command line."""

import re
from collections.abc import Iterable
from itertools import pairwise

_TEXT = r"""["'](\w+)["']"""
_FOLDS = r"those of RepeatedStratifiedKFold\([^)]*\) for classes, else of RepeatedKFold\([^)]*\)"
_BLOCKS = r"groups of neighbouring rows, groups=np\.arange\(len\(y\)\) // (\d+) or longer blocks"
_OF_NO_MODEL = r"""(The predictions of (["'])(.+?)\2 contain [^.]*)"""
_LABELS = r"Pass labels, such as \(\w+ >= 0\.5\)\.astype\(int\), or to compare_predictions \S+"
# Words for Python, and those for the command line; the first that fits is taken.
_SAID = [
    (r"""groups=\w+\[(["'])([\w.-]+)\1\]""", r"--groups \2"),
    (r"""groups=\w+\[((["']).+?\2)\]""", r"--groups \1"),
    (_BLOCKS, r"--groups with a column that numbers blocks of \1 neighbouring rows or more"),
    (r"(?<![\w-])groups=(\w+\.index(\.get_level_values\(\d+\))?)?", "--groups"),
    (r"(?<=[Pp]ass )groups\b|(?<=leave )groups(?= out)|(?<=leave )groups(?=,)", "--groups"),
    (rf"(?<![\w-])method={_TEXT}", r"--method \1"),
    (rf"(?<![\w-])scoring={_TEXT}", r"--scoring \1"),
    (rf"(?<![\w-])reference={_TEXT}", r"--reference \1"),
    (rf"(?<![\w-])missing_rows={_TEXT}", r"--missing-rows \1"),
    (r"(?<![\w-])(margin|reference|time|by|threshold|folds|store)=(?=[ .,;)]|$)", r"--\1"),
    (r"fresh_seeds=True", "--fresh-seeds"),
    (r"(?<=from )random_state=", "--seed "),
    (r"KFold\(shuffle=True\) or |, or use RepeatedSubsampleSplit\(pool='fixed'\)", ""),
    (r"cv=TimeSeriesSplit\(\)", "--method diebold_mariano"),
    (r"(cv=)?RepeatedSubsampleSplit\(n_splits=(\d+)\)", r"--n-splits \2"),
    (r"(cv=)?RepeatedSubsampleSplit\([^)]*\)", "--method corrected_resampled_t"),
    (rf"{_FOLDS}; compare_estimators without cv= draws them", "drawn without --n-splits"),
    (r"; compare_estimators without cv= draws them", ""),
    (r"(?<=--)([a-z-]+ \d+)\.0(?= must)", r"\1"),  # as it was typed
    (
        r"If y is a quantity, compare regressors, or .*y\.astype\(str\)",
        "If the target is a quantity, pass --task regression; if its numbers are classes, write "
        "them as texts",
    ),
    (
        rf"{_OF_NO_MODEL}. Replace them by the classes .* function of your own",
        r"\1. If it is no model, name the models by --models, or pass --drop \3; else replace "
        "them by the classes that they stand for",
    ),
    (
        r"ComparisonResult\. Pass what ComparisonResult\.to_json returned",
        "result of a comparison. Pass a file that compare --save-scores wrote",
    ),
    (r"compare_losses \(on the command line by (--values without --target)\)", r"\1"),
    (r": pos_label=\S+ is not a valid label", ""),
    (rf"{_LABELS} \(on the command line, (--threshold 0\.5)\)", r"Pass labels, or \1"),
    (r"(?<![\w-])test_size\b(?!=)", "--test-size"),
    (r"compare_estimators and cross_val_inference keep them", "skcvstats compare keeps them"),
    (r"cross_val_inference or compare_estimators", "skcvstats compare"),
    (r"(result\.)?(notes\b(?=[.)])(?<=result\.notes)|by_slice\(\))", "--json"),
    (r"(result\.)?to_frame\(\)", "--csv"),
    (r"greater_is_better=True", "--greater-is-better"),
    (r"greater_is_better=False", "--lower-is-better"),
    (r"runs= \(--run-column\)", "--run-column"),
    (r"(result\.)?(best_set|ranking)\(\)", "--report"),
]
# What has no option. A clause that says it is left out, unless it is the first.
_ARGUMENTS = "adjustment|alternative|auxiliary|by|cv|design|groups|hypotheses|law|margin|method"
_ARGUMENTS += "|missing_rows|n_replicates|n_splits|null_value|on_error|pool|pos_label|random_state"
_ARGUMENTS += "|reference|response_method|rho|rule|sample_weight|scoring|shuffle|variance|y"
PYTHON = re.compile(
    rf"(?<![\w-])({_ARGUMENTS})=(?!=)|\w(KFold|Split|OneOut|GroupOut|TTest)\(|\bKFold\("
    r"|\b(make_scorer|get_scorer|set_config|mcnemar_exact_test|compare_\w+|cross_val_\w+)\b"
    r"|\b(CVScores|SplitDesign|np|pd|result)\.\w"
)
_CLAUSE = re.compile(r"(?:[;:]|(?<=[\w)])\.) (?=\S)|,? or (?=--|\w*\()")


def error_in_options(text: str) -> str:
    """Return an error that names options in place of Python where there is one."""
    for said, option in _SAID:
        text = re.sub(said, option, text)
    return text


def in_options(text: str) -> str:
    """Return a note that names options in place of Python, without what has no option."""
    text = error_in_options(text)
    if PYTHON.search(text):
        return _without_python(text)
    return text


def _without_python(text: str) -> str:
    """Leave out the clauses after the first that are about Python."""
    body = text.rstrip(". ")
    ends = [*(found.start() for found in _CLAUSE.finditer(body)), len(body)]
    kept = body[: ends[0]]
    for start, end in pairwise(ends):
        clause = body[start:end]
        if not PYTHON.search(clause):
            kept += clause
    return kept + text[len(body) :]


def all_in_options(texts: Iterable[object]) -> list[str]:
    """Return texts that name options."""
    return [in_options(str(text)) for text in texts]
