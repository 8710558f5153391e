"""Excel files: a sheet becomes the text of a CSV file, which is then read as any other."""

import argparse
import io

import pandas as pd

from .._utils._checks import listed
from ._parser import InputError, refused

# What such files begin with, also if their name ends in .csv, and the package that pandas needs.
_PACKAGES = {b"PK\x03\x04": "openpyxl", b"\xd0\xcf\x11\xe0": "xlrd"}


def as_csv(content: bytes, name: str, options: argparse.Namespace) -> bytes:
    """Return a sheet as a CSV file; the content itself if it is no Excel file."""
    package = _PACKAGES.get(content[:4])
    if package is None:
        if options.sheet is not None:
            raise InputError(f"--sheet is for Excel files, and {name} is none; leave it out.")
        return content
    remedy = (
        f"Reading Excel files needs python -m pip install {package}; or save the sheet as CSV, in "
        "pandas by to_csv('table.csv', index=False), and pass that file."
    )
    with refused(f"{name} cannot be read as an Excel file", remedy):
        book = pd.ExcelFile(io.BytesIO(content))
    sheets = list(map(str, book.sheet_names))
    sheet = options.sheet
    if len(sheets) == 1 and sheet is None:
        sheet = sheets[0]
    if sheet not in sheets:
        raise InputError(
            f"{name} has the sheets {listed(sheets, 10)}; pass the name of one as --sheet."
        )
    table = book.parse(sheet, header=None, dtype=object)
    text: str = table.to_csv(index=False, header=False)
    return text.encode(options.encoding)
