"""Begin looks into the sitemaps and feeds of the given sites."""

from __future__ import annotations

import pytest

from apps.begin.models import CandidatePage, Draft
from apps.begin.sources.site_lists import SITE_LISTS
from apps.begin.sources.source import SourceRequest
from apps.begin.tasks import keep
from apps.engine.answers import Answer

pytestmark = [pytest.mark.django_db, pytest.mark.alike]

PAGE = b'<link rel=alternate type="application/rss+xml" href="/news.rss"><p>words of a page'
SITEMAP = b"""<urlset><url><loc>http://site.test/heat-pump-in-school</loc></url>
<url><loc>http://site.test/imprint</loc></url></urlset>"""


def offers(draft: Draft) -> list[tuple[str, str]]:
    request = SourceRequest(draft, (), ("pump", "school"), lambda: True)
    return [(offer.url, offer.detail) for offer in SITE_LISTS.ask(request)]


def candidate(draft: Draft, url: str, source: str, detail: str) -> CandidatePage:
    return draft.candidates.create(url=url, host="site.test", source=source, detail=detail)


def answer(url: str, body: bytes) -> Answer:
    return Answer(url, url, 200, (("Content-Type", "text/html"),), body)


def test_it_asks_for_sitemap_and_feed_and_offers_the_entries_that_fit(owner) -> None:
    draft = Draft.objects.create(owner=owner)
    page = candidate(draft, "http://site.test/a", "given_sites", "your address")
    assert offers(draft) == []
    keep(page, answer(page.url, PAGE))
    sitemap, feed = "http://site.test/sitemap.xml", "http://site.test/news.rss"
    assert offers(draft) == [
        (sitemap, "the sitemap of site.test"),
        (feed, "a feed of site.test"),
    ]
    row = candidate(draft, sitemap, SITE_LISTS.id, "the sitemap of site.test")
    keep(row, answer(sitemap, SITEMAP))
    row.refresh_from_db()
    assert row.fetch == CandidatePage.FetchState.FAILED  # a list is no candidate
    first = offers(draft)[2]
    assert first == ("http://site.test/heat-pump-in-school", "named by the sitemap of site.test")
