"""Saved scores and results from others: read correctly, or refused with one clear error."""

import json
import random
import warnings

import pytest

from skcvstats import ComparisonResult
from skcvstats.scores import CVScores
from tests import processes

from .documents import MISSING, VALUES, changed, documents, places, sealed

pytestmark = pytest.mark.processes
OF_SCORES = ("scores", "row scores", "row differences")
OF_TEST_SETS = ("rows", "groups", "areas", "jackknife", "slices", "bootstrap")
KINDS = ("splits", "a margin", *OF_TEST_SETS, *OF_SCORES)
REMEDIES = ("Restore it from a copy", "Use the skcvstats that wrote it", "Pass it", "Pass a file")
N_CASES = 60  # of each kind and each test


def reader_of(kind):
    return CVScores if kind in OF_SCORES else ComparisonResult


def use(found):
    """Use what was read in all usual ways; numbers may be absurd, but there are no errors."""
    str(found), found.to_json()
    if isinstance(found, CVScores):
        repr(found), found.mean(), found.row(0) if found.ndim > 1 else found
        if found.row_scores is not None:
            found.row_scores.block(), found.row_scores.split(0), found.row_scores.take([0])
        return
    found.to_frame(), found._repr_html_(), found.ranking(), found.best_set()
    [comparison.verdict() for comparison in found]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore")
def test_content_with_a_right_checksum(kind):
    """Anything in place of anything, or nothing at all."""
    document = documents()[kind]
    draw = random.Random(f"content {kind}")
    all_places = places(document)
    refused = []
    for _ in range(N_CASES):
        place, value = draw.choice(all_places), draw.choice((*VALUES, MISSING))
        try:
            found = reader_of(kind).from_json(changed(document, place, value))
        except ValueError as error:
            refused.append(str(error))
            continue
        try:
            use(found)
        except Exception as error:
            pytest.fail(f"{value!r} at {place} was read, and then: {error!r}")
    assert len(refused) > N_CASES / 3
    assert [words for words in refused if not any(remedy in words for remedy in REMEDIES)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_bytes(kind):
    """Bytes changed, cut off or repeated: the checksum detects it."""
    whole = documents()[kind].encode()
    draw = random.Random(f"bytes {kind}")
    for _ in range(N_CASES):
        place, length = draw.randrange(len(whole)), draw.randrange(1, 40)
        made = (b"", draw.randbytes(length), whole[:length], b"9" * length, b"[" * length, b"\x00")
        changed_bytes = whole[:place] + draw.choice(made) + whole[place + length :]
        if json_of(changed_bytes) == json.loads(whole):
            continue
        with pytest.raises(ValueError, match=r"damaged|does not contain|was written in version"):
            reader_of(kind).from_json(changed_bytes)


def json_of(content):
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


LARGE = {
    "nested": lambda: b"[" * 10_000_000,
    "empty lists": lambda: b"[" + b"[]," * 3_300_000 + b"[]]",
    "a long number": lambda: b"9" * 10_000_000,
    "a long text": lambda: b'"' + b"a" * 10_000_000 + b'"',
    "numbers": lambda: b"[" + b"1e1," * 2_500_000 + b"0]",
    "no text": lambda: bytes(range(256)) * 40_000,
    "a key again and again": lambda: b"{" + b'"a":1,' * 1_600_000 + b'"a":1}',
    "keys": lambda: b"{" + b",".join(b'"%d":1' % k for k in range(800_000)) + b"}",
}


def test_ten_megabytes(tmp_path):
    """Refused within 200 MB, which a process for each of them cannot exceed."""
    paths = [tmp_path / f"{name}.json" for name in LARGE]
    for path, content in zip(paths, LARGE.values(), strict=True):
        path.write_bytes(content())
    done = processes.run(["-c", _LIMITED, *paths], check=True)
    for path, said in zip(paths, done.stdout.splitlines(), strict=True):
        assert said.startswith(str(path)), done.stdout


_LIMITED = """
import os, resource, sys
from skcvstats.scores import CVScores
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
for path in sys.argv[1:]:
    if child := os.fork():
        assert os.waitpid(child, 0)[1] == 0
        continue
    resource.setrlimit(resource.RLIMIT_AS, (used + 200 * 2**20,) * 2)
    try:
        CVScores.load(path)
    except ValueError as error:
        print(str(error).splitlines()[0])
    break
"""


def test_a_file_above_the_limit_is_not_read(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(2**40)  # a terabyte that takes no room
    with pytest.raises(ValueError, match=r"1099511627776 bytes.*max_bytes=268435456.*not read"):
        CVScores.load(path)
    with pytest.raises(ValueError, match="at least 1048576 bytes, more than max_bytes=1000,"):
        CVScores.load("/dev/zero", max_bytes=1000)


@pytest.mark.parametrize("kind", ["scores", "splits"])
def test_the_limit_can_be_changed(kind):
    text, reader = documents()[kind], reader_of(kind)
    with pytest.raises(ValueError, match=f"{len(text)} bytes, more than max_bytes=100"):
        reader.from_json(text, max_bytes=100)
    reader.from_json(text, max_bytes=len(text))
    with pytest.raises(ValueError, match="max_bytes=0 must be an integer of at least 1"):
        reader.from_json(text, max_bytes=0)


def test_bare_words_are_no_json():
    content = json.loads(documents()["scores"])["content"]
    content["CVScores"]["labels"][0] = float("nan")
    with pytest.raises(ValueError, match="NaN is no JSON"):
        CVScores.from_json(sealed(content, json.loads(documents()["scores"])))


def test_a_result_does_not_warn_before_it_is_refused():
    """What a hostile document makes of numbers reaches nobody as a warning of NumPy's."""
    place = ("ComparisonResult", "tests_by_metric", "dict", "accuracy", "SavedTests", "first")
    text = changed(documents()["rows"], place, [0, 0, 0])
    said = "pairs that are not of these 3 estimators"
    with warnings.catch_warnings(action="error"), pytest.raises(ValueError, match=said):
        ComparisonResult.from_json(text)
