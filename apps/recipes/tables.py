"""The tables inside a recipe (in-links, host ranks, traffic, listed sites), with their digests."""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from apps.recipes.schemas import AddressRow, HostRow, PackedTable
from apps.schemas.refused import Refused
from apps.topics.examples.page_store import topic_file
from apps.topics.inputs import sites
from apps.topics.inputs.lists import add_rows, current, table_path
from apps.topics.inputs.tables.files import StoredTable
from apps.topics.models import InputTable, Topic

MOST_BYTES = 200 * 2**20
Kind = InputTable.Kind


Row = tuple[str, int]


def tables_part(topic_id: int, given: Mapping[str, Any]) -> dict[str, PackedTable]:
    """The tables a crawl was given, by kind. Counts of a recorded web are left out, since they can
    be counted again. Raises BadWebFile if a table is gone."""
    return {
        kind: _packed(name, _lines([topic_file(topic_id, file) for file in files]))
        for kind, name, files in _input_lists(given)
    }


def _input_lists(given: Mapping[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
    inlinks, traffic, listed = (given.get(n) for n in ("inlinks", "traffic", "sites"))
    if inlinks and inlinks["file"] and inlinks["of"] in ("csv", "ranks"):
        kind = Kind.INLINKS if inlinks["of"] == "csv" else Kind.RANKS
        yield kind.value, inlinks["name"], [inlinks["file"]]
    if traffic:
        yield Kind.TRAFFIC.value, traffic["name"], [traffic["file"]]
    if listed:
        yield Kind.SITES.value, listed["name"], listed["files"]


def _lines(paths: Iterable[Path]) -> bytes:
    """The rows of several tables together, sorted by key."""
    counts: dict[str, int] = {}
    for path in paths:
        table = StoredTable(path)
        counts = dict(table.items()) | counts
        table.close()
    return "".join(f"{key}\t{counts[key]}\n" for key in sorted(counts)).encode()


def _packed(name: str, lines: bytes) -> PackedTable:
    data = base64.b64encode(zlib.compress(lines, 9)).decode()
    return PackedTable(name=name, rows=lines.count(b"\n"), sha256=_digest(lines), data=data)


def _digest(lines: bytes) -> str:
    return hashlib.sha256(lines).hexdigest()


def rows_of(tables: Mapping[str, PackedTable]) -> dict[str, tuple[Row, ...]]:
    """The rows of a recipe's tables by kind: (key, number), sorted by key. Raises Refused for a
    damaged table."""
    return {kind: tuple(_rows(kind, table)) for kind, table in tables.items()}


def _rows(kind: str, table: PackedTable) -> Iterator[Row]:
    lines = _unpacked(kind, table.data)
    if _digest(lines) != table.sha256:
        raise _refused(f"{kind} does not match its digest: download the recipe again.")
    schema = AddressRow if kind == Kind.INLINKS else HostRow
    for number, line in enumerate(lines.decode("utf-8", "replace").splitlines(), 1):
        try:
            row = schema.of_line(line)
        except Refused as refused:
            raise _refused(f"{kind}, line {number:,}, {refused.field}: {refused.message}") from None
        yield row.key, row.number


def _unpacked(kind: str, data: str) -> bytes:
    reader = zlib.decompressobj()
    try:
        lines = reader.decompress(base64.b64decode(data, validate=True), MOST_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        raise _refused(f"{kind} cannot be decompressed: download the recipe again.") from None
    if reader.unconsumed_tail:
        raise _refused(f"{kind} is larger than {MOST_BYTES >> 20} MB.")
    return lines


def _refused(words: str) -> Refused:
    return Refused("tables", f"The table {words}")


def holds(topic: Topic, tables: Mapping[str, PackedTable]) -> bool:
    """Whether crawls of the topic are given each of these tables already."""
    return all(_sha256(topic, kind) == table.sha256 for kind, table in tables.items())


def _sha256(topic: Topic, kind: str) -> str:
    table = current(topic, kind)
    if table is not None:
        return _digest(_lines([table_path(table)]))
    if kind == Kind.SITES and (listed := sites.freeze(topic)):
        return _digest(_lines(topic_file(topic.pk, file) for file in listed["files"]))
    return ""


def add_tables(topic: Topic, tables: Mapping[str, PackedTable]) -> None:
    """Adds the tables to the topic's lists. Raises Refused for a damaged table."""
    for kind, rows in rows_of(tables).items():
        add_rows(topic.owner, topic, kind, tables[kind].name or "a recipe’s list", rows)
