"""A SearXNG instance that an administrator names, asked for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.conf import settings

from apps.begin.sources.endpoint import EndpointProblem, get_json, host_of
from apps.begin.sources.source import CandidateSource, OfferedPage, SourceRequest

QUERIES = 3
RESULTS = 15
SETTING = "CRAWLSITE_SEARCH_ENGINE"
REFUSALS = {
    403: "{host} refuses to answer with JSON (403): add json to search.formats in its"
    " settings.yml.",
    429: "{host} answers no more queries for a while (429): its limiter can be told to pass this"
    " site.",
}


def _ask(search: SourceRequest) -> Iterator[OfferedPage]:
    for asked in search.phrases[:QUERIES]:
        send = partial(results, asked)
        urls = search.query(SEARXNG.id, asked, settings.SEARCH_ENGINE, send)
        yield from (OfferedPage(url, "search engine") for url in urls)


def results(asked: str) -> list[str]:
    """The addresses of the results. Raises EndpointProblem."""
    address = f"{settings.SEARCH_ENGINE.rstrip('/')}/search"
    answer = get_json(address, {"q": asked, "format": "json"}, SETTING, REFUSALS)
    rows = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        raise EndpointProblem(f"{host_of(address)} answered without a list of results.")
    urls = (row.get("url") for row in rows if isinstance(row, dict))
    return [url for url in urls if isinstance(url, str)][:RESULTS]


SEARXNG = CandidateSource(
    "searxng",
    "search engine",
    _ask,
    is_set_up=lambda: bool(settings.SEARCH_ENGINE),
    missing=f"none set up; an administrator names a SearXNG in {SETTING}",
    needs_no_address=lambda draft: bool(settings.SEARCH_ENGINE),
    sends_words_to=lambda: host_of(settings.SEARCH_ENGINE),
)
