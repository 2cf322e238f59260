"""Writes a batch of the engine as rows, and reads them for a replay.

Rows are the same on SQLite and PostgreSQL. Large numbers of rows are inserted by `executemany`:
making an ORM object for a link would cost more than scoring it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models import Model
from django.utils import timezone

from apps.crawls.models import (
    Crawl,
    FailedRequest,
    FrontierEntry,
    HostRecord,
    KeptText,
    Outlinks,
    Page,
    Sample,
)
from apps.crawls.opt_outs.services import write_site_files
from apps.crawls.packing import compress, pack_numbers
from apps.crawls.running.request_rows import moment, write_requests
from apps.engine.answers import Answer
from apps.engine.codes import SITE_LIST_ANSWERS
from apps.engine.crawl.resuming import CrawlRecords
from apps.engine.events import Batch, EventRecord, HostState, PageRecord
from apps.engine.frontier.url_states import Changed, Discovered, UrlState
from apps.engine.kinds import DocumentKind
from apps.engine.networking.page_store.records import digest_of

LONGEST_VALIDATOR = 300
LETTERS = {
    UrlState.WAITING: FrontierEntry.State.WAITING.value,
    UrlState.FETCHED: FrontierEntry.State.FETCHED.value,
    UrlState.FAILED: FrontierEntry.State.FAILED.value,
    UrlState.EXCLUDED: FrontierEntry.State.EXCLUDED.value,
}
ENTRIES = {letter: entry for entry, letter in LETTERS.items()}


def write_batch(crawl: Crawl, batch: Batch, host_errors: dict[str, dict[str, int]]) -> None:
    """Writes all rows of a batch except the crawl's own, in the caller's transaction."""
    kinds = {f.number: f.answer.failure or "" for f in batch.failures}
    _insert_entries(crawl.pk, batch.discovered, kinds)
    _update_entries(crawl.pk, batch.changed, kinds)
    _insert(Page, [_page(crawl.pk, page) for page in batch.pages])
    _insert(
        Outlinks,
        [
            {
                "crawl_id": crawl.pk,
                "seq": page.seq,
                "format": 1,
                "targets": pack_numbers(page.outlinks),
            }
            for page in batch.pages
        ],
    )
    _insert(
        KeptText,
        [
            {"crawl_id": crawl.pk, "seq": page.seq, "text": compress(page.contexts)}
            for page in batch.pages
            if page.contexts
        ],
    )
    FailedRequest.objects.bulk_create(
        [
            FailedRequest(
                crawl_id=crawl.pk,
                request=f.request,
                number=f.number,
                url=f.answer.url,
                final_url=f.answer.final_url,
                host=f.host,
                kind=f.answer.failure or "",
                detail=f.answer.detail[:500],
                at=moment(f.answer.fetched_at),
                links=list(f.links),
                site_list=f.site_list,
                in_hops=f.answer.sent is not None,
                status=f.answer.status,
                size=f.answer.size,
                retry_after=f.answer.retry_after,
                validators=[] if f.site_list is None else validators_of(f.answer),
            )
            for f in batch.failures
        ]
    )
    _write_hosts(crawl.pk, batch, host_errors)
    write_site_files(crawl.topic_id, batch.site_files)
    write_requests(crawl.pk, batch)


def validators_of(answer: Answer) -> list[str]:
    """The ETag and the Last-Modified of an answer, empty where it has none or a very long one."""
    values = (answer.header(name) or "" for name in ("ETag", "Last-Modified"))
    return [value if len(value) <= LONGEST_VALIDATOR else "" for value in values]


def _insert(model: type[Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Inserts rows with the same columns, whose values are in the database's form."""
    if not rows:
        return
    columns = ", ".join(connection.ops.quote_name(name) for name in rows[0])
    marks = ", ".join(["%s"] * len(rows[0]))
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({marks})",
            [tuple(row.values()) for row in rows],
        )


