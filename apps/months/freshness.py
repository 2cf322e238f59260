"""How current the copies of a watch were, over the whole month."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from apps.months.changing_web import ScriptedPage

Days = Sequence[float]


def freshness(pages: Iterable[tuple[ScriptedPage, Days]], until: float) -> float | None:
    """The share of the time from the start until a day in which the copy of a page was as the page,
    as the mean over the pages (Cho and Garcia-Molina, Effective Page Refresh Policies for Web
    Crawlers, ACM TODS 28(4), 2003, §2.1). With each page come the days on which it was read; the
    first copy is of the start. None without pages."""
    shares = [_fresh_days(page, read, until) / until for page, read in pages]
    return sum(shares) / len(shares) if shares else None


def _fresh_days(page: ScriptedPage, read: Days, until: float) -> float:
    moments = [0.0, *(day for day in read if 0 < day < until), until]
    spans = pairwise(moments)
    return sum(min(_next_edit(page, begin), end) - begin for begin, end in spans)


def _next_edit(page: ScriptedPage, day: float) -> float:
    """The first day after `day` on which a copy of it is out of date."""
    later = [edit for edit in page.edits if edit > day]
    ends = [*later, *(end for end in (page.deleted,) if end is not None)]
    return max(day, min(ends, default=float("inf")))
