"""Argument checks, warnings, number formats: what knows nothing of scores and splits."""

from ._checks import (
    ALTERNATIVES,
    check_finite_number,
    check_level,
    check_option,
    distinct,
    is_integer,
    is_real,
    listed,
    n_rows,
    one_line,
)
from ._digest import digest_of
from ._format import (
    SMALLEST_PVALUE,
    counted,
    format_ends,
    format_interval,
    format_law,
    format_number,
    format_percent,
    format_pvalue,
    format_seconds,
    format_size,
    on_average,
    sentence,
)
from ._html import table_html
from ._import import enter_importer, import_core
from ._interval import ConfidenceInterval, alpha_of
from ._pictures import draw_result, enter_drawer, picture_file
from ._warn import carrying, warn_user

__all__ = [
    "ALTERNATIVES",
    "SMALLEST_PVALUE",
    "ConfidenceInterval",
    "alpha_of",
    "carrying",
    "check_finite_number",
    "check_level",
    "check_option",
    "counted",
    "digest_of",
    "distinct",
    "draw_result",
    "enter_drawer",
    "enter_importer",
    "format_ends",
    "format_interval",
    "format_law",
    "format_number",
    "format_percent",
    "format_pvalue",
    "format_seconds",
    "format_size",
    "import_core",
    "is_integer",
    "is_real",
    "listed",
    "n_rows",
    "on_average",
    "one_line",
    "picture_file",
    "sentence",
    "table_html",
    "warn_user",
]
