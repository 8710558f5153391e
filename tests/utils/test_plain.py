"""Values as JSON types, and back: exact, legible, and refused where they are anything else."""

import json
import tracemalloc
import zlib
from base64 import b64encode
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from skcvstats._utils._plain import from_plain, to_plain


@dataclass(frozen=True)
class Point:
    """A record that the reader knows."""

    x: float
    kind: type | None = None


@dataclass(frozen=True)
class Circle(Point):
    """A record that the reader does not know."""


KNOWN = {"Point": Point, "UserWarning": UserWarning}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda parts: (
        st.lists(parts)
        | st.lists(parts).map(tuple)
        | st.dictionaries(st.text(), parts)
        | st.builds(Point, parts, st.sampled_from([None, UserWarning, Point]))
    ),
    max_leaves=10,
)
DTYPES = st.sampled_from(["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", ">i4"])


def again(value):
    """Return what is read of what is written, by way of JSON text."""
    text = json.dumps(to_plain(value, KNOWN), allow_nan=False)
    return from_plain(json.loads(text), KNOWN)


@given(VALUES)
@settings(max_examples=50)
def test_values_come_back_as_they_were(value):
    assert repr(again(value)) == repr(value)  # of which nan has one, and -0.0 another than 0.0


@given(DTYPES.flatmap(lambda dtype: arrays(dtype, array_shapes(min_dims=0, min_side=0))))
@settings(max_examples=50)
def test_arrays_come_back_to_the_bit(array):
    found = again(array)
    assert found.shape == array.shape
    assert found.dtype == array.dtype.newbyteorder("<")
    assert found.tobytes() == array.astype(found.dtype).tobytes()
    assert not found.flags.writeable


def test_plain_values_are_tagged_by_their_type():
    value = (Point(1.5, UserWarning), {"a": [float("inf")]}, np.int8(3))
    assert to_plain(value, KNOWN) == [
        {"Point": {"x": 1.5, "kind": {"type": "UserWarning"}}},
        {"dict": {"a": {"list": [{"float": "inf"}]}}},
        3,
    ]
    # 1.0 and -2.0 by IEEE 754, the least significant byte first.
    content = bytes.fromhex("000000000000f03f00000000000000c0")
    found = to_plain(np.array([[1.0, -2.0]], dtype=">f8"), KNOWN)
    assert found["ndarray"].keys() == {"dtype", "shape", "zlib"}
    packed = b64encode(zlib.compress(content)).decode()
    plain = {"ndarray": {"dtype": "<f8", "shape": [1, 2], "zlib": packed}}
    assert from_plain(plain, KNOWN).tolist() == [[1.0, -2.0]]
    assert found == plain


@pytest.mark.parametrize(
    "value",
    [
        *(Circle(1.0), Point(slice(2)), [1 + 1j], {1: 2}, {"a": {None: 1}}, len, b"bytes", {1, 2}),
        *(np.array(["a"]), np.array([None]), np.array([True]), np.array([1j])),
        np.array([(1, 2.0)], dtype="i4,f8"),
        np.array(["2026-01-01"], dtype="M8[D]"),
    ],
    ids=repr,
)
def test_values_that_are_not_written(value):
    with pytest.raises(TypeError, match="cannot be saved"):
        to_plain(value, KNOWN)


def packed(content=bytes(16), dtype="<f8", shape=(2,), **more):
    """Return an array as it is written, perhaps with something wrong."""
    text = b64encode(zlib.compress(content)).decode()
    return {"ndarray": {"dtype": dtype, "shape": list(shape), "zlib": text, **more}}


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ({}, "not enough values to unpack"),
        ({"Point": {"x": 1.0, "kind": None}, "list": []}, "too many values to unpack"),
        ({"Circle": {"x": 1.0, "kind": None}}, "^'Circle'$"),
        ({"type": "object"}, "^'object'$"),
        ({"UserWarning": {}}, "must be called with a dataclass"),
        ({"Point": {"x": 1.0}}, r"missing or unknown, \['kind'\]"),
        ({"Point": {"x": 1.0, "kind": None, "y": 2}}, r"missing or unknown, \['y'\]"),
        ({"Point": [1.0, None]}, "no attribute 'items'"),
        ({"float": "1e5"}, "not in tuple"),
        ({"float": 1.0}, "not in tuple"),
        (packed(dtype="|O"), r"an array of dtype '\|O'"),
        (packed(dtype="<f16", content=bytes(32)), "an array of dtype '<f16'"),
        (packed(dtype=["<f8"]), r"an array of dtype \['<f8'\]"),
        (packed(shape=[-1]), "an array of -8 bytes"),
        (packed(shape=[-1], dtype="|i1"), "an array of -1 bytes"),
        (packed(shape=[-1, -2]), "dimension"),
        (packed(shape=[-4, -1, 2], content=bytes(64)), "dimension"),
        (packed(shape=[2.0]), "cannot be interpreted as an integer"),
        (packed(shape=["2"]), "not supported between"),
        (packed(shape=[2**31]), "17179869184 bytes, of at most 4294967296"),
        (packed(shape=[3]), "16 bytes in place of 24"),
        (packed(content=bytes(10**6)), "17 bytes in place of 16"),
        (packed(zlib="!"), "base64"),
        (packed(zlib=b64encode(zlib.compress(bytes(16))[:-1]).decode()), "16 bytes in place of 16"),
        (packed(more=1), "unexpected keyword argument 'more'"),
    ],
)
def test_malformed_values_are_not_read(plain, message):
    with pytest.raises((AttributeError, KeyError, TypeError, ValueError), match=message):
        from_plain(plain, KNOWN)


def test_arrays_that_expand_take_no_more_memory_than_they_say():
    plain = packed(content=bytes(2**26))  # 64 MB in 64 kB of text
    tracemalloc.start()
    with pytest.raises(ValueError, match="17 bytes in place of 16"):
        from_plain(plain, KNOWN)
    assert tracemalloc.get_traced_memory()[1] < 2**22
    tracemalloc.stop()
