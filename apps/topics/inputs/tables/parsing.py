"""Each kind of list as keys and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from apps.engine.urls import canonical, registered_domain
from apps.lists.addresses import Address, read_cell
from apps.lists.counts import CountedRows
from apps.lists.numbers import LARGEST
from apps.lists.streaming import open_table
from apps.lists.table import cell_of
from apps.topics.definition.lines import HOST_NAME, host_name
from apps.topics.inputs.tables.lines import BadTable, Errors, numbered

Row = tuple[str, float]
Parse = Callable[[Path, Errors], Iterator[Row]]


@dataclass(frozen=True, slots=True)
class ListFormat:
    """How a kind of list is read. `key_host` returns a key's host; with `ratios` the numbers are
    turned into counts by the smallest of the list."""

    parse: Parse
    key_host: Callable[[str], str]
    ratios: bool = False


def inlink_lines(path: Path, errors: Errors) -> Iterator[Row]:
    """An address and a count a line, in a table of any shape. Raises BadList."""
    with open_table(path) as table:
        counted = CountedRows(table.columns, table.sample, table.delimiter)
        for row in table.rows:
            text, count = counted.read(row)
            address = read_cell(text)
            url = canonical(address.url) if isinstance(address, Address) else None
            if url is None:
                why = "not a web address such as https://www.example.org/page"
                errors.add(row.line, table.text_of(row), why)
            elif count is None:
                errors.add(row.line, table.text_of(row), "no whole number beside the address")
            else:
                yield url, count


def traffic_lines(path: Path, errors: Errors) -> Iterator[Row]:
    """A rank and a domain a line, as in a Tranco list; 1 is the most popular. Raises BadList."""
    with open_table(path) as table:
        counted = CountedRows(table.columns, table.sample, table.delimiter)
        for row in table.rows:
            text, rank = counted.read(row)
            name_of_host = host_name(text)
            if rank and name_of_host:
                yield name_of_host, rank
            else:
                why = "no host name beside the rank" if rank else "no rank from 1 up"
                errors.add(row.line, table.text_of(row), why)


def site_lines(path: Path, errors: Errors) -> Iterator[Row]:
    """A domain, a host or an address a line; each gives its registered domain. Raises BadList."""
    with open_table(path) as table:
        number = table.columns.address if table.columns else 1
        for row in table.rows:
            name_of_host = host_name(cell_of(row, number))
            if name_of_host:
                yield registered_domain(name_of_host), 1
            else:
                errors.add(row.line, table.text_of(row), "no domain, as in example.org")


def rank_lines(path: Path, errors: Errors) -> Iterator[Row]:
    """Common Crawl's host ranks: PageRank by host, with reversed names (`org.example.www`).

    The heading names the columns (`#harmonicc_pos #harmonicc_val #pr_pos #pr_val #host_rev`); names
    and PageRank are read. Raises BadTable if these are missing. **Choice**: the file has no counts.
    PageRank is roughly proportional to in-links over the Web, so a host's count is its PageRank
    divided by the smallest of the file, less one.
    """
    stream = numbered(path)
    _, heading = next(stream, (1, ""))
    names = [name.strip().lstrip("#").strip().lower() for name in heading.split("\t")]
    if not {"host_rev", "pr_val"} <= set(names):
        raise BadTable(
            "Line 1 must name the columns, with tabs between, #pr_val and #host_rev among them,"
            " as in Common Crawl's file of host ranks."
        )
    value_at, name_at = names.index("pr_val"), names.index("host_rev")
    for number, line in stream:
        fields = line.split("\t")
        if len(fields) <= max(value_at, name_at):
            errors.add(number, line, f"fewer than {max(value_at, name_at) + 1} columns")
            continue
        name, value = _forwards(fields[name_at]), _positive(fields[value_at])
        if name and value:
            yield name, value
        else:
            errors.add(number, line, "no PageRank above 0" if name else "no host name")


def _forwards(name: str) -> str | None:
    name = ".".join(reversed(name.strip().lower().split(".")))
    return name if HOST_NAME.match(name) else None


def _positive(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value < LARGEST else None
