"""Saved documents of every kind, and manipulations of them."""

import copy
import hashlib
import json
import warnings
from base64 import b64encode
from dataclasses import replace
from functools import cache
from zlib import compress

import numpy as np

from skcvstats import compare_losses, compare_predictions, compare_scores
from skcvstats.scores import CVScores, RowScores, SplitDesign

# What stands in place of a part of a document.
VALUES = (
    *(None, True, -1, 0, 2, 10**30, -1e308, 0.75),
    *("", "nan", "1e5", "S999999999", "O", "f8,f8", "../../etc/passwd", "\x00\u202e", "best"),
    *([], [[]], [0], [0, 1, 2], [None, "a", 1.5], ["nan"] * 3, [10**9, 10**9], {}),
    {"shape": [10**9], "numbers": [1.0]},
    {"shape": [1] * 70, "numbers": [1.0]},
    {"shape": [3], "numbers": ["1", "2", "3"]},
    {"dtype": "S999999999", "shape": [1], "numbers": [1.0]},
    {"dtype": "<f8", "shape": [20], "zlib": ""},
    {"dtype": "<f8", "shape": [10**9], "zlib": b64encode(compress(bytes(8))).decode()},
    {"dtype": "<f8", "shape": [2], "zlib": b64encode(compress(bytes(10**6))).decode()},
    {"dtype": "<i8", "shape": [20], "zlib": b64encode(compress(b"\xff" * 160)).decode()},
)


def sealed(content, like):
    """Return a document with this content and a correct checksum, as anybody can make one."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    checksum = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    return json.dumps({**like, "checksum": checksum, "content": content})


def paths(tree, path=()):
    """Return the place of every part of a document, lists of numbers as one."""
    found = [path] if path else []
    if isinstance(tree, dict):
        parts = tree.items()
    elif isinstance(tree, list) and len(tree) < 8:
        parts = enumerate(tree)
    else:
        parts = ()
    return found + [place for key, part in parts for place in paths(part, (*path, key))]


def changed(document, path, value):
    """Return the document with something else at this place, or nothing, and a fitting checksum.

    A path may lead into a document inside the document; it is sealed again, too.
    """
    document = json.loads(document)
    content = copy.deepcopy(document["content"])
    inner = [k for k, key in enumerate(path) if key == "scores"]
    if inner and len(path) > inner[0] + 1:
        place, rest = path[: inner[0] + 1], path[inner[0] + 1 :]
        value = changed(at(content, place), rest, value)
        path = place
    holder = at(content, path[:-1])
    if value is MISSING:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return sealed(content, document)


MISSING = object()


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def places(document):
    """Return all places of a document, also of those inside of it."""
    content = json.loads(document)["content"]
    found = paths(content)
    for path in list(found):
        if path[-1] == "scores":
            found += [(*path, *place) for place in places(at(content, path))]
    return found


@cache
def documents():
    """Return documents that are as they should be, by kind."""
    with warnings.catch_warnings(action="ignore"):  # of few splits and groups
        return _make()


def _make():
    rng = np.random.default_rng(0)
    design = SplitDesign.from_sizes(n_train=20, n_test=5, n_splits=4)
    values = rng.normal(size=(3, 4))
    scores = dict(zip("abc", values, strict=True))
    y = np.tile([0, 1], 15)
    right = rng.random((3, 30)) < [[0.9], [0.8], [0.6]]
    predictions = {name: np.where(row, y, 1 - y) for name, row in zip("abc", right, strict=True)}
    chances = {name: rng.random(30) for name in "ab"}
    parts = [rng.random((2, 5)) for _ in range(4)]
    rows = [np.arange(5) + 5 * k for k in range(4)]
    of_rows = RowScores.from_splits(parts, rows)
    groups = np.repeat(np.arange(10), 3)
    results = {
        "splits": compare_scores(scores, design=design, metric="r2"),
        "a margin": compare_scores(scores, design=design, metric="r2", margin=0.1),
        "rows": compare_predictions(y, predictions, scoring="accuracy"),
        "groups": compare_losses({n: rng.random(30) for n in "ab"}, groups=groups),
        "areas": compare_predictions(y, chances, scoring="roc_auc"),
        "bootstrap": compare_predictions(y, predictions, scoring="f1", groups=groups),
    }
    saved = {kind: result.to_json() for kind, result in results.items()}
    saved["scores"] = CVScores(values=values, design=design, labels=("a", "b", "c")).to_json()
    known = {"design": design, "row_scores": of_rows, "labels": ("a", "b")}
    saved["row scores"] = CVScores(values=of_rows.means(), **known).to_json()
    pairs = {"first": np.array([0, 1]), "second": np.array([1, 0])}
    pairs |= {"groups": np.arange(20) // 2, "weights": rng.random(20) + 0.1}
    rows = replace(of_rows, magnitude=None, **pairs)
    known = {"design": design, "row_scores": rows, "paired": True}
    saved["row differences"] = CVScores(values=rows.means(), **known).to_json()
    return saved