def write_samples(crawl: Crawl, batch: Batch) -> None:
    """Writes the batch's samples, with the speed and the active time of the crawl's row."""
    if not batch.samples:
        return
    now = timezone.now()
    measured = {
        "pages_per_second": crawl.metrics["pages_per_second"],
        "active_seconds": round(crawl.seconds, 2),
    }
    last = crawl.samples.order_by("-seq").values_list("seq", flat=True).first() or 0
    Sample.objects.bulk_create(
        [
            Sample(
                crawl_id=crawl.pk,
                seq=seq,
                pages=sample.pages,
                at=now,
                metrics={**sample.metrics, **measured},
            )
            for seq, sample in enumerate(batch.samples, last + 1)
        ]
    )


def _insert_entries(
    crawl_id: int, discovered: Sequence[Discovered], kinds: Mapping[int, str]
) -> None:
    if not discovered:
        return
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO crawls_frontierentry"
            " (crawl_id, number, url, parent, depth, priority, state, reason)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
            [
                (
                    crawl_id,
                    e.number,
                    e.url,
                    e.parent,
                    e.depth,
                    e.priority,
                    LETTERS[e.state],
                    _reason(e, kinds),
                )
                for e in discovered
            ],
        )


def _update_entries(crawl_id: int, changed: Sequence[Changed], kinds: Mapping[int, str]) -> None:
    if not changed:
        return
    kinds = {**_earlier_kinds(crawl_id, changed, kinds), **kinds}
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE crawls_frontierentry SET state = %s, reason = %s"
            " WHERE crawl_id = %s AND number = %s",
            [(LETTERS[c.state], _reason(c, kinds), crawl_id, c.number) for c in changed],
        )


def _reason(entry: Discovered | Changed, kinds: Mapping[int, str]) -> str:
    """Why a URL was excluded, or the kind of its last failure if it failed."""
    return kinds.get(entry.number, "") if entry.state is UrlState.FAILED else entry.reason


def _earlier_kinds(
    crawl_id: int, changed: Sequence[Changed], kinds: Mapping[int, str]
) -> dict[int, str]:
    """The last failures of URLs whose rows are written again after a restart."""
    missing = [c.number for c in changed if c.state is UrlState.FAILED and c.number not in kinds]
    if not missing:
        return {}
    rows = FailedRequest.objects.filter(crawl_id=crawl_id, number__in=missing)
    return dict(rows.order_by("request").values_list("number", "kind"))


def _page(crawl_id: int, page: PageRecord) -> dict[str, Any]:
    """The columns of `Page`."""
    answer, verdict = page.answer, page.verdict
    converted = answer.converted
    file, offset, length, digest = page.record or ("", 0, 0, digest_of(answer.body))
    return {
        "crawl_id": crawl_id,
        "seq": page.seq,
        "request": page.request,
        "number": page.number,
        "url": answer.url,
        "final_url": answer.final_url,
        "host": page.host,
        "http_status": answer.status or 0,
        "title": page.title,
        "words": page.words,
        "topicality": page.topicality,
        "status": page.status,
        "status_log": page.status_log,
        "votes": verdict.votes if verdict else None,
        "votes_of": verdict.of if verdict else None,
        "probability": verdict.probability if verdict else None,
        "relevant": verdict.relevant if verdict else None,
        "target": page.target,
        "seed": page.seed,
        "priority": page.priority,
        "parent": page.parent,
        "depth": page.depth,
        "needs_javascript": page.needs_javascript,
        "rendered": converted is not None and converted.kind is DocumentKind.PAGE,
        "kind": converted.kind if converted else DocumentKind.PAGE,
        "document_pages": converted.pages if converted else 0,
        "has_no_text": page.has_no_text,
        "truncated": answer.truncated or (converted is not None and converted.is_cut),
        "canonical": page.canonical,
        "fetched_at": connection.ops.adapt_datetimefield_value(moment(answer.fetched_at)),
        "seconds": answer.seconds,
        "in_hops": answer.sent is not None,
        "size": answer.size,
        "digest": digest,
        "file": file,
        "offset": offset,
        "length": length,
        "telemetry": json.dumps(page.telemetry),
        "site_lists": json.dumps(page.site_lists),
    }


