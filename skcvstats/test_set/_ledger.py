"""LookLedger: many looks at one test set, each answered by PASS or NOT SHOWN and nothing else.

Notes
-----
The target is compared with predictions in one function, `_is_better`. All else that is checked, and
all that an error may say, is known without the target; there is one exception, its fingerprint.

A look is written before it is tested, without an answer, and again with it. A process that ends in
between has spent the look, and the same pair gets the answer that is lacking. A lock of the system,
that of an SQLite file, makes processes wait for each other; it is free when its process has ended.
"""

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from fractions import Fraction
from io import StringIO
from itertools import starmap
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import binom

from .._utils._arrays import as_array, as_numbers, check_path, decimals_in, target_digest, typed
from .._utils._checks import listed, n_rows
from .._utils._documents import DocumentError, read_file, write_whole
from .._utils._metrics import NOT_SMOOTH, WITHOUT_ROWS, known_of
from .._utils._shared_arguments import check_integer, check_share
from .._utils._text import check_printable
from .._utils._warn import CaughtWarnings
from ..fitting import Metric
from ..stats import check_present, read_groups
from ._alignment import by_name, matched_rows
from ._measure import KINDS, Options, measure_test_set, notes_of_order
from ._predictions import TestSet, read_metric, read_test_set
from ._stored import PREDICT, is_estimator, store

SHOWN = "PASS"
NOT_SHOWN = "NOT SHOWN"
UNANSWERED = "no answer yet"
_FORMAT = "skcvstats looks at a test set"
_VERSION = 1
_MOST_LOOKS = 10_000
# Tails of Student's t are not known far out where fewer equal deviations tell as much.
_LEAST_TELLING = 100
# How often a fingerprint of the target is hashed, so that it takes long to guess a target from it.
_N_HASHES = 100_000
_SECONDS_OF_A_TRY = 1.0


class LedgerError(ValueError):
    """No looks at the test set are left."""


class Look(NamedTuple):
    """The answer to one look at a test set.

    Parameters
    ----------
    number : int
        Which look it was, from 1 on; 0 if none was needed, as the predictions are equal.
    passed : bool
        Whether the challenger was shown to be better.
    level : float
        The level of its test; 0 if none was needed.
    n_passed : int
        How many looks have passed so far.
    n_left : int
        How many looks are left.
    """

    number: int
    passed: bool
    level: float
    n_passed: int
    n_left: int


def level_of_look(level: float, looks: int, n_passed: int) -> float:
    """Return the level of a look after so many have passed; over all looks they add to `level`."""
    return float(Fraction(level) / (2 ** (n_passed + 1) * comb(looks, n_passed + 1)))


class Entry(NamedTuple):
    """A line of a ledger."""

    look: int
    time: str
    champion: str
    challenger: str
    champion_fingerprint: str
    challenger_fingerprint: str
    level: float
    answer: str
    checksum: str = ""  # which also covers the lines before

    @property
    def is_answered(self) -> bool:
        return self.answer != UNANSWERED


