"""The lines of an uploaded list, read as a stream, and their errors."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from apps.engine.file_faults import fault_words
from apps.engine.networking.web_import.opening import opened

LONGEST_LINE = 8_000
MOST_ERRORS = 50
SHOWN = 160


class BadTable(Exception):
    """A list that cannot be read; the text names the line and what it should hold."""


@dataclass(slots=True)
class Errors:
    """The lines not accepted: all are counted, the first are stored as (line, text, why)."""

    skipped: int = 0
    first: list[tuple[int, str, str]] = field(default_factory=list)

    def add(self, line: int, text: str, why: str) -> None:
        """Records one line."""
        self.skipped += 1
        if len(self.first) < MOST_ERRORS:
            self.first.append((line, text[:SHOWN], why))


def numbered(path: Path) -> Iterator[tuple[int, str]]:
    """The non-empty lines of a plain or gzipped file, numbered from 1.

    Raises BadTable, with the line, if the file is not text in UTF-8, has an endless line or breaks
    off.
    """
    number = 0
    try:
        with opened(path) as (stream, _):
            while raw := stream.readline(LONGEST_LINE + 1):
                number += 1
                text = _decoded(raw, number)
                if text:
                    yield number, text
    except (OSError, EOFError, zlib.error) as error:
        raise BadTable(
            f"The file cannot be read after line {number:,}: {fault_words(error)}."
        ) from None


def _decoded(raw: bytes, number: int) -> str:
    if len(raw) > LONGEST_LINE:
        raise BadTable(f"Line {number:,} is longer than {LONGEST_LINE:,} characters.")
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
    except UnicodeDecodeError:
        raise BadTable(f"Line {number:,} is not text in UTF-8. Save the file as UTF-8.") from None
    if "\0" in text:
        raise BadTable(f"Line {number:,} is not text. Upload a text file, plain or gzipped.")
    return text
