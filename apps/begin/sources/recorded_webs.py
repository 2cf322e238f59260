"""Pages of the recorded webs that the person may read and that are indexed; the generated one,
whose hosts do not exist, only for a topic of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from apps.begin.models import Draft
from apps.begin.sources.source import CandidateSource, OfferedPage, SourceRequest
from apps.search.stems import stemming
from apps.webs.models import Web
from apps.webs.pages.indexing import is_indexed
from apps.webs.pages.searching import PageIndex
from apps.webs.selectors import recorded_webs

PAGES_A_WEB = 12
MOST_PAGES = 400
"""Pages looked at for one word."""


def _ask(search: SourceRequest) -> Iterator[OfferedPage]:
    asked = " ".join(search.words)
    for web in _webs(search.draft):
        urls = search.query(RECORDED_WEBS.id, asked, web.name, partial(_best, web, search))
        yield from (OfferedPage(url, f"recorded web {web.name}", web.pk) for url in urls)


def _webs(draft: Draft) -> list[Web]:
    others = recorded_webs(draft.owner).exclude(source=Web.Source.DEMO)
    return [web for web in ([draft.web] if draft.web else others) if is_indexed(web)]


def _best(web: Web, search: SourceRequest) -> list[str]:
    """The pages with the most of the words; of words alike rare ones count more."""
    weights: dict[int, float] = {}
    with PageIndex(web) as index:
        stem = stemming(index.language or None)
        for word in search.words:
            pages = index.pages_with(stem(word).replace('"', ""), MOST_PAGES)
            for number in pages:
                weights[number] = weights.get(number, 0.0) + 1 / (1 + len(pages) / MOST_PAGES)
        best = sorted(weights, key=lambda number: (-weights[number], number))[:PAGES_A_WEB]
        return [page.url for page in index.pages(best)]


RECORDED_WEBS = CandidateSource(
    "recorded_webs",
    "recorded webs",
    _ask,
    needs_no_address=lambda draft: bool(_webs(draft)),
)
