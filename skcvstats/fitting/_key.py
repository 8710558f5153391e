"""The key of a fit in a store: a fingerprint of everything that its numbers depend on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from sklearn import get_config

from .._utils._arrays import digest_of
from ._content import ContentReader, UnknownContentError
from ._content_of_code import version_of
from ._execution import Workload
from ._splits import Split

# To be changed if the same key would stand for other numbers.
_DERIVATION = "1"
_PACKAGES = ("numpy", "scipy", "sklearn", "skcvstats")
# Settings of scikit-learn that only change what is displayed.
_SHOWN = ("display", "print_changed_only")


class FitKeys(NamedTuple):
    """The keys of the fits of a call.

    Notes
    -----
    The key of a fit is a fingerprint (BLAKE2b, 16 bytes) of

    - the estimator: its class, its parameters and the metadata that it requests, and the same of
      its parts (see `_content`). ``n_jobs``, ``verbose`` and ``memory`` are left out for
      scikit-learn's estimators, not for those of other packages, where they may change the numbers;
    - the content of X, y and groups, and of the parameters that its fit and the scorer get;
    - the training rows and the test rows of the split, in their order, because the last bits of a
      fit and of a mean may depend on it;
    - the metrics with their names, and the loss;
    - scikit-learn's settings, except those for display;
    - the versions of numpy, scipy, scikit-learn and skcvstats, and of each package that a class or
      function in the estimator or the metrics comes from.

    A class or function of a script, a notebook or a module beside it is identified by its code,
    not by its name. An estimator that cannot be distinguished from others has no key. The number
    of jobs and the estimators' names are not part of the key. Nor is ``error_score``, because
    failed fits are not kept, nor are the processor and its libraries for linear algebra, although
    these may change the last bits.
    """

    data: bytes
    estimators: tuple[bytes | None, ...]
    unknown: dict[str, str]

    def of(self, e: int, split: bytes) -> bytes | None:
        """Return the key of an estimator on a split."""
        estimator = self.estimators[e]
        return None if estimator is None else digest_of(estimator, split)


def make_keys(work: Workload, X: Any, y: Any, groups: Any) -> FitKeys:
    """Read the data, the estimators and the metrics once."""
    reader = ContentReader()
    data = digest_of("data", *(reader.digest(part) for part in (X, y, groups)))
    shared = digest_of(
        _DERIVATION,
        data,
        reader.digest(_sorted(work.scoring.given)),
        reader.digest(work.scoring.row_loss),
        reader.digest(_sorted(work.score_params)),
        reader.digest(_sorted({k: v for k, v in get_config().items() if k not in _SHOWN})),
        *(version_of(package) for package in _PACKAGES),
    )
    keys: list[bytes | None] = []
    unknown: dict[str, str] = {}
    for name, model, params in zip(work.names, work.estimators, work.fit_params, strict=True):
        try:
            own = reader.digest(model, cloned=True)
            keys.append(digest_of(shared, own, reader.digest(_sorted(params))))
        except UnknownContentError as error:
            keys.append(None)
            unknown[name] = str(error)
    return FitKeys(data, tuple(keys), unknown)


def _sorted(values: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(values.items()))


def contents_of(work: Workload, X: Any, y: Any, groups: Any) -> dict[str, Any]:
    """Return fingerprints of the data and of each estimator, as plain data."""
    try:
        keys = make_keys(work, X, y, groups)
    except UnknownContentError:
        return {"data": None, "estimators": None}
    digests = (None if key is None else key.hex() for key in keys.estimators)
    return {
        "data": keys.data.hex(),
        "estimators": dict(zip(work.names, digests, strict=True)),
    }


def rows_digest(split: Split) -> bytes:
    """Return the fingerprint of a split with the order of its rows."""
    return digest_of(*map(_bytes_of, (split.train, split.test)))


def _bytes_of(rows: np.ndarray) -> memoryview:
    return np.ascontiguousarray(rows, dtype="<i8").view(np.uint8).data


def versions_of(packages: Iterable[str] = _PACKAGES) -> dict[str, str]:
    """Return the versions that are in every key, by the name of the package."""
    return {package: version_of(package) for package in packages}
