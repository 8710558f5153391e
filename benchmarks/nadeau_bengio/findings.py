"""What the report says of its tables and figures in section 5, each as a statement to be checked.

Every check returns our numbers and whether the statement holds; where the report's words leave open
what counts, the numbers say what was taken.
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
        ``section``, ``statement``, ``numbers``, ``holds`` (yes, no, or "not run").
    """
    rows = []
    for one in FINDINGS:
        if one.needs <= evidence.problems:
            numbers, holds = one.check(evidence)
            rows.append((one.section, one.statement, numbers, "yes" if holds else "no"))
        else:
            missing = ", ".join(sorted(one.needs - evidence.problems))
            rows.append((one.section, one.statement, f"needs {missing}", "not run"))
    return pd.DataFrame(rows, columns=["section", "statement", "numbers", "holds"])
