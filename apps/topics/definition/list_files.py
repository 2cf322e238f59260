"""Uploaded lists of addresses: one a line, or a table whose heading names its columns.

A table may have, for each address, a `label` (positive, negative) or a `role` (train, evaluate,
seed, target). Each row goes to the list for these, whichever list the file was uploaded to; other
columns are ignored. Rows that are not accepted stay in the list as marked lines, so that they can
be corrected.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import IO, Annotated, Literal

from pydantic import BeforeValidator, ValidationError

from apps.engine.file_faults import fault_words
from apps.schemas.input import Input

URL_NAMES = frozenset({"url", "uri", "address", "link", "page"})
WITHOUT_HEADING = ("url", "label", "role", "note")
DELIMITERS = "\t;,"

LABELS: Mapping[str, bool | None] = {
    **dict.fromkeys(("positive", "pos", "relevant", "yes", "true", "1", "+"), True),
    **dict.fromkeys(("negative", "neg", "irrelevant", "not", "no", "false", "0", "-"), False),
    "": None,
}
ROLES: Mapping[str, str] = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("evaluate", "evaluation", "judge", "judging", "test"), "evaluate"),
    **dict.fromkeys(("seed", "seeds"), "seeds"),
    **dict.fromkeys(("target", "targets"), "targets"),
    "": "",
}
OWN = {
    "positives": (True, "train"), "negatives": (False, "train"),
    "evaluation_positives": (True, "evaluate"), "evaluation_negatives": (False, "evaluate"),
}
UNLABELLED = frozenset({"backlinks", "corpus"})
_LIST_OF = {parts: name for name, parts in OWN.items()}


class BadListFile(Exception):
    """A file that is not a list of addresses; the text says what to do."""


class ListRow(Input):
    """What a row says of its address: whether it is about the topic, and what it is for."""

    label: Annotated[bool | None, BeforeValidator(lambda word: LABELS.get(word, word))]
    role: Annotated[
        Literal["train", "evaluate", "seeds", "targets", ""],
        BeforeValidator(lambda word: ROLES.get(word, word)),
    ]


@lru_cache(maxsize=1_000)
def _said(label: str, role: str) -> ListRow | None:
    """What a row says in those words; None where one of them is unknown. A role may stand in the
    column of the label."""
    if label in ROLES and not role:
        label, role = "", label
    try:
        return ListRow(label=label, role=role)
    except ValidationError:
        return None


def decoded(data: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 with a byte order mark, or Latin-1. Raises
    BadListFile."""
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if any(ord(char) < 32 and char not in "\t\n\r\f\v" for char in text):
        raise BadListFile("It is not text. Upload a text file with one address a line, or a CSV.")
    return text


def below(before: str, text: str) -> str:
    """A list with the lines of a file appended."""
    before = before.rstrip()
    return f"{before}\n{text.lstrip()}" if before else text


def placed(text: str, name: str) -> dict[str, str]:
    """The text of a file uploaded for the list `name`, split by the list that each line belongs to.

    If no column is named the text is unchanged. Line numbers of the list are the file's as long as
    all rows go there: a heading leaves an empty line. Raises BadListFile.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    first = text.partition("\n")[0]
    shape = None if name == "inlinks" else _shape(first)
    if shape is None:
        return {name: text}
    delimiter, names = shape
    rows = _rows(text, delimiter)
    found: dict[str, list[str]] = {}
    if "://" not in first:
        next(rows)
        found[name] = [""]
    for row in rows:
        where, line = _place(dict(zip(names, row, strict=False)), name)
        found.setdefault(where, []).append(line)
    return {where: "\n".join(lines) for where, lines in found.items() if any(lines)}


def _shape(first: str) -> tuple[str, Sequence[str]] | None:
    """The delimiter and the names of the columns, or None if lines are just addresses."""
    for delimiter in DELIMITERS:
        cells = [cell.strip().strip('"').lower() for cell in first.split(delimiter)]
        if not URL_NAMES.isdisjoint(cells):
            return delimiter, ["url" if cell in URL_NAMES else cell for cell in cells]
        said = {cell for cell in cells[1:3] if cell}
        if said and said <= LABELS.keys() | ROLES.keys():
            return delimiter, WITHOUT_HEADING
    return None


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(text), delimiter=delimiter)
    except csv.Error as error:
        raise BadListFile(f"It cannot be read as a table: {fault_words(error)}.") from None


def _place(row: Mapping[str, str], name: str) -> tuple[str, str]:
    """The list of a row, and its line there."""
    url = " ".join(row.get("url", "").split())
    if name in UNLABELLED:
        return name, url
    words = [row.get(part, "").strip().lower() for part in ("label", "role")]
    read = _said(*words)
    if read is None:
        return name, "\t".join(part for part in (url, *words) if part)
    if read.role in ("seeds", "targets"):
        return read.role, url
    if read.label is None and not read.role:
        return name, url
    relevant, use = OWN.get(name, (True, "train"))
    return _LIST_OF[relevant if read.label is None else read.label, read.role or use], url


MOST_LIST_BYTES = 4 * 2**20


def lists_of_file(file: IO[bytes], name: str) -> dict[str, str]:
    """The lines of a file uploaded for the list `name`, by list. Raises BadListFile."""
    return placed(text_of_file(file), name)


def text_of_file(file: IO[bytes]) -> str:
    """The text of an uploaded list. Raises BadListFile."""
    data = file.read(MOST_LIST_BYTES + 1)
    if len(data) > MOST_LIST_BYTES:
        raise BadListFile(f"It is larger than {MOST_LIST_BYTES >> 20} MB.")
    return decoded(data)
