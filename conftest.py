"""What holds for tests and doctests alike, however few of them are run."""

import os

# Before NumPy is imported: on small data BLAS threads cost ten times what they save.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
