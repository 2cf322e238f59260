"""BibTeX: the address and the title of each entry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.lists.formats.format import Choices
from apps.lists.limits import check_nesting
from apps.lists.table import Table, TableRow, limited

_ENTRY = re.compile(r"@(\w+)\s*[{(]", re.MULTILINE)
_FIELD = re.compile(r"(\w+)\s*=\s*")
_NOT_ENTRIES = ("comment", "string", "preamble")
_IN_TEXT = re.compile(r"\\url\{([^}]*)\}")


class BibTeX:
    id = "bibtex"
    title = "BibTeX references"

    def recognises(self, text: str) -> bool:
        lines = (line.strip() for line in text[:20_000].splitlines())
        first = next((line for line in lines if line and not line.startswith("%")), "")
        return _ENTRY.match(first) is not None

    def read(self, text: str, choices: Choices) -> Table:
        read = tuple(limited(_entries(text)))
        return Table(read, ("Address", "Title"), address_column=1, lines_in_all=len(read))


def _entries(text: str) -> Iterator[TableRow]:
    """A row for each entry, without an address where it has none."""
    starts = [match for match in _ENTRY.finditer(text) if match[1].lower() not in _NOT_ENTRIES]
    ends = [match.start() for match in starts[1:]] + [len(text)]
    line, counted = 1, 0
    for start, end in zip(starts, ends, strict=True):
        line += text.count("\n", counted, start.start())
        counted = start.start()
        fields = _fields(text[start.end() : end])
        url = fields.get("url") or fields.get("howpublished", "")
        if marked := _IN_TEXT.search(url):
            url = marked[1]
        yield TableRow(line, (_plain(url), _plain(fields.get("title", ""))))


def _fields(body: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    position = 0
    while match := _FIELD.search(body, position):
        value, position = _value(body, match.end())
        fields.setdefault(match[1].lower(), " ".join(value.split()))
    return fields


def _value(body: str, start: int) -> tuple[str, int]:
    """The value that begins there, without its outer delimiters, and where it ends."""
    depth, quoted = 0, body[start : start + 1] == '"'
    for end in range(start + quoted, len(body)):
        char = body[end]
        depth += (char == "{") - (char == "}")
        check_nesting(depth)
        if depth < 0 or (depth == 0 and char == ('"' if quoted else ",")):
            break
        if depth == 0 and char == "}" and not quoted:
            end += 1
            break
    else:
        end = len(body)
    return body[start + quoted : end].strip(), end + 1


def _plain(value: str) -> str:
    """The value without braces and the escapes that addresses need in TeX."""
    return re.sub(r"\\([_%&#$~])", r"\1", re.sub(r"[{}]", "", value))
