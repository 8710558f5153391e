"""What the report says of its tables and figures in section 5, each as a statement to be checked.

Every check returns our numbers and the outcome: whether the statement holds, holds in part or does
not hold, by the rules of `_rules`.
"""

import pandas as pd

from . import findings_of_procedures, findings_of_split_numbers, findings_of_tables

FINDINGS = [
    *findings_of_tables.FINDINGS,
    *findings_of_procedures.FINDINGS,
    *findings_of_split_numbers.FINDINGS,
]


def findings_frame(evidence):
    """Return all findings with our numbers.

    Parameters
    ----------
    evidence : Evidence

    Returns
    -------
    DataFrame
        ``section``, ``statement``, ``numbers``, ``outcome`` ("holds", "in part", "does not hold"
        or "not run").
    """
    rows = []
    for finding in FINDINGS:
        if finding.needs <= evidence.problems:
            numbers, outcome = finding.check(evidence)
        else:
            missing = ", ".join(sorted(finding.needs - evidence.problems))
            numbers, outcome = f"needs {missing}", "not run"
        rows.append((finding.section, finding.statement, numbers, outcome))
    return pd.DataFrame(rows, columns=["section", "statement", "numbers", "outcome"])
