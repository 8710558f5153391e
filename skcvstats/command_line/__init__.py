"""The command line: turns arguments and files into a verdict, a report or an exit status.

Each step has its own file: estimator strings are parsed (`_estimator_string`) and looked up
(`_find`), tables are read (`_table`), their columns become features (`_columns`,
`_preparation`), and commands (`_compare`, `_gate`) write files (`_output`). What is slow to
import is imported when a command needs it.
"""

from ._errors import InputError
from ._estimator_string import EstimatorString, parse_estimator
from ._main import main
from ._parser import build_parser

__all__ = ["EstimatorString", "InputError", "build_parser", "main", "parse_estimator"]
