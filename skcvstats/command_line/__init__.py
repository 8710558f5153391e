"""The command line: turns arguments and files into a verdict, a report or an exit status.

Options (`_parser`) name estimators, which are found without evaluating a string (`_estimators`),
and tables, whose cells are read (`_readings`) and whose columns become features (`_table`). The
commands (`_commands`) print and write (`_output`); the fits of a gate run in a process of their own
(`_child`). What is slow to import is imported when a command needs it.
"""

from ._estimators import EstimatorString, parse_estimator
from ._main import main
from ._parser import InputError, build_parser

__all__ = ["EstimatorString", "InputError", "build_parser", "main", "parse_estimator"]
