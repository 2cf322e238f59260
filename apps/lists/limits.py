"""How much of a list is read; larger ones are refused with a sentence."""

from __future__ import annotations

FILE_BYTES = 20 * 2**20
UNPACKED_BYTES = 200 * 2**20
ROWS = 1_000_000
CELLS = 5_000_000
CELL_CHARACTERS = 32_767
NESTING = 100


class BadList(Exception):
    """A file that cannot be read as a list; the text is a sentence that tells what to do."""


def check_size(size: int) -> None:
    """Raises BadList for a file of too many bytes."""
    if size > FILE_BYTES:
        raise BadList(f"It is larger than {FILE_BYTES >> 20} MB. Split it and upload the parts.")


def check_unpacked(size: int) -> None:
    """Raises BadList for a file that unpacks to too many bytes."""
    if size > UNPACKED_BYTES:
        raise BadList(
            f"Unpacked it is larger than {UNPACKED_BYTES >> 20} MB. Split it and upload the parts."
        )


def check_rows(rows: int, cells: int) -> None:
    """Raises BadList for a table that is too long or too wide."""
    if rows > ROWS:
        raise BadList(f"It has more than {ROWS:,} lines. Split it and upload the parts.")
    if cells > CELLS:
        raise BadList(
            f"It has more than {CELLS:,} cells. Remove columns that are not needed, or split it."
        )


def check_nesting(depth: int) -> None:
    """Raises BadList for nested data that is too deep."""
    if depth > NESTING:
        raise BadList(f"Its data is nested more than {NESTING} levels deep. Upload a plain list.")
