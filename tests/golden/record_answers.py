"""Write down the answers of all calls: ``python -m tests.golden.record_answers``.

Names of calls, or their beginnings, as arguments record only these; the others stay.
"""

import json
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import threadpoolctl

ANSWERS = Path(__file__).with_name("answers.json")
_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "joblib")


def made_with():
    """Return what the last digits depend on."""
    import scipy.linalg  # noqa: F401  (so that its BLAS is loaded)

    found = threadpoolctl.threadpool_info()
    blas = {
        f"{part['internal_api']} {part['version']} {part.get('architecture')}"
        for part in found
        if part["user_api"] == "blas"
    }
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        **{name: version(name) for name in _PACKAGES},
        "machine": platform.machine(),
        "blas": sorted(blas),
        "simd": np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", []),
    }


def compute(names):
    """Return the answers of calls, with one thread, by name."""
    from tests.golden.answers_calls import CALLS, answer

    with threadpoolctl.threadpool_limits(1):
        return {name: answer(CALLS[name]) for name in names}


def wrongly_failed(answers):
    """Return the names of calls that should fail and do not, or the other way round."""
    return [k for k, found in answers.items() if ("raises" in found) != k.startswith("bad/")]


def as_lines(header, answers):
    """Return JSON with a line for each call."""
    lines = [f'"made_with": {json.dumps(header)}']
    told = (
        f"{json.dumps(name)}: {json.dumps(found, separators=(',', ':'))}"
        for name, found in answers.items()
    )
    lines.append('"answers": {\n' + ",\n".join(told) + "\n}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(beginnings):
    """Record all answers, or those whose names begin so."""
    from tests.golden.answers_calls import CALLS

    answers = {}
    if beginnings:
        answers = json.loads(ANSWERS.read_text())["answers"]
    started = time.perf_counter()
    names = [name for name in CALLS if name.startswith(tuple(beginnings) or "")]
    answers |= compute(names)
    if wrong := wrongly_failed(answers):
        raise SystemExit(f"not recorded, as these failed, or did not: {wrong}")
    took = time.perf_counter() - started
    ANSWERS.write_text(as_lines(made_with(), {name: answers[name] for name in CALLS}))
    print(f"{len(names)} answers in {took:.0f} s, {ANSWERS.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
