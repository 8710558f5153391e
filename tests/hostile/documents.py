"""Saved documents of every kind, and manipulations of them."""

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
    *({"float": word} for word in ("nan", "-inf", "1e5", 2, [])),
    *({"list": part} for part in ([], ["a"], {}, None)),
    *({"dict": part} for part in ({}, {"a": 1}, {"dict": 1}, [1], None)),
    *({"type": part} for part in ("CVScores", "SplitDesignWarning", "object", "eval", 3, [])),
    *({name: {}} for name in ("CVScores", "SplitDesignWarning", "object", "eval", "__class__")),
    {"Note": {"code": "a", "text": "b", "category": None, "about": []}},
    {"Note": {"code": "a", "text": "b", "category": None, "about": "ab"}},
    {"Note": {"code": 1, "text": "b", "category": {"type": "CVScores"}, "about": [1]}},
    {"Note": {"code": "a", "text": "b", "category": None}},
    {"Note": {"code": "a", "text": "b", "category": None, "about": [], "more": 1}},
    {"CorrectedResampledTTest": {"null_value": 0.0, "alternative": "less"}},
    {"ndarray": {}},
    {"ndarray": {"dtype": "<f8", "shape": [0], "zlib": b64encode(compress(b"")).decode()}},
    {"ndarray": {"dtype": "<f8", "shape": [], "zlib": b64encode(compress(bytes(8))).decode()}},
    *(
        {"ndarray": {"dtype": dtype, "shape": shape, "zlib": b64encode(compress(content)).decode()}}
        for dtype, shape, content in (
            ("<f8", [10**9], bytes(8)),
            ("<f8", [10**30], bytes(8)),
            ("<f8", [1] * 70, bytes(8)),
            ("<f8", [-1], bytes(8)),
            ("<f8", [-1, -3], bytes(24)),
            ("|i1", [-1], bytes(10**6)),
            ("<f8", ["8"], bytes(8)),
            ("<f8", None, bytes(8)),
            ("<f8", [2], bytes(10**6)),
            ("<f8", [3], np.array([np.nan, np.inf, 1e308]).tobytes()),
            ("<i8", [20], b"\xff" * 160),
            ("<i8", [3], np.array([0, 1, 2]).tobytes()),
            ("<i8", [3], np.array([0, 0, 10**9]).tobytes()),
            ("|i1", [3], b"\xff\x00\x7f"),
            ("|b1", [3], b"\xff\x00\x7f"),
            ("|O", [1], bytes(8)),
            ("O", [1], bytes(8)),
            ("<U1", [2], bytes(8)),
            ("S999999999", [1], bytes(8)),
            ("f8,f8", [1], bytes(16)),
            (["<f8"], [1], bytes(8)),
        )
    ),
    {"ndarray": {"dtype": "<f8", "shape": [20], "zlib": ""}},
    {"ndarray": {"dtype": "<f8", "shape": [1], "zlib": "!!!!"}},
    {"ndarray": {"dtype": "<f8", "shape": [1], "zlib": 5, "more": 1}},
)


def sealed(content, like):
    """Return a document with this content and a correct checksum, as anybody can make one."""
    text = json.dumps(content, separators=(",", ":"))
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
    """Return the document with something else at this place, or nothing, and a fitting checksum."""
    document = json.loads(document)
    content = document["content"]
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
    """Return all places of a document."""
    return paths(json.loads(document)["content"])


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
        "jackknife": compare_predictions(y, predictions, scoring="f1", groups=groups),
        "slices": compare_predictions(y, predictions, scoring="accuracy", by=groups % 2),
        "bootstrap": compare_predictions(
            y, predictions, scoring="f1", groups=groups, method="bootstrap"
        ),
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
