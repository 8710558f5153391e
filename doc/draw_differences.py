"""Draw the README's picture from the gallery example: ``python doc/draw_differences.py``."""

import runpy
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
# The same bytes at every run.
matplotlib.rcParams["svg.hashsalt"] = "skcvstats"

HERE = Path(__file__).parent

if __name__ == "__main__":
    names = runpy.run_path(str(HERE / "examples" / "plot_compare_three_models.py"))
    names["figure"].savefig(
        HERE / "_static" / "differences.svg",
        metadata={"Date": None, "Creator": None},
        facecolor="white",
    )
