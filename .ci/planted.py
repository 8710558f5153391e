"""Plant known faults in a copy of the package, and print which of them the tests catch.

``python .ci/planted.py`` plants all, ``python .ci/planted.py 3 17`` some. The tests are those of
README's command, the room's own first, up to the first that fails.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Fault(NamedTuple):
    """A text of one file of the package, what replaces it, and what is wrong then."""

    file: str
    right: str
    wrong: str
    what: str


FAULTS = [
    Fault(
        "stats/_resampled_t.py",
        "np.sqrt(correction * variance), design.n_splits - 1,",
        "np.sqrt(correction * variance), design.n_splits,",
        "degrees of freedom n for n - 1",
    ),
    Fault(
        "stats/_resampled_t.py",
        "factor = (1 / n_splits + sample.design.rho0_odds) / (n_splits - 1)",
        "factor = ((1 / n_splits + sample.design.rho0_odds) / (n_splits - 1)) ** 2",
        "a missing square root in what joint inference needs",
    ),
    Fault(
        "stats/_conservative_z.py",
        "np.sqrt(square / 2), np.inf",
        "np.sqrt(square), np.inf",
        "the variance of a half is taken for that of the mean of two",
    ),
    Fault(
        "stats/_row_units.py",
        "total / ((n_units - 1) * n_units)",
        "total / (n_units * n_units)",
        "n for n - 1 in the variance over rows",
    ),
    Fault(
        "stats/_row_t.py",
        "return float((1 / n_means + 1 / (n_folds - 1)) * ratio**2)",
        "return float((1 / n_means + 1 / n_folds) * ratio**2)",
        "n_test/n_samples for n_test/n_train in the guard of the row t-test",
    ),
    Fault(
        "stats/_sample.py",
        'stdtr(df, statistic if alternative == "less" else -statistic)',
        'stdtr(df, -statistic if alternative == "less" else statistic)',
        "the tails of one-sided tests are exchanged",
    ),
    Fault(
        "scores/_design.py",
        "return self.test_size / (self.n_samples - self.test_size)",
        "return self.test_size / self.train_size",
        "rows that splits leave out are not counted in the correction",
    ),
    Fault(
        "scores/_pairing.py",
        "lambda scores: scores[0] - scores[1]",
        "lambda scores: scores[1] - scores[0]",
        "the scores of rows are subtracted the other way round",
    ),
    Fault(
        "scores/_scores.py",
        "subtract(self.values[first], self.values[second])",
        "subtract(self.values[second], self.values[first])",
        "a swapped pair",
    ),
    Fault(
        "scores/_rows.py",
        "(row if weights is None else row * weights for row in flat)",
        "(row for row in flat)",
        "weights of rows count in the sizes only",
    ),
    Fault(
        "scores/_scores.py",
        "np.maximum(self.magnitude[first], self.magnitude[second])",
        "self.magnitude[first]",
        "rounding is judged by the first of two estimators",
    ),
    Fault(
        "comparison/_pairs.py",
        "worse = joint.estimates[first] < joint.estimates[second]",
        "worse = joint.estimates[first] > joint.estimates[second]",
        "a sign: the worse estimator comes first",
    ),
    Fault(
        "comparison/_pairs.py",
        "if confidence_level == self.confidence_level:",
        "if self.confidence_level:",
        "a stale level: another one changes nothing",
    ),
    Fault(
        "comparison/_comparison.py",
        "return alpha / self.n_comparisons",
        "return alpha / max(1, self.n_comparisons - 1)",
        "Bonferroni's intervals for one comparison fewer",
    ),
    Fault(
        "comparison/_pairs.py",
        "return np.where(turned, -high, low), np.where(turned, -low, high)",
        "return np.where(turned, low, low), np.where(turned, high, high)",
        "an asymmetric margin is not turned with its pair",
    ),
    Fault(
        "comparison/_joint.py",
        "statistics = self.estimates[None, :] - self.estimates[:, None]",
        "statistics = self.estimates[:, None] - self.estimates[None, :]",
        "a sign: the set of the best has the worst",
    ),
    Fault(
        "fitting/_gather.py",
        "= scores[self._orders[k]]",
        "= scores",
        "scores of rows stay in the order of the test set",
    ),
    Fault(
        "fitting/_store.py",
        "keys.append(digest_of(shared, own, given, *seeded))",
        "keys.append(digest_of(shared, own, *seeded))",
        "a stale fit: the store does not see that the parameters of fit changed",
    ),
    Fault(
        "fitting/_row_scores.py",
        "(len(codes) - 1) / np.maximum(class_sizes - 1, 1) * (shares - area)",
        "len(codes) / np.maximum(class_sizes, 1) * (shares - area)",
        "n for n - 1 in the pseudo-values of areas",
    ),
    Fault(
        "fitting/_fit.py",
        "words = str(self.seed), split, name, parameter",
        'words = str(self.seed), "", name, parameter',
        "fresh seeds are the same on all splits",
    ),
]


def copy_of_tree(folder: Path) -> Path:
    """Copy what git tracks into a folder."""
    subprocess.run(
        f"git ls-files -z | xargs -0 cp --parents -t {folder}", cwd=ROOT, shell=True, check=True
    )
    return folder


def first_failure(tree: Path, *tests: str) -> str:
    """Return the line of the first test that fails, or an empty text."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "-p", "no:cacheprovider"]
    run = subprocess.run([*command, *tests], cwd=tree, capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    if run.returncode == 0:
        return ""
    return failed[0] if failed else f"exit status {run.returncode}: {lines[-1:]}"


def main() -> int:
    """Plant the faults that were asked for, one after the other."""
    numbers = [int(argument) for argument in sys.argv[1:]] or range(1, len(FAULTS) + 1)
    caught = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = copy_of_tree(Path(folder))
        for number in numbers:
            fault, started = FAULTS[number - 1], time.monotonic()
            path = tree / "skcvstats" / fault.file
            text = path.read_text()
            assert text.count(fault.right) == 1, f"{fault.file} has no single {fault.right!r}"
            path.write_text(text.replace(fault.right, fault.wrong))
            room = f"tests/{fault.file.split('/')[0]}"
            found = first_failure(tree, room) or first_failure(tree)
            path.write_text(text)
            caught += bool(found)
            print(f"{number:2} {fault.file}: {fault.what}", flush=True)
            took = time.monotonic() - started
            print(f"   {found or 'NOT CAUGHT'} ({took:.0f} s)", flush=True)
    print(f"{caught} of {len(numbers)} are caught")
    return caught < len(numbers)


if __name__ == "__main__":
    sys.exit(main())
