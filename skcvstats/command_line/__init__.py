"""The command line: turns arguments and files into a verdict, a report or an exit status.

Options (`_parser`) name estimators, which are found without evaluating a string (`_estimators`),
and tables, whose columns become features (`_table`). The commands (`_compare`, `_gate`, `_store`)
print and write (`_output`). What is slow to import is imported when a command needs it.
"""

from ._errors import InputError
from ._estimators import EstimatorString, parse_estimator
from ._main import main
from ._parser import build_parser

__all__ = ["EstimatorString", "InputError", "build_parser", "main", "parse_estimator"]
