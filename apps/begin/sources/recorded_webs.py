"""Pages of the recorded webs that the person may read; the generated one, whose hosts do not exist,
only for a topic of its own. A web that is not indexed yet is indexed for it, unless it is large."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from apps.begin.models import Draft
from apps.begin.sources.source import CandidateSource, OfferedPage, SourceRequest
from apps.jobs.queue import UNFINISHED
from apps.search.stems import stemming
from apps.webs.models import PageIndexing, Web
from apps.webs.pages.indexing import is_indexed
from apps.webs.pages.searching import PageIndex
from apps.webs.pages.tasks import ask_for_index
from apps.webs.selectors import recorded_webs

PAGES_A_WEB = 12
MOST_PAGES = 400
"""Pages looked at for one word."""
MOST_INDEXED = 50_000
"""Pages of a web that is indexed unasked; a larger one is when its pages are first opened."""


def _ask(search: SourceRequest) -> Iterator[OfferedPage]:
    asked = " ".join(search.words)
    for web in _webs(search.draft):
        if is_indexed(web):
            urls = search.query(RECORDED_WEBS.id, asked, web.name, partial(_best, web, search))
            yield from (OfferedPage(url, f"recorded web {web.name}", web.pk) for url in urls)
        elif _can_be_searched(web):
            ask_for_index(web)


def awaited_indexes(draft: Draft) -> list[PageIndexing]:
    """The jobs under way after which the pages of further webs can be candidates."""
    jobs = PageIndexing.objects.filter(web__in=_webs(draft), job_state__in=UNFINISHED)
    return [job for job in jobs.select_related("web") if not is_indexed(job.web)]


def has_unasked_web(draft: Draft) -> bool:
    """Whether a web has been indexed since the draft's candidates were sought."""
    asked = set(draft.queries.filter(source=RECORDED_WEBS.id).values_list("address", flat=True))
    return any(web.name not in asked and is_indexed(web) for web in _webs(draft))


def _webs(draft: Draft) -> list[Web]:
    if draft.web is not None:
        return [draft.web] if draft.web.source != Web.Source.LIVE else []
    return list(recorded_webs(draft.owner).exclude(source=Web.Source.DEMO))


def _can_be_searched(web: Web) -> bool:
    """Whether it is indexed, or would be unasked."""
    return (web.pages or 0) <= MOST_INDEXED or is_indexed(web)


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
    needs_no_address=lambda draft: any(map(_can_be_searched, _webs(draft))),
)
