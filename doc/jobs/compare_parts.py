"""Compare the models from all parts: ``python compare_parts.py part-*.json``."""

import sys

from skcvstats import CVScores, compare_scores

scores = CVScores.concatenate(CVScores.load(path) for path in sys.argv[1:])
print(compare_scores(scores))
