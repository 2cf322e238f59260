"""All labels of a topic as a table: a row a page, a column a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from apps.agreement.answers import PageAnswers, people_of
from apps.crawls.labels.counted import CountingRule
from apps.crawls.models import Page
from apps.exports.csv import CsvLines
from apps.topics.models import Topic

YES_NO = {True: "y", False: "n", None: ""}
AT_ONCE = 500


def header(pages: Sequence[PageAnswers]) -> list[str]:
    """The names of the columns: after the page's a label and a note for each person."""
    people = [person.get_username() for person in people_of(pages)]
    labels = [f"label {name}" for name in people]
    notes = [f"note {name}" for name in people]
    settled = ["settled", "settled by", "settled at", "settled because"]
    return ["url", "title", "language", "kind", "counts", *labels, *notes, *settled]


def csv_lines(topic: Topic, pages: Sequence[PageAnswers]) -> Iterator[bytes]:
    """The table as CSV, its heading first, safe to open in a spreadsheet."""
    names = header(pages)
    lines = CsvLines(names)
    yield lines.heading()
    for row in rows(topic, pages):
        yield lines.line(dict(zip(names, row, strict=True)))


def rows(topic: Topic, pages: Sequence[PageAnswers]) -> Iterator[list[Any]]:
    """The values of each page in the order of the columns; `y` or `n`, empty for no label."""
    people, rule = people_of(pages), CountingRule.of(topic)
    for start in range(0, len(pages), AT_ONCE):
        chunk = pages[start : start + AT_ONCE]
        stored = stored_pages(chunk)
        for page in chunk:
            row = stored.get(page.address)
            labels = [page.labels.get(person.pk) for person in people]
            yield [
                row.final_url if row else "",
                row.title if row else "",
                page.language,
                page.kind,
                YES_NO[page.value_by(rule)],
                *(YES_NO[label.relevant] if label else "" for label in labels),
                *(label.note if label else "" for label in labels),
                *_settled(page),
            ]


def stored_pages(pages: Sequence[PageAnswers]) -> dict[int, Page]:
    """The page to show for each, by address."""
    return pages_at((page.crawl, page.seq, page.address) for page in pages)


def pages_at(positions: Iterable[tuple[int, int, int]]) -> dict[int, Page]:
    """The pages with these crawls, numbers and addresses, by address."""
    rows_by_address: dict[int, Page] = {}
    seqs: dict[int, dict[int, int]] = {}
    for crawl, seq, address in positions:
        seqs.setdefault(crawl, {})[seq] = address
    for crawl, addresses in seqs.items():
        for row in Page.objects.filter(crawl=crawl, seq__in=addresses):
            rows_by_address[addresses[row.seq]] = row
    return rows_by_address


def _settled(page: PageAnswers) -> list[str]:
    if (how := page.settlement) is None:
        return ["", "", "", ""]
    value = "open" if how.relevant is None else YES_NO[how.relevant]
    who = how.by.get_username() if how.by else ""
    return [value, who, how.at.isoformat(timespec="seconds"), how.note]
