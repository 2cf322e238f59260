"""Workbooks: Excel (.xlsx, .xlsb, .xls) and OpenDocument (.ods), one sheet of them.

A process of its own reads them: a sheet of two cells may claim billions between them, at which the
library ends its process.
"""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

from apps.lists.formats.format import Choices
from apps.lists.limits import BadList, check_unpacked
from apps.lists.table import Table

SECONDS = 60.0
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_PIECE = 2**20
_ROOT = Path(__file__).parents[3]


def is_workbook(data: bytes) -> bool:
    """Whether the bytes begin as workbooks do."""
    return data.startswith((_ZIP, _OLE))


def read_workbook(data: bytes, choices: Choices) -> Table:
    """The chosen sheet, else the first with cells. Raises BadList."""
    if data.startswith(_ZIP):
        _check_contents(data)
    command = [sys.executable, "-m", "apps.lists.formats.workbook_process"]
    try:
        read = subprocess.run(
            command,
            input=pickle.dumps((data, choices)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            cwd=_ROOT,
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        raise BadList(
            "Reading it takes too much memory or time. Save the sheet with the addresses as CSV."
        ) from None
    table = pickle.loads(read.stdout)
    if isinstance(table, BadList):
        raise table
    assert isinstance(table, Table)
    return table


def _check_contents(data: bytes) -> None:
    """Unpacks every part to nowhere, so that what is declared of its size does not matter."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            size = 0
            for part in package.infolist():
                with package.open(part) as stream:
                    while piece := stream.read(_PIECE):
                        size += len(piece)
                        check_unpacked(size)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError):
        raise BadList("It is a damaged or encrypted workbook. Save it again.") from None
