"""The bench of screens makes a site in which every screen has something to read, and reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.collection.models import Entry, MainText
from apps.crawls.models import Crawl, FrontierEntry, Page
from apps.crawls.pages.bodies import Bodies
from apps.research.bench.screens.asked import WORD, asked_addresses
from apps.research.bench.screens.large_site import make_large_site
from apps.research.bench.screens.timing import time_screens
from apps.webs.models import Web
from apps.webs.opening import open_web
from apps.webs.pages.indexing import is_indexed

PAGES, CRAWLS = 180, 20


@pytest.mark.django_db(transaction=True)
def test_it_makes_a_site_whose_screens_all_answer(data_dir: Path, tmp_path: Path) -> None:
    (folder := tmp_path / "files").mkdir()
    site = make_large_site(folder, PAGES, CRAWLS)
    crawl = site.crawl
    pages = Page.objects.filter(crawl=crawl)
    assert pages.count() == crawl.pages > 0.9 * PAGES
    assert [page.seq for page in pages] == [*range(1, crawl.pages + 1)]
    assert FrontierEntry.objects.filter(crawl=crawl).count() == crawl.discovered
    assert len({page.host for page in pages}) > len(
        {page.host for page in pages[: crawl.pages // 3]}
    )
    for rows in (Entry, MainText):
        kept = rows.objects.filter(crawl=crawl).values_list("page_id", flat=True)
        assert {*kept} == {page.pk for page in pages}
    assert Crawl.objects.exclude(pk=crawl.pk).filter(pages=25).count() == CRAWLS
    assert site.web.pages == open_web(site.web).count == PAGES and is_indexed(site.web)
    with Bodies(crawl) as bodies:
        assert bodies.answer(pages[crawl.pages - 1]).body.startswith(b"<title>Copy 2</title>")

    addresses = asked_addresses(site)
    lines: list[str] = []
    timed = {each.address: each for each in time_screens(site.owner, addresses, 1, lines.append)}
    assert [line.split()[-1] for line in lines[: len(addresses)]] == addresses
    assert [line[:12] for line in lines[len(addresses) :]] == ["round 0 of 1", "round 1 of 1"]
    assert timed.keys() == {*addresses}
    assert {at: each.status for at, each in timed.items() if each.status >= 500} == {}
    lost = {at for at, each in timed.items() if each.status == 404}
    assert lost == set()
    shown = timed[f"/topics/{site.topic.pk}/collection/?q={WORD}"]
    assert shown.status == 200 and shown.kilobytes > 1 and shown.median.cpu > 0
    assert Web.objects.get(pk=site.web.pk).pages == PAGES