def _write_hosts(crawl_id: int, batch: Batch, host_errors: dict[str, dict[str, int]]) -> None:
    for failure in batch.failures:
        kind = failure.answer.failure or ""
        if kind in SITE_LIST_ANSWERS:
            continue
        kinds = host_errors.setdefault(failure.host, {})
        kinds[kind] = kinds.get(kind, 0) + 1
    relevant: dict[str, int] = {}
    for page in batch.pages:
        if page.verdict and page.verdict.relevant:
            relevant[page.host] = relevant.get(page.host, 0) + 1
    scripts = Counter(page.host for page in batch.pages if page.needs_javascript)
    rows = [
        _host_row(
            crawl_id,
            host,
            relevant.get(host.host, 0),
            scripts[host.host],
            host_errors.get(host.host, {}),
        )
        for host in batch.hosts
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(_HOST_UPSERT, rows)


def _host_row(
    crawl_id: int, host: HostState, relevant: int, scripts: int, errors: dict[str, int]
) -> tuple[Any, ...]:
    next_allowed = timezone.now() + timedelta(seconds=host.wait) if host.wait else None
    return (
        crawl_id,
        host.host,
        host.pages,
        relevant,
        host.waiting,
        scripts,
        host.failures,
        json.dumps(errors),
        host.delay,
        connection.ops.adapt_datetimefield_value(next_allowed),
        host.blocked,
    )


# A person decides whether a host is excluded, so the engine's rows do not overwrite it.
_HOST_UPSERT = """
INSERT INTO crawls_hostrecord AS stored
    (crawl_id, host, pages, relevant, waiting, needs_javascript, failures, errors, delay,
     next_allowed, blocked, excluded)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, false)
ON CONFLICT (crawl_id, host) DO UPDATE SET
    pages = excluded.pages, relevant = stored.relevant + excluded.relevant,
    needs_javascript = stored.needs_javascript + excluded.needs_javascript,
    waiting = excluded.waiting, failures = excluded.failures, errors = excluded.errors,
    delay = excluded.delay, next_allowed = excluded.next_allowed, blocked = excluded.blocked
"""


def read_records(crawl: Crawl, change_kinds: Sequence[str]) -> CrawlRecords:
    """Reads the rows that the engine needs before a replay."""
    entries = list(crawl.frontier.order_by("number").values_list("url", "state"))
    now = timezone.now()
    return CrawlRecords(
        urls=[url for url, _ in entries],
        states=[ENTRIES[letter] for _, letter in entries],
        events=[
            EventRecord(event.request, event.pages, event.kind, event.payload)
            for event in crawl.events.filter(kind__in=change_kinds).order_by("seq")
        ],
        host_waits={
            host: (next_allowed - now).total_seconds()
            for host, next_allowed in crawl.hosts.filter(next_allowed__gt=now).values_list(
                "host", "next_allowed"
            )
            if next_allowed is not None
        },
    )


def requests_after(crawl: Crawl, request: int) -> list[Page | FailedRequest]:
    """Pages and failures after `request`, in the order of their requests."""
    pages = Page.every.filter(crawl=crawl, request__gt=request)
    failures = crawl.failed_requests.filter(request__gt=request)
    rows: list[Page | FailedRequest] = [*pages, *failures]
    return sorted(rows, key=lambda row: row.request)


def host_errors(crawl: Crawl) -> dict[str, dict[str, int]]:
    """Failures so far by host and kind."""
    return dict(HostRecord.objects.filter(crawl=crawl).values_list("host", "errors"))
