"""The signs against use that a host's files and pages have, and since when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min
from django.utils.timezone import localtime

from apps.collection.models import MainText
from apps.crawls.models import Crawl, FailedRequest, Page
from apps.crawls.opt_outs.selectors import HostOptOut, host_opt_outs
from apps.dossiers.robots import RobotsText
from apps.engine.codes import Failure
from apps.engine.parsing.opt_outs.catalogue import FORMS
from apps.topics.models import Topic


@dataclass(frozen=True, slots=True)
class HostSign:
    """One protocol: what was read of it, on how many of the `looked` answers it `number` times
    stood, since when, and what was done; `number` 0 if it was looked for in vain."""

    id: str
    title: str
    looked: int
    number: int
    text: str = ""
    since: datetime | None = None
    reserves: bool = False
    done: str = ""


def host_signs(
    topic: Topic, host: str, crawls: Sequence[Crawl], texts: Sequence[RobotsText]
) -> list[HostSign]:
    """Every protocol that is looked for, those with a sign first."""
    signs = [_robots(texts), _noindex(host, crawls)]
    signs += [*_of_files(topic, host), *_of_pages(host, crawls)]
    return sorted(signs, key=lambda sign: not sign.number)


def _robots(texts: Sequence[RobotsText]) -> HostSign:
    """Rules that a robots.txt has."""
    ruled = [text for text in texts if any(line.effect for line in text.lines)]
    reads = sum(text.reads for text in texts)
    if not ruled:
        return HostSign("robots", "robots.txt", reads, 0)
    lines = [line.text.strip() for line in ruled[-1].lines if line.effect]
    words, since = "; ".join(lines), ruled[0].first_at
    return HostSign("robots", "robots.txt", reads, len(lines), words, since, True, "obeyed")


def _noindex(host: str, crawls: Sequence[Crawl]) -> HostSign:
    keys = [crawl.pk for crawl in crawls]
    rows = FailedRequest.objects.filter(crawl__in=keys, host=host, kind=Failure.NOINDEX)
    number, title = rows.count(), "Robots meta, X-Robots-Tag"
    looked = number + Page.every.filter(crawl__in=keys, host=host).count()
    if not number:
        return HostSign("noindex", title, looked, 0)
    since = rows.aggregate(first=Min("at"))["first"]
    done = f"{number:,} read for links, text not kept"
    return HostSign("noindex", title, looked, number, "noindex", since, True, done)


def _of_files(topic: Topic, host: str) -> Iterator[HostSign]:
    """The signs in files about the whole host, and the files that have none."""
    opt_outs = host_opt_outs(topic, host)
    for sign in opt_outs.signs:
        title = f"{sign.title}, in {sign.path}"
        yield HostSign(
            sign.path, title, 1, 1, sign.text, sign.since, sign.reserves, _what_was_done(sign)
        )
    signed = {sign.path for sign in opt_outs.signs}
    for path in dict.fromkeys(file.path for file in opt_outs.files if file.path not in signed):
        looked = sum(file.path == path for file in opt_outs.files)
        yield HostSign(path, f"Reservations in {path}", looked, 0)


def _what_was_done(sign: HostOptOut) -> str:
    if sign.ended_at is not None:
        return f"no longer there on {localtime(sign.ended_at):%d %B %Y}"
    return "recorded; obeyed by crawls whose scope says so" if sign.reserves else "recorded"


def _of_pages(host: str, crawls: Sequence[Crawl]) -> Iterator[HostSign]:
    """The signs in pages and their headers, by form."""
    pages = Page.every.filter(crawl__in=[crawl.pk for crawl in crawls], host=host).order_by()
    fetched = dict(pages.values_list("pk", "fetched_at"))
    read = MainText.objects.filter(page_id__in=pages.values("pk")).exclude(signs=None)
    looked, number = 0, dict.fromkeys(FORMS, 0)
    text: dict[str, str] = {}
    since: dict[str, datetime] = {}
    reserving: set[str] = set()
    for text_row in read.only("page_id", "signs").iterator():
        looked += 1
        for sign in {each.form: each for each in text_row.opt_outs}.values():
            number[sign.form] += 1
            text.setdefault(sign.form, sign.text)
            at = fetched[text_row.page_id]
            since[sign.form] = min(since.get(sign.form, at), at)
            if sign.reserves:
                reserving.add(sign.form)
    for form in FORMS.values():
        pages_words = f"recorded with {number[form.id]:,} pages"
        yield HostSign(
            form.id,
            form.title,
            looked,
            number[form.id],
            text.get(form.id, ""),
            since.get(form.id),
            form.id in reserving,
            pages_words if number[form.id] else "",
        )
