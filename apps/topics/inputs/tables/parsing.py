"""Parsing the lines of each kind of list into a key and a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from apps.engine.urls import canonical, registered_domain
from apps.topics.definition.lines import HOST_NAME, MAX_COUNT, MAX_URL, host_name, read_count
from apps.topics.inputs.tables.lines import BadTable, Errors

Row = tuple[str, float]
Lines = Iterable[tuple[int, str]]
Parse = Callable[[Lines, Errors], Iterator[Row]]


@dataclass(frozen=True, slots=True)
class Format:
    """How a kind of list is read. `key_host` returns a key's host; with `ratios` the numbers are
    turned into counts by the smallest of the list."""

    parse: Parse
    key_host: Callable[[str], str]
    ratios: bool = False


def inlink_lines(lines: Lines, errors: Errors) -> Iterator[Row]:
    """`url,count` with a comma or tab between; a first line without a count is a heading."""
    for number, line in lines:
        address, _, figure = line.replace("\t", ",").rpartition(",")
        count = read_count(figure)
        address = address.strip().strip('"')
        url = canonical(address) if len(address) <= MAX_URL else None
        if count is not None and url is not None:
            yield url, count
        elif number > 1 or count is not None or url is not None:
            errors.add(number, line,
                       "what follows the last comma is not a whole number" if count is None
                       else "not a web address such as https://www.example.org/page")


def traffic_lines(lines: Lines, errors: Errors) -> Iterator[Row]:
    """`rank,domain` with a comma or tab between, as in a Tranco list; 1 is the most popular."""
    for number, line in lines:
        figure, _, name = line.replace("\t", ",").partition(",")
        rank, found = read_count(figure), host_name(name)
        if rank and found:
            yield found, rank
        elif number > 1 or rank is not None:
            errors.add(number, line, "no rank from 1 up before the comma" if not rank
                       else "no host name after the comma")


def site_lines(lines: Lines, errors: Errors) -> Iterator[Row]:
    """A domain, a host or a URL a line; each gives its registered domain."""
    for number, line in lines:
        found = host_name(line)
        if found:
            yield registered_domain(found), 1
        else:
            errors.add(number, line, "no domain, as in example.org")


def rank_lines(lines: Lines, errors: Errors) -> Iterator[Row]:
    """Common Crawl's host ranks: PageRank by host, with reversed names (`org.example.www`).

    The heading names the columns (`#harmonicc_pos #harmonicc_val #pr_pos #pr_val #host_rev`); names
    and PageRank are read. Raises BadTable if these are missing. **Choice**: the file has no counts.
    PageRank is roughly proportional to in-links over the Web, so a host's count is its PageRank
    divided by the smallest of the file, less one.
    """
    stream = iter(lines)
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
    return value if 0 < value < MAX_COUNT else None
