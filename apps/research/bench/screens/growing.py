"""Rows by the hundred thousand, copied from those of a crawl by the database itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.models import Max

from apps.collection import full_text
from apps.collection.full_text.parts import PageWords
from apps.collection.indexing.index import list_pages, stemmed_words
from apps.collection.models import Entry, Fingerprint, MainText, PageVector, Progress
from apps.crawls.models import (
    Crawl,
    FailedRequest,
    FrontierEntry,
    HostRecord,
    Outlinks,
    Page,
    Sample,
)
from apps.engine.crawl.sampling import is_sampled

SMALL = "Crawl"
"""What the names of small crawls begin with, before their numbers."""
HOSTS_FROM = 20
"""Copies get hosts of their own up to this one, then share them."""
WORDS_AT_ONCE = 500
WORDS_A_COPY = 60


def copies_table(copies: int) -> str:
    """The head of a query that has the numbers of so many copies, from 1, in the table `copies`."""
    return (
        "WITH RECURSIVE copies(k) AS"
        f" (SELECT 1 UNION ALL SELECT k + 1 FROM copies WHERE k < {copies})"
    )


@dataclass(frozen=True, slots=True)
class CopyOffsets:
    """How far the rows of one copy of a crawl are from those of the copy before."""

    keys: int
    pages: int
    requests: int
    numbers: int


def copy_rows(model: type[models.Model], where: str, head: str, changed: Mapping[str, str]) -> None:
    """Inserts a copy of the rows of `where` for each number `k` of the table `copies`, which `head`
    makes (`copies_table`); `changed` has by column what a copy has instead, in SQL over `k` and the
    row `r`. A key that is not among them is a new one."""
    meta = model._meta
    columns = [field.column for field in meta.concrete_fields if field.column is not None]
    taken = [name for name in columns if name in changed or name != meta.pk.column]
    values = [changed.get(name, f'r."{name}"') for name in taken]
    names = ", ".join(f'"{name}"' for name in taken)
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{meta.db_table}" ({names}) {head}'
            f' SELECT {", ".join(values)} FROM "{meta.db_table}" r CROSS JOIN copies WHERE {where}'
        )
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)


def grow_crawl(crawl: Crawl, copies: int) -> Crawl:
    """Gives an indexed crawl so many copies of all it has: pages on hosts of their own at first,
    requests, links, frontier, samples, and what the collection knows of each page."""
    pages = Page.objects.filter(crawl=crawl)
    offsets = CopyOffsets(
        keys=Page.every.aggregate(key=Max("pk"))["key"],
        pages=crawl.pages,
        requests=crawl.requests,
        numbers=crawl.discovered,
    )
    words = stemmed_words(crawl, list(pages), "")
    with transaction.atomic():
        _copy_records(crawl, offsets, copies)
        _copy_collection(crawl, offsets, copies)
        _grow_samples(crawl, copies)
        _grow_counts(crawl, copies)
    _copy_words(words, offsets, copies)
    crawl.refresh_from_db()
    return crawl


def copied_url(url: str, copy: int) -> str:
    """The address of a page's copy, as the database writes it."""
    return f"{url}?copy={copy}"


def _url(column: str) -> str:
    return f"r.{column} || '?copy=' || k"


def _host() -> str:
    return f"'c' || (k % {HOSTS_FROM}) || '.' || r.host"


def _parent(offsets: CopyOffsets) -> str:
    return f"CASE WHEN r.parent < 0 THEN r.parent ELSE r.parent + k * {offsets.numbers} END"


