"""The sitemaps and feeds of the given sites: the entries whose words fit."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from apps.begin.models import CandidatePage
from apps.begin.sources.given_sites import GIVEN_SITES, YOURS, best_links
from apps.begin.sources.source import CandidateSource, OfferedPage, SourceRequest
from apps.engine.codes import Failure
from apps.engine.crawl.fetching.site_lists import USUAL_ADDRESS
from apps.engine.parsing.document import parse_html
from apps.engine.urls import origin

MOST_FEEDS = 2
HEAD_BYTES = 16_384


def _ask(search: SourceRequest) -> Iterator[OfferedPage]:
    fetched = search.draft.candidates.filter(fetch=CandidatePage.FetchState.FETCHED)
    for page in fetched.filter(source=GIVEN_SITES.id, detail=YOURS):
        yield OfferedPage(origin(page.final_url) + USUAL_ADDRESS, f"the sitemap of {page.host}")
        head = zlib.decompress(page.body)[:HEAD_BYTES]
        for feed in parse_html(head, page.final_url).feeds[:MOST_FEEDS]:
            yield OfferedPage(feed, f"a feed of {page.host}")
    for site_list in search.draft.candidates.filter(failure=Failure.SITE_LIST):
        yield from best_links(site_list, search.words, f"named by {site_list.detail}"[:300])


SITE_LISTS = CandidateSource("site_lists", "sitemaps and feeds", _ask)
