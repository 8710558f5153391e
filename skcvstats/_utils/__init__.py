"""Argument checks, warnings and number formats that do not depend on scores or splits."""

from ._arrays import as_array, as_labels, as_numbers, check_path, check_unmasked
from ._checks import (
    ALTERNATIVES,
    brief,
    check_alpha,
    check_finite_number,
    check_flag,
    check_level,
    check_option,
    check_pvalue,
    distinct,
    is_finite,
    is_integer,
    is_real,
    listed,
    n_rows,
    one_line,
)
from ._digest import digest_of
from ._files import open_at_once
from ._flat import flat_dict, only_evidence, plain_json
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
from ._html import scrolling, table_html
from ._import import enter_importer, import_core
from ._interval import ConfidenceInterval, alpha_of
from ._pictures import draw_result, enter_drawer, picture_file
from ._visible import check_names, columns, cut, padded, visible
from ._warn import carrying, warn_user

__all__ = [
    "ALTERNATIVES",
    "SMALLEST_PVALUE",
    "ConfidenceInterval",
    "alpha_of",
    "as_array",
    "as_labels",
    "as_numbers",
    "brief",
    "carrying",
    "check_alpha",
    "check_finite_number",
    "check_flag",
    "check_level",
    "check_names",
    "check_option",
    "check_path",
    "check_pvalue",
    "check_unmasked",
    "columns",
    "counted",
    "cut",
    "digest_of",
    "distinct",
    "draw_result",
    "enter_drawer",
    "enter_importer",
    "flat_dict",
    "format_ends",
    "format_interval",
    "format_law",
    "format_number",
    "format_percent",
    "format_pvalue",
    "format_seconds",
    "format_size",
    "import_core",
    "is_finite",
    "is_integer",
    "is_real",
    "listed",
    "n_rows",
    "on_average",
    "one_line",
    "only_evidence",
    "open_at_once",
    "padded",
    "picture_file",
    "plain_json",
    "scrolling",
    "sentence",
    "table_html",
    "visible",
    "warn_user",
]
