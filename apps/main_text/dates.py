"""The day on which a page was published, with the source of the date.

First what the head declares, then marks of a date in the page (htmldate), the address, and last a
date in the lines at the title. Dates elsewhere in the text are no evidence: they are of what it
tells, or of the copyright.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.utils.html import escape

from apps.engine.parsing.calendar_days import calendar_day
from apps.main_text.article import Dated, Source
from apps.main_text.head import Declarations

DATES = tuple(
    "article:published_time og:article:published_time og:published_time datepublished date pubdate"
    " publishdate publish-date publication_date dc.date dc.date.issued dcterms.created"
    " dcterms.issued dcterms.date citation_publication_date citation_date parsely-pub-date"
    " sailthru.date article.published rnews:datepublished date.created".split()
)
FIRST_PRINT, FIRST_PAGE = date(1450, 1, 1), date(1991, 8, 6)
"""The first day that a document can declare, and the first of the Web: dates before it, in marks
and addresses, are the subject of a page."""
CLOCK_STARTS = frozenset(
    date.fromisoformat(day)
    for day in "1601-01-01 1899-12-30 1899-12-31 1900-01-01 1904-01-01 1969-12-31 1970-01-01"
    " 1980-01-01".split()
)
"""What programs write that have no date: the zeros of clocks and calendars."""
BEFORE_TITLE, AFTER_TITLE = 150, 300
"""Characters around the title in which a date is that of the page."""
_DAY = re.compile(r"\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)")
_IN_ADDRESS = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/_](0?[1-9]|1[0-2])(?:[-/_](\d{1,2}))?(?!\d)")


def date_of(
    head: Declarations, tree: Any, heading: str, read_text: Callable[[], str], url: str
) -> Dated | None:
    """The day of publication, or None. `heading` is the page's first heading; `read_text` gives all
    that is visible, which is read last."""
    return next(_candidates(head, tree, heading, read_text, url), None)


def declared_day(head: Declarations) -> date | None:
    """The day that the head declares, or None."""
    return next(filter(None, map(_declared_day, _declared(head))), None)


def _candidates(
    head: Declarations, tree: Any, heading: str, read_text: Callable[[], str], url: str
) -> Iterator[Dated]:
    for declared in _declared(head):
        if day := _declared_day(declared):
            yield Dated(day, "head")
    if marked := _by_htmldate(tree):
        yield Dated(marked, "page")
    if in_address := _in_address(url):
        yield in_address
    if near := _near_title(heading, read_text):
        yield near


def _declared(head: Declarations) -> Iterator[str]:
    for work in head.works:
        yield str(work.get("datePublished") or "")
    for name in DATES:
        yield from head.meta.get(name, ())


def _declared_day(text: str) -> date | None:
    """The day at the beginning of a text; it may be the day of a print put on the Web later."""
    day = _day(text, FIRST_PRINT)
    return None if day in CLOCK_STARTS else day


def _day(text: str, first: date = FIRST_PAGE) -> date | None:
    """The day at the beginning of a text, if it can be a page's."""
    parts = _DAY.match(text)
    return _valid(calendar_day(*parts.groups()), first) if parts else None


def _valid(day: date | None, first: date = FIRST_PAGE) -> date | None:
    latest = datetime.now(UTC).date() + timedelta(1)
    return day if day and first <= day <= latest else None


def _by_htmldate(document: Any, extensive: bool = False) -> date | None:
    """The day in a tree or in HTML; `extensive` reads all of the text."""
    from htmldate import find_date

    return _day(find_date(document, extensive_search=extensive, original_date=True) or "")


def _in_address(url: str) -> Dated | None:
    parts = _IN_ADDRESS.search(urlsplit(url).path)
    if parts is None:
        return None
    year, month = int(parts[1]), int(parts[2])
    source: Source = "address"
    if parts[3] and (day := _valid(calendar_day(year, month, parts[3]))):
        return Dated(day, source)
    first = _valid(calendar_day(year, month))
    return Dated(first, source, "month") if first else None


def _near_title(heading: str, read_text: Callable[[], str]) -> Dated | None:
    if not heading:
        return None
    words = " ".join(read_text().split())
    at = words.find(heading)
    if at < 0:
        return None
    near = words[max(0, at - BEFORE_TITLE) : at] + " " + words[at + len(heading) :][:AFTER_TITLE]
    from htmldate import find_date

    day = _day(
        find_date(f"<html><body><p>{escape(near)}</p></body></html>", original_date=True) or ""
    )
    # A year alone is read as its first day.
    return Dated(day, "title") if day and (day.month, day.day) != (1, 1) else None
