"""Rows of a crawl as its runner would leave them, without running one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.crawls.heat import Heat
from apps.crawls.models import Crawl, Event, HostRecord, Page, Sample
from apps.engine.codes import State, StopReason
from apps.topics.models import Example, Seed, Target, Topic
from apps.webs.models import Web


def made_topic(owner: User, name: str = "Sourdough") -> Topic:
    """A topic with keywords, three seeds, examples of both kinds and four targets."""
    topic = Topic.objects.create(owner=owner, name=name, keywords=["sourdough", "levain"])
    for i in range(3):
        Seed.objects.create(topic=topic, url=f"http://seed{i}.test/", position=i)
    for i in range(8):
        Example.objects.create(
            topic=topic,
            url=f"http://example{i}.test/",
            relevant=i < 4,
            fetch=Example.Fetch.FETCHED,
        )
    Target.objects.bulk_create(
        [Target(topic=topic, url=f"http://target{i}.test/") for i in range(4)]
    )
    return topic


def made_crawl(topic: Topic, **values: Any) -> Crawl:
    """A running crawl of the live Web, unless `values` say otherwise."""
    web, _ = Web.objects.get_or_create(name="live", source=Web.Source.LIVE)
    defaults: dict[str, Any] = {
        "owner": topic.owner,
        "topic": topic,
        "web": web,
        "strategy": "adaptive_utility",
        "parameters": {"delta": 0.7},
        "budget": 1000,
        "request_limit": 5000,
        "random_seed": 7,
        "state": State.RUNNING,
        "reason": StopReason.LEARNING,
        "started_at": timezone.now(),
        "judged_by": "committee",
    }
    return Crawl.objects.create(**{**defaults, **values})


def metrics_at(pages: int, **changes: Any) -> dict[str, Any]:
    """Measures that move with `pages`, so that every sample differs."""
    wave = 0.1 * math.sin(pages / 37)
    return {
        "pages": pages,
        "harvest_rate": 0.6 + wave / 2,
        "harvest_recent": 0.6 + wave,
        "target_recall": min(1.0, pages / 4000),
        "targets_found": pages // 1000,
        "targets": 4,
        "average_status": None,
        "average_status_estimated": 2.5 + wave,
        "status_recent": 2.4,
        "mean_tau": 0.7 + wave,
        "alpha": 0.5 + wave,
        "delta": 0.7,
        "pages_per_second": 5.0,
        "active_seconds": pages / 5,
    } | changes


def grow(crawl: Crawl, pages: int, **metrics: Any) -> Crawl:
    """Brings a crawl to that many pages in one commit: pages, a sample every ten, its own row."""
    before = crawl.pages
    samples = range(before // 10 + 1, pages // 10 + 1)
    with transaction.atomic():
        Page.objects.bulk_create([made_page(crawl, n) for n in range(before + 1, pages + 1)])
        Sample.objects.bulk_create(
            [
                Sample(
                    crawl=crawl,
                    seq=seq,
                    pages=10 * seq,
                    at=timezone.now(),
                    metrics=metrics_at(10 * seq, **metrics),
                )
                for seq in samples
            ]
        )
        heat = Heat.of(crawl.heat)
        for _ in range(before, pages):
            heat.add(0.8, 0.6)
        Crawl.objects.filter(pk=crawl.pk).update(
            heat=asdict(heat),
            pages=pages,
            requests=pages + pages // 10,
            waiting=5 * pages,
            errors={"http_404": pages // 10},
            failed=pages // 10,
            commits=F("commits") + 1,
            metrics=metrics_at(pages, **metrics),
            seconds=pages / 5,
            queue_head=[
                {
                    "number": 1,
                    "url": "http://a.test/next",
                    "priority": 0.87,
                    "parents": 2,
                    "wait": 0.0,
                }
            ],
        )
    crawl.refresh_from_db()
    return crawl


def sampled(crawl: Crawl, harvest: Mapping[int, float | None], **metrics: Any) -> Crawl:
    """Gives a crawl a sample at each of these numbers of pages, with that harvest rate, one second
    a page and no pages; its row stands at the last. A list among `metrics` has a value a sample."""
    rows = []
    for position, (pages, rate) in enumerate(harvest.items()):
        own = {
            name: value[position] if isinstance(value, list) else value
            for name, value in metrics.items()
        }
        rows.append({"harvest_rate": rate, "active_seconds": pages, **own})
    ends = [*harvest][-1]
    Sample.objects.bulk_create(
        [
            Sample(crawl=crawl, seq=seq, pages=pages, at=timezone.now(), metrics=row)
            for seq, (pages, row) in enumerate(zip(harvest, rows, strict=True), 1)
        ]
    )
    Crawl.objects.filter(pk=crawl.pk).update(
        pages=ends, seconds=ends, metrics=rows[-1], commits=F("commits") + 1
    )
    crawl.refresh_from_db()
    return crawl


def made_page(crawl: Crawl, seq: int, **values: Any) -> Page:
    """An unsaved page, relevant by two votes of three."""
    defaults: dict[str, Any] = {
        "crawl": crawl,
        "seq": seq,
        "request": seq,
        "number": seq,
        "host": "a.test",
        "url": f"http://a.test/{seq}",
        "final_url": f"http://a.test/{seq}",
        "http_status": 200,
        "title": f"Page {seq}",
        "words": 300,
        "topicality": 0.8,
        "status": 0.6,
        "votes": 2,
        "votes_of": 3,
        "probability": 0.7,
        "relevant": True,
        "priority": 0.5,
        "parent": -1,
        "depth": 1,
        "fetched_at": timezone.now(),
        "seconds": 0.1,
        "digest": "d",
        "file": "f",
        "offset": 0,
        "length": 1,
    }
    return Page(**{**defaults, **values})


def made_event(crawl: Crawl, seq: int, kind: str, pages: int = 0, **payload: Any) -> Event:
    """A stored event."""
    return Event.objects.create(
        crawl=crawl,
        seq=seq,
        request=pages,
        pages=pages,
        kind=kind,
        payload=payload,
        at=timezone.now(),
    )


def made_host(crawl: Crawl, host: str, **values: Any) -> HostRecord:
    """A stored host that may be asked now."""
    return HostRecord.objects.create(**{"crawl": crawl, "host": host, "waiting": 3, **values})