@dataclass(frozen=True)
class Record:
    """What a ledger file contains."""

    looks: int
    level: float
    metric: str
    target: str
    groups: str | None
    champion: str  # of the next look
    champion_fingerprint: str
    entries: tuple[Entry, ...] = ()

    @property
    def n_passed(self) -> int:
        return [entry.answer for entry in self.entries].count(SHOWN)

    @property
    def n_left(self) -> int:
        return self.looks - len(self.entries)

    def entry_of(self, pair: "_Pair") -> Entry:
        """Return the line of a pair of champion and challenger, or a new line without an answer."""
        pairs = {(e.champion_fingerprint, e.challenger_fingerprint): e for e in self.entries}
        new = Entry(len(self.entries) + 1, "", *pair.names, *pair.fingerprints, 0.0, UNANSWERED)
        return pairs.get(pair.fingerprints, new)

    def with_entry(self, entry: Entry) -> "Record":
        """Return the record with a new line, or with another in place of the line of this look."""
        entries = list(self.entries)
        entries[entry.look - 1 : entry.look] = [entry]
        return replace(self, entries=tuple(entries))

    def with_champion(self, name: str, fingerprint: str) -> "Record":
        return replace(self, champion=name, champion_fingerprint=fingerprint)

    def look(self, entry: Entry) -> Look:
        passed = entry.answer == SHOWN
        return Look(entry.look, passed, entry.level, self.n_passed, self.n_left)

    def to_text(self) -> str:
        """Return the text of the file, with a line for each look."""
        document = self.to_document()
        lines = ",\n".join(map(json.dumps, document["asked"]))
        text = json.dumps({**document, "asked": None}, indent=1)
        return text.replace('"asked": null', f'"asked": [\n{lines}\n ]') + "\n"

    def to_document(self) -> dict[str, Any]:
        """Return the content of the file; each checksum also covers the lines before."""
        checksum = ""
        asked = []
        for entry in self.entries:
            checksum = _checksum(checksum, entry[:-1])
            asked.append(entry._replace(checksum=checksum)._asdict())
        test_set = dict(vars(self))
        del test_set["entries"]
        document = {"format": _FORMAT, "version": _VERSION, "test_set": test_set, "asked": asked}
        return {**document, "checksum": _checksum(checksum, *test_set.values())}


def read_ledger(path: Path) -> Record:
    """Return what a ledger file contains, or raise an error that says why it cannot be read."""
    remedy = "Restore it from a copy; a new ledger is for another test set."
    try:
        document = json.loads(read_file(path))
        kind = document["format"], document["version"]
        entries = tuple(starmap(Entry, map(dict.values, document["asked"])))
        record = Record(**document["test_set"], entries=entries)
        is_whole = record.to_document() == document
    except FileNotFoundError as error:
        raise DocumentError(f"There is no ledger {str(path)!r}. {remedy}") from error
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise DocumentError(
            f"{str(path)!r} cannot be read, is damaged, or not a ledger that this skcvstats reads "
            f"({error}). {remedy}"
        ) from error
    if kind != (_FORMAT, _VERSION) or not is_whole:
        raise DocumentError(
            f"{str(path)!r} does not match its checksums, so a line was changed or removed, or it "
            f"is of another version than {_VERSION}. {remedy}"
        )
    return record


