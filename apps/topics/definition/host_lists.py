"""A list of hosts: what the reader of lists understood, each line as the name of a decision."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.engine.frontier.host_decisions import DOMAIN
from apps.lists.reading import Duplicate, ListEntry, ListReading, RejectedLine
from apps.topics.definition.host_names import parse_name

_WITHOUT_ADDRESS = re.compile(r"\*\.|(localhost|\d+(\.\d+){3})(:\d+)?(/|$)")
"""Names that a reader of addresses refuses: domains with all of their hosts, hosts of a network of
one's own."""


def as_hosts(reading: ListReading) -> ListReading:
    """The list with the names of hosts, domains (`*.a.example`) and users (`a.example/~name`) as
    its addresses: of a whole address its host. A name that an earlier line has is a duplicate."""
    lines: list[ListEntry | RejectedLine] = [*reading.entries, *reading.refused]
    entries: dict[str, ListEntry] = {}
    duplicates: list[Duplicate] = list(reading.duplicates)
    refused: list[RejectedLine] = []
    for each in sorted(lines, key=lambda one: one.line):
        name = _name_of(each)
        if name is None:
            if isinstance(each, RejectedLine):
                refused.append(each)
        elif name in entries:
            duplicates.append(Duplicate(each.line, name, entries[name].line))
        else:
            entries[name] = ListEntry(
                each.line, name, f"http://{name.removeprefix(DOMAIN)}", each.text
            )
    return replace(
        reading,
        entries=tuple(entries.values()),
        refused=tuple(refused),
        duplicates=tuple(sorted(duplicates, key=lambda one: one.line)),
    )


def _name_of(each: ListEntry | RejectedLine) -> str | None:
    """The host named by the text as it was typed, else by the address read in it."""
    own = parse_name(each.text)
    if isinstance(each, RejectedLine):
        return own if own and _WITHOUT_ADDRESS.match(own) else None
    return own or parse_name(each.url)
