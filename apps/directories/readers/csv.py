"""A directory as lines `url,topic[,title,description]`, separated by commas or tabs."""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints, ValidationError
from pydantic.dataclasses import dataclass

from apps.directories.readers.listing import (
    REPORT_EVERY,
    BadDirectoryFile,
    Listed,
    Progress,
    category_path,
)
from apps.engine.file_faults import Fault, fault_words
from apps.engine.networking.web_files import opened

_HEADING = ("url", "topic")
LONGEST_LINE = 1_000_000

Filled = Annotated[str, StringConstraints(min_length=1)]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    url: Filled
    topic: Filled
    title: str = ""
    description: str = ""


def read_csv(path: Path, progress: Progress | None = None) -> Iterator[Listed]:
    """Each line as a page, in order; a first line `url,topic,…` is a heading.

    The separator is the tab if the first line has one. Raises BadDirectoryFile, with the line, if a
    line has no topic or the file cannot be read.
    """
    reached = 0
    try:
        with opened(path) as (stream, position):
            text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
            for reached, row in _rows(text):
                if not (reached == 1 and _is_heading(row)):
                    yield _page(path, reached, row)
                if progress and reached % REPORT_EVERY == 0:
                    progress(*position())
            if progress:
                progress(*position())
    except UnicodeDecodeError:
        raise BadDirectoryFile(
            f"{path.name} is not UTF-8 after line {reached:,}. Save it as UTF-8. Nothing was kept."
        ) from None
    except (csv.Error, Fault, OSError, EOFError, zlib.error) as error:
        raise BadDirectoryFile(
            f"{path.name} cannot be read after line {reached:,}: {fault_words(error)}."
            " Nothing was kept."
        ) from None


def _rows(text: io.TextIOWrapper) -> Iterator[tuple[int, list[str]]]:
    """The non-empty records, each with the number of its last line."""
    lines = _lines(text)
    first = next(lines, "")
    delimiter = "\t" if "\t" in first else ","
    reader = csv.reader(chain([first], lines), delimiter=delimiter)
    for row in reader:
        if any(field.strip() for field in row):
            yield reader.line_num, row


def _lines(text: io.TextIOWrapper) -> Iterator[str]:
    """The lines; raises Fault for a very long one, since a small compressed file can hold
    gigabytes."""
    while line := text.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise Fault(f"a line of more than {LONGEST_LINE:,} characters")
        yield line


def _is_heading(row: list[str]) -> bool:
    return tuple(field.strip().lower() for field in row[:2]) == _HEADING


def _page(path: Path, line: int, row: list[str]) -> Listed:
    try:
        read = Row(*(" ".join(cell.split()) for cell in row[:4]))
    except (TypeError, ValidationError):
        raise BadDirectoryFile(
            f"{path.name}, line {line:,}: write url,topic and, if you like, title,description."
            " Nothing was kept."
        ) from None
    return Listed(category_path(read.topic), read.url, read.title, read.description)
