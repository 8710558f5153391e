"""Fingerprints of values, as keys of stored fits have them."""

from skcvstats.fitting import _content


def digest(value):
    """Return the fingerprint of a value by itself."""
    return digests(value)[0]


def digests(*values):
    """Return the fingerprints of values that one reader reads, one after the other."""
    reader = _content.ContentReader()
    return [reader.digest(value, cloned=True) for value in values]


def read_arrays_by_bytes(monkeypatch, n_bytes):
    """Let arrays be read so many bytes at a time."""
    monkeypatch.setattr(_content, "_PART", n_bytes)


def set_versions(monkeypatch, version):
    """Let each package have this version."""
    monkeypatch.setattr(_content, "version_of", lambda package: f"{package} {version}")
