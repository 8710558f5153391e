"""The faults: what is fitted, what happens to it, and what should come of it."""

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV

from skcvstats import RepeatedSubsampleSplit
from tests.faults.failing import (
    Announces,
    Exits,
    FailingSplitter,
    Fails,
    Hangs,
    Prevalence,
    Segfault,
    Signalled,
    failing_metric,
)
from tests.fitting.estimators import Locked

BACKENDS = ("sequential", "threading", "loky")
COMPLETED = "completed, the scores are those of a run without fault"


@dataclass(frozen=True)
class Case:
    """A comparison of a good and a bad estimator, and what happens to it."""

    bad: Any
    wanted: str  # a pattern for what is printed in the end
    options: Mapping[str, Any] = field(default_factory=dict)  # what else `compare_estimators` gets
    signal: int | None = None  # sent once the first fit of the bad estimator has begun
    to_group: bool = False  # whether the workers get the signal too, as from a terminal
    surroundings: str = ""  # what of `tests.faults.surroundings` it runs in
    touch: Callable[[Any], None] | None = None  # changes the file of the data, while `bad` waits
    alone: str = ""  # what is wanted without worker processes, if that is something else

    def wants(self, backend: str) -> str:
        return self.alone if self.alone and backend != "loky" else self.wanted


def overwrite(path):
    """Write other numbers to the file."""
    mapped = np.load(path, mmap_mode="r+")
    mapped[:] = 7
    mapped.flush()


def truncate(path):
    """Truncate the file to nothing."""
    with open(path, "r+b") as file:
        file.truncate(0)


DIED, AT = "FitError: A worker process died,", "the workers were at .*'bad' on split"
COUNTED = r"\d+ of 12 fits were finished \(good \d, bad \d\)"
CASES = {
    "worker killed for memory": Case(
        Signalled(number=signal.SIGKILL),
        rf"{DIED} as it was killed \(SIGKILL\).*memory.*{AT}",
        alone="ended by SIGKILL",
    ),
    "fit raises in some splits": Case(
        Fails(),
        r"FitError: 2 of 12 scores .* are missing.*bad, split 1.*the first row is too much",
    ),
    "fit segfaults": Case(
        Segfault(), rf"{DIED} by a crash .*\(SIGSEGV\).*{AT}", alone="ended by SIGSEGV"
    ),
    "fit calls os._exit": Case(
        Exits(), rf"{DIED} .*\(exit code 3\).*{AT}", alone="ended with code 3"
    ),
    "worker hangs, Ctrl-C": Case(
        Hangs(), rf"KeyboardInterrupt: .*{COUNTED}", signal=signal.SIGINT, to_group=True
    ),
    "worker hangs, SIGINT to the parent": Case(
        Hangs(), rf"KeyboardInterrupt: .*{COUNTED}", signal=signal.SIGINT
    ),
    "nested workers hang, SIGINT to the parent": Case(
        GridSearchCV(Hangs(), {"seconds": [0, 1]}, cv=2, n_jobs=2),
        rf"KeyboardInterrupt: .*{COUNTED}",
        signal=signal.SIGINT,
    ),
    "SIGTERM of the parent": Case(Hangs(), "ended by SIGTERM", signal=signal.SIGTERM),
    "SIGKILL of the parent": Case(Hangs(), "ended by SIGKILL", signal=signal.SIGKILL),
    "SIGTERM of the parent and its workers": Case(
        Hangs(), "ended by SIGTERM", signal=signal.SIGTERM, to_group=True
    ),
    "splitter raises midway": Case(
        Prevalence(),
        r"RuntimeError: no third split.*FailingSplitter\(.* at split 2, before the first fit",
        options={"cv": FailingSplitter(6, random_state=0)},
    ),
    "scorer raises midway": Case(
        Prevalence(),
        r"FitError: .*RuntimeError: the first row is not to be scored",
        options={"scoring": failing_metric},
    ),
    "estimator cannot be pickled": Case(
        Locked(),
        r"FitError: 'bad' cannot be pickled.*cannot pickle this estimator.*n_jobs=1",
        alone=COMPLETED,
    ),
    "data changed on disk": Case(
        Announces(300),
        r"FitError: The data are mapped from .*X\.npy, which was changed",
        touch=overwrite,
    ),
    "data truncated on disk": Case(
        Announces(300),
        r"FitError: The data are mapped from .*X\.npy, which was changed",
        touch=truncate,
        alone=r"ended by SIGBUS|FitError: The data are mapped from .*X\.npy, which was changed",
    ),
    "full temporary folder": Case(
        Prevalence(),
        r"FitError: The data could not be written .*No space left on device.*TEMP_FOLDER",
        surroundings="full",
        alone=COMPLETED,
    ),
    "limit on the size of files": Case(
        Prevalence(),
        r"FitError: The data could not be written .*File too large.*TEMP_FOLDER",
        surroundings="limited",
        alone=COMPLETED,
    ),
    "missing temporary folder": Case(
        Prevalence(),
        r"FitError: The data could not be written .*TEMP_FOLDER",
        surroundings="missing",
        alone=COMPLETED,
    ),
    "no HOME": Case(Prevalence(), COMPLETED, surroundings="homeless"),
    "read-only current directory": Case(Prevalence(), COMPLETED, surroundings="read-only"),
}


def touched(path):
    """Return the file that is there once the file of the data has been changed."""
    return f"{path}.touched"


def comparison(case, path):
    """Return the arguments of the comparison; the data are written to `path` and mapped if needed.

    They are larger than what joblib sends to workers without a file.
    """
    X = np.arange(1, 300_001, dtype=float).reshape(300, 1000)
    X[0] = 0
    if case.touch is not None:
        np.save(path, X)
        X = np.load(path, mmap_mode="r")
        case.bad.set_params(until=touched(path))
    models = {"good": Prevalence(), "bad": case.bad}
    options = {"cv": RepeatedSubsampleSplit(6, test_size=0.5, random_state=0)} | dict(case.options)
    return models, X, np.arange(300) // 2 % 2, options
