"""A crawl that left something out for most reasons."""

from __future__ import annotations

import pytest
from django.utils import timezone

from apps.crawls.models import Crawl, FailedRequest, FrontierEntry
from tests.crawl_rows import grow, made_crawl, made_event, made_host, made_topic
from tests.people import person

LEFT_OUT = (
    ("http://a.test/shut", "e", "robots", 0.8),
    ("http://a.test/private", "e", "noindex", 0.3),
    ("http://a.test/film.mp4", "e", "not_text", 0.1),
    ("http://b.test/gone", "e", "http_404", 0.75),
    ("http://b.test/slow", "e", "timeout", 0.72),
    ("http://b.test/busy", "e", "http_503", 0.2),
    ("http://c.test/", "e", "certificate", 0.4),
    ("http://d.test/wall", "e", "block_page", 0.6),
    ("http://a.test/sitemap.xml", "e", "no_site_list", 0.8),
    ("http://b.test/feed", "e", "site_list", 0.8),
    ("http://a.test/login?x", "x", "pattern", 0.22),
    ("http://a.test/deep/1", "x", "depth", 0.9),
    ("http://a.test/deep/2", "x", "depth", 0.5),
    ("http://a.test/copy", "x", "alias", 0.5),
    ("http://e.test/1", "w", "", 0.7),
    ("http://f.test/1", "w", "", 0.7),
)
FIRST = 1000


@pytest.fixture
def left(db: None) -> Crawl:
    """Twenty pages, the third of which needs JavaScript; host e.test is out, f.test waits."""
    crawl = grow(
        made_crawl(made_topic(person("ada")), state="finished", reason="budget_reached"), 20
    )
    pages = list(crawl.pages_fetched.all())
    FrontierEntry.objects.bulk_create(
        FrontierEntry(
            crawl=crawl, number=p.number, url=p.url, parent=-1, depth=0, priority=1, state="f"
        )
        for p in pages
    )
    crawl.pages_fetched.filter(seq=3).update(needs_javascript=True)
    for number, (url, state, reason, priority) in enumerate(LEFT_OUT, FIRST):
        FrontierEntry.objects.create(
            crawl=crawl,
            number=number,
            url=url,
            parent=pages[0].number,
            depth=1,
            priority=priority,
            state=state,
            reason=reason,
        )
        if state == "e":
            FailedRequest.objects.create(
                crawl=crawl,
                request=number,
                number=number,
                url=url,
                final_url=url,
                host=url.split("/")[2],
                kind=reason,
                detail="the certificate has expired" if reason == "certificate" else "",
                at=timezone.now(),
            )
    for host in "abcdef":
        made_host(crawl, f"{host}.test")
    crawl.hosts.filter(host="e.test").update(excluded=True)
    crawl.scope = {"deny_patterns": ["*login*"]}
    crawl.save()
    made_event(crawl, 1, "trap", rule="endless_path", place="a.test/x/", urls=0)
    return crawl