def _checksum(*parts: Any) -> str:
    text = json.dumps(parts, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


class LookLedger:
    """Many looks at one test set, with little chance of any false PASS.

    It is for users who keep the target of a test set and answers an agent, or a team, that tries
    change after change: is the challenger better than the champion? The answer is PASS or NOT
    SHOWN, and nothing else that depends on the target. Each look is tested at a level that depends
    on how many looks are planned and on how many passed so far, so that the chance of any false
    PASS in the whole loop is at most `level`, whatever the strategy.

    Parameters
    ----------
    path : str or Path
        The file that has all looks. It is made by the first one; a lock file stands beside it.
    looks : int, default=50
        How many looks are planned in all.
    level : float, default=0.05
        The chance of any false PASS in all looks together.

    Raises
    ------
    ValueError
        If `looks` or `level` is not possible.

    See Also
    --------
    skcvstats.compare_predictions : Compares fitted models once, with intervals.

    Notes
    -----
    With L looks and f passes so far a look is tested at the level
    alpha 2^-(f+1) / C(L, f+1) [1]_. If the only answers are PASS and NOT SHOWN, at most
    C(t-1, f) histories lead to look t after f passes, so at most C(L, f+1) hypotheses are ever
    tested after f passes, and the levels add to at most alpha. With 50 looks they are 0.0005, 1e-5
    and 3.2e-7.

    Accuracy of independent rows is tested by McNemar's exact test. All other metrics, and groups,
    have the t-test of `skcvstats.compare_predictions`, of ROC AUC that of pseudo-values, and are
    NOT SHOWN where the deviations d of the rows or groups tell too little for a level so far out,
    (sum d^2)^2 / sum d^4 below 100. Rows of a test are taken to be independent, or groups where
    they are given.

    A look is written before it is tested. If the process ends before there is an answer, the look
    is spent, and the same pair gets its answer later.

    References
    ----------
    .. [1] A. Blum and M. Hardt, "The Ladder: A Reliable Leaderboard for Machine Learning
       Competitions", ICML 2015: the count of histories.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from skcvstats.test_set import LookLedger
    >>> rng = np.random.default_rng(0)
    >>> y_true = rng.integers(0, 2, 1000)
    >>> old = np.where(rng.random(1000) < 0.8, y_true, 1 - y_true)
    >>> new = np.where(rng.random(1000) < 0.9, y_true, 1 - y_true)
    >>> folder = tempfile.mkdtemp()
    >>> ledger = LookLedger(Path(folder) / "looks.json", looks=50)
    >>> ledger.test(y_true, old, new, scoring="accuracy")
    Look(number=1, passed=True, level=0.0005, n_passed=1, n_left=49)
    """

    def __init__(self, path: str | os.PathLike[str], looks: int = 50, level: float = 0.05) -> None:
        check_path("path", path)
        self.path = Path(path)
        self.looks = check_integer("looks", looks, 1, _MOST_LOOKS)
        self.level = check_share("level", level, 0.05)

    def __repr__(self) -> str:
        return f"LookLedger({str(self.path)!r}, looks={self.looks}, level={self.level})"

    def test(
        self, y_true: Any, champion: Any, challenger: Any, *, scoring: Any, groups: Any = None
    ) -> Look:
        """Test whether a challenger is better than the champion, and spend a look.

        The same pair again gets its old answer without another look, and so do predictions that
        equal the champion's.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            The target of the test rows.
        champion, challenger : array-like, mapping or frame
            What each predicts, as in `skcvstats.compare_predictions`; ``{"v2": predictions}`` gives
            it a name. The champion is that of the first look, or the last challenger that passed.
        scoring : str or callable
            The metric, as in `skcvstats.compare_predictions`.
        groups : array-like of shape (n_rows,), default=None
            The group of each row; rows of one group may depend on each other.

        Returns
        -------
        Look
            ``number``, ``passed``, ``level``, ``n_passed`` and ``n_left``.

        Raises
        ------
        LedgerError
            If no looks are left.
        PairingError, TypeError, ValueError
            If predictions or groups are not what the metric needs, the champion is another one, or
            the ledger is of another target, metric, level or number of looks, or damaged. All this
            is known without the target, and costs no look. Whatever is wrong with the target, or
            with predictions for it, is NOT SHOWN.
        """
        pair = _read_pair(y_true, champion, challenger, scoring, groups)
        path = self.path.resolve()
        with _locked(path):
            record = self._record(path, pair)
            entry = record.entry_of(pair)
            if entry.is_answered:
                return record.look(entry)
            if pair.fingerprints[0] != record.champion_fingerprint:
                raise ValueError(
                    f"The predictions of {pair.names[0]!r} are not those of the champion, "
                    f"{record.champion!r}: the first look's, or the last challenger that passed. "
                    "Pass the predictions of this one as the champion."
                )
            if pair.are_equal:
                return Look(0, False, 0.0, record.n_passed, record.n_left)
            if entry.look > self.looks:
                raise LedgerError(
                    f"No looks are left: {self.looks} of {self.looks} in {str(self.path)!r} are "
                    f"spent, and {record.n_passed} passed. Collect a new test set, and begin a new "
                    "ledger."
                )
            level = level_of_look(self.level, self.looks, record.n_passed)
            now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            entry = entry._replace(time=now, level=level)
            write_whole(path, record.with_entry(entry).to_text().encode())
            entry = entry._replace(answer=NOT_SHOWN)
            if pair.is_better(level):
                entry = entry._replace(answer=SHOWN)
                record = record.with_champion(entry.challenger, entry.challenger_fingerprint)
            record = record.with_entry(entry)
            write_whole(path, record.to_text().encode())
        return record.look(entry)

    def _record(self, path: Path, pair: "_Pair") -> Record:
        """Return what the file contains, if it is of the same test set; else a new record."""
        facts: dict[str, Any] = {
            "looks": self.looks,
            "level": self.level,
            "metric": pair.metric.describe(),
            "groups": target_digest(pair.groups),
        }
        if not path.exists():
            facts["target"] = _slow_fingerprint(pair.y, os.urandom(16))
            return Record(
                **facts, champion=pair.names[0], champion_fingerprint=pair.fingerprints[0]
            )
        record = read_ledger(path)
        salt = bytes.fromhex(record.target.partition(":")[0])
        facts["target"] = _slow_fingerprint(pair.y, salt)
        others = [name for name, value in facts.items() if value != getattr(record, name)]
        if others:
            raise ValueError(
                f"{str(self.path)!r} was begun with another {listed(others)}; it has "
                f"looks={record.looks}, level={record.level:g} and the metric {record.metric}. "
                "Pass what the first look had; a new ledger is for another test set."
            )
        return record


_NOT_GIVEN = dict.fromkeys(("sample_weight", "time", "X", "by"))


def _slow_fingerprint(y: Any, salt: bytes) -> str:
    """Return a fingerprint of the target that takes long to compute for each guess of it."""
    digest = str(target_digest(y)).encode()
    slow = hashlib.pbkdf2_hmac("sha256", digest, salt, _N_HASHES, dklen=16)
    return f"{salt.hex()}:{slow.hex()}"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep the lock of a ledger, for which others wait."""
    place = path.with_name(f"{path.name}.lock")
    try:
        place.touch()
        lock = sqlite3.connect(place, timeout=_SECONDS_OF_A_TRY, isolation_level=None)
        while not _is_taken(lock):  # an interrupt comes between two tries
            pass
    except (OSError, sqlite3.Error) as error:
        raise ValueError(
            f"{str(place)!r} cannot be locked ({error}). Keep the ledger in a folder that is there "
            "and where you may write."
        ) from error
    with closing(lock):
        yield


def _is_taken(lock: sqlite3.Connection) -> bool:
    """Take a lock and return True, or False if another process has it."""
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


@dataclass(frozen=True, eq=False)
class _Pair:
    """The predictions of a champion and a challenger, checked as far as they are without target."""

    names: tuple[str, str]
    values: tuple[np.ndarray, np.ndarray]
    fingerprints: tuple[Any, Any]
    metric: Metric
    y: Any
    groups: Any
    scoring: Any

    @property
    def are_equal(self) -> bool:
        return np.array_equal(*self.values)

    def is_better(self, level: float) -> bool:
        """Return whether the challenger is shown to be better; False for all that goes wrong."""
        silent = StringIO()
        ignored = CaughtWarnings(action="ignore")
        with ignored, redirect_stdout(silent), redirect_stderr(silent):
            try:
                predictions = dict(zip(("champion", "challenger"), self.values, strict=True))
                of_rows: dict[str, Any] = {"groups": self.groups, **_NOT_GIVEN}
                test_set = read_test_set(self.y, predictions, self.scoring, **of_rows)
                return _is_better(test_set, level)
            except KeyboardInterrupt:
                raise
            except BaseException:  # whatever it says depends on the target
                return False


def _read_pair(y_true: Any, champion: Any, challenger: Any, scoring: Any, groups: Any) -> _Pair:
    """Check what can be checked without the target, and put the rows into one order."""
    metric = read_metric(scoring, "auto")
    _check_metric(metric)
    n_rows(y_true, "y_true")
    if not isinstance(y_true, np.ma.MaskedArray):  # an error would count what is masked
        as_array("y_true", y_true)
    name_1, predicted_1 = _named("champion", champion)
    name_2, predicted_2 = _named("challenger", challenger)
    check_printable([name_1, name_2], "models")
    parts = {"y_true": y_true, "champion": predicted_1, "challenger": predicted_2, "groups": groups}
    aligned, _ = matched_rows(parts, {}, "raise", lambda *_: "")
    first = _read_predictions("champion", aligned["champion"], metric)
    second = _read_predictions("challenger", aligned["challenger"], metric)
    if first.shape != second.shape or (first.dtype.kind in "US") != (second.dtype.kind in "US"):
        raise ValueError(
            f"The predictions of the champion and the challenger are of different kinds: "
            f"{first.dtype} of shape {first.shape} and {second.dtype} of shape {second.shape}."
        )
    read_groups(aligned["groups"], len(first))
    return _Pair(
        names=(name_1, name_2),
        values=(first, second),
        fingerprints=(target_digest(first), target_digest(second)),
        metric=metric,
        y=aligned["y_true"],
        groups=aligned["groups"],
        scoring=scoring,
    )


def _check_metric(metric: Metric) -> None:
    """Raise ValueError for metrics without a test at such levels, or where lower is better."""
    name = metric.measured
    if metric.name_of_function in NOT_SMOOTH | WITHOUT_ROWS:
        raise ValueError(
            f"{name} has no test at the levels of a ledger. Choose another metric, such as "
            "neg_mean_absolute_error."
        )
    if known_of(name).sign < 0:
        raise ValueError(
            f"{name!r} is the name of a loss, and greater must be better. Pass "
            "make_scorer(..., greater_is_better=False)."
        )


def _named(argument: str, predictions: Any) -> tuple[str, Any]:
    """Return the name of a model and its predictions."""
    named = by_name(predictions)
    if named is None:
        named = {argument: predictions}
    if len(named) != 1 or is_estimator(*named.values()):
        raise TypeError(
            f"{argument} must be the predictions of one model: an array with an entry, or a row of "
            'probabilities, for each test row, or a mapping of its name to one, {"v2": ...}.'
        )
    ((name, values),) = named.items()
    return name, values


def _read_predictions(argument: str, predictions: Any, metric: Metric) -> np.ndarray:
    """Return predictions as an array, or raise an error for what the metric never takes."""
    values = typed(as_array(argument, predictions))
    if values.ndim not in (1, 2) or values.size == 0:
        raise ValueError(
            f"{argument} has shape {values.shape}; give one prediction for each test row, or one "
            "row of probabilities."
        )
    check_present(argument, values)
    responses: Any = metric.responses
    shares = decimals_in(values)
    if PREDICT not in responses:
        n_classes = max(2, values[:1].size)
        store(argument, values, responses, np.arange(n_classes), len(values), None, None)
    elif not metric.is_known:  # a function of labels or of values
        return values
    elif metric.facts.of_values:
        as_numbers(argument, values)
    elif shares.size:
        raise ValueError(
            f"{argument} contains {shares[0]:g}, which is not a label, and "
            f"{metric.measured} needs labels. Pass labels, such as (probabilities >= 0.5)."
            "astype(int)."
        )
    return values


# Codes of notes that make a gate undecided.
_OF_DEPENDENT_ROWS = ("equal rows", "order of rows")
# The deviations of rows or groups, in the components of a difference.
_DEVIATIONS = {"clustered_t": "sums", "jackknife_t": "deviations"}


def _is_better(test_set: TestSet, level: float) -> bool:
    """Test whether the second model is better than the first."""
    noted = {note.code for note in (*test_set.notes, *notes_of_order(test_set, ""))}
    if not noted.isdisjoint(_OF_DEPENDENT_ROWS):
        return False
    metric = test_set.metric
    is_of_rows = test_set.y.ndim == 1 and test_set.groups is None
    if metric.function_name == "accuracy_score" and is_of_rows:
        old = test_set.runs[0].values == test_set.y
        new = test_set.runs[1].values == test_set.y
        only_new = np.count_nonzero(new & ~old)
        n_apart = np.count_nonzero(new != old)
        return bool(0 < level >= binom.sf(only_new - 1, n_apart, 0.5))
    method = "clustered_t" if metric.of_rows == "mean" else "jackknife_t"
    scores, way = measure_test_set(test_set, Options(method, None, False, 0, None, 0))
    difference = scores.differences(np.array([1]), np.array([0]))
    result = KINDS[way](alternative="greater").run(difference)
    components: Any = difference.components
    deviations = components.rows(_DEVIATIONS[way])[0]
    squares = (deviations / np.abs(deviations).max()) ** 2
    n_telling = squares.sum() ** 2 / np.sum(squares**2)
    limits = [note for note in result.notes if note.category is not None]
    is_known = n_telling >= _LEAST_TELLING and not limits
    return bool(is_known and 0 < level >= result.pvalue[0])