def _copy_records(crawl: Crawl, offsets: CopyOffsets, copies: int) -> None:
    of_crawl, head = f"r.crawl_id = {crawl.pk}", copies_table(copies)
    seq, number = f"r.seq + k * {offsets.pages}", f"r.number + k * {offsets.numbers}"
    request = f"r.request + k * {offsets.requests}"
    url, final_url = _url("url"), _url("final_url")
    copy_rows(
        Page,
        of_crawl,
        head,
        {"id": f"r.id + k * {offsets.keys}", "seq": seq, "number": number, "request": request}
        | {"url": url, "final_url": final_url, "host": _host(), "parent": _parent(offsets)},
    )
    copy_rows(
        FailedRequest,
        of_crawl,
        head,
        {"number": number, "request": request, "url": url, "final_url": final_url, "host": _host()},
    )
    copy_rows(
        FrontierEntry, of_crawl, head, {"number": number, "url": url, "parent": _parent(offsets)}
    )
    copy_rows(Outlinks, of_crawl, head, {"seq": seq})
    share = max(1, copies // HOSTS_FROM)
    HostRecord.objects.filter(crawl=crawl).update(pages=models.F("pages") * share)
    copy_rows(HostRecord, of_crawl, copies_table(min(copies, HOSTS_FROM - 1)), {"host": _host()})


def _copy_collection(crawl: Crawl, offsets: CopyOffsets, copies: int) -> None:
    of_crawl, head = f"r.crawl_id = {crawl.pk}", copies_table(copies)
    page = f"r.page_id + k * {offsets.keys}"
    copy_rows(
        Entry,
        of_crawl,
        head,
        {"page_id": page, "seq": f"r.seq + k * {offsets.pages}", "host": _host()}
        | {"address": "r.address + k", "fold": f"r.fold + k * {offsets.keys}"},
    )
    bands = {f"band_{band}": f"(r.band_{band} + k) % 2147483647" for band in range(10)}
    copy_rows(Fingerprint, of_crawl, head, {"page_id": page, **bands})
    copy_rows(MainText, of_crawl, head, {"page_id": page})
    copy_rows(PageVector, of_crawl, head, {"page_id": page})


def _grow_samples(crawl: Crawl, copies: int) -> None:
    """Samples at the pages of a crawl of that length, with the measures taken there."""
    measured = list(Sample.objects.filter(crawl=crawl))
    last = measured[-1].pages
    further = (n for n in range(last + 1, crawl.pages * (copies + 1) + 1) if is_sampled(n, 10))
    Sample.objects.bulk_create(
        Sample(
            crawl=crawl, seq=seq, pages=pages, at=like.at, metrics=like.metrics | {"pages": pages}
        )
        for seq, pages in enumerate(further, measured[-1].seq + 1)
        for like in (measured[seq % len(measured)],)
    )


def _grow_counts(crawl: Crawl, copies: int) -> None:
    times = copies + 1
    counted = ("pages", "requests", "discovered", "waiting", "failed", "excluded")
    counts = {name: getattr(crawl, name) * times for name in counted}
    reasons = {
        name: {reason: count * times for reason, count in getattr(crawl, name).items()}
        for name in ("errors", "excluded_reasons")
    }
    Crawl.objects.filter(pk=crawl.pk).update(
        metrics=crawl.metrics | {"pages": counts["pages"]}, seconds=60 * times, **counts, **reasons
    )
    done = counts["pages"]
    Progress.objects.filter(crawl=crawl).update(listed=done, indexed=done, read=done, vectored=done)


def _copy_words(words: list[PageWords], offsets: CopyOffsets, copies: int) -> None:
    """The copies have the first words of the pages, as their stored pages do."""
    rows = iter(
        PageWords(page.page + k * offsets.keys, page.title, page.text[:WORDS_A_COPY])
        for k in range(1, copies + 1)
        for page in words
    )
    while some := list(islice(rows, WORDS_AT_ONCE)):
        with transaction.atomic():
            full_text.write_words(some)


def add_small_crawls(crawl: Crawl, topics: list[int], number: int, pages: int) -> None:
    """Adds so many crawls like a new one of a site, of its first pages each, spread over topics."""
    values = {
        field.attname: getattr(crawl, field.attname)
        for field in Crawl._meta.concrete_fields
        if not field.primary_key and field.attname != "topic_id"
    } | {"pages": pages, "requests": pages, "discovered": 5 * pages, "waiting": 4 * pages}
    made = Crawl.objects.bulk_create(
        Crawl(
            topic_id=topics[n % len(topics)],
            **values | {"name": f"{SMALL} {n}", "earlier_id": None},
        )
        for n in range(number)
    )
    small = f"id > {crawl.pk} AND name LIKE '{SMALL} %'"
    head = f"WITH copies(k) AS (SELECT id FROM crawls_crawl WHERE {small})"
    for model in (Page, Sample):
        copy_rows(model, f"r.crawl_id = {crawl.pk} AND r.seq <= {pages}", head, {"crawl_id": "k"})
    for each in made:
        list_pages(each)
    Progress.objects.filter(crawl__in=[each.pk for each in made]).update(
        indexed=pages, read=pages, vectored=pages, reader=crawl.collected.reader, language="en"
    )
