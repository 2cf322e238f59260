"""The given addresses, and the links of their pages whose words fit."""

from __future__ import annotations

from collections.abc import Iterator

from apps.begin.models import CandidatePage
from apps.begin.page_words import stem
from apps.begin.sources.source import CandidateSource, OfferedPage, SourceRequest
from apps.engine.parsing.words import words
from apps.lists.limits import BadList
from apps.lists.reading import read_list

MOST_ADDRESSES = 40
LINKS_A_PAGE = 12
YOURS = "your address"


def _ask(search: SourceRequest) -> Iterator[OfferedPage]:
    yield from _addresses(search)
    pages = search.draft.candidates.filter(
        source=GIVEN_SITES.id, fetch=CandidatePage.FetchState.FETCHED
    )
    for page in pages.filter(detail=YOURS):
        yield from best_links(page, search.words, f"a link of {page.host}")


def _addresses(search: SourceRequest) -> Iterator[OfferedPage]:
    """Each address; a bare domain that does not answer over HTTPS also over HTTP."""
    try:
        entries = read_list(search.draft.addresses).entries[:MOST_ADDRESSES]
    except BadList:
        return
    failed = set(
        search.draft.candidates.filter(fetch=CandidatePage.FetchState.FAILED).values_list(
            "url", flat=True
        )
    )
    for entry in entries:
        yield OfferedPage(entry.url, YOURS)
        if entry.completed and entry.key in failed:
            yield OfferedPage("http://" + entry.url.removeprefix("https://"), YOURS)


def best_links(page: CandidatePage, wanted: tuple[str, ...], detail: str) -> Iterator[OfferedPage]:
    """The links of a page whose anchor or address has the most of the wanted words, then those in
    its text's order."""
    stems = {stem(word, page.language) for word in wanted}

    def score(link: list[str]) -> int:
        listed = {stem(word, page.language) for word in words(" ".join(link))}
        return -len(listed & stems)

    for url, _ in sorted(page.links, key=score)[:LINKS_A_PAGE]:
        yield OfferedPage(url, detail)


GIVEN_SITES = CandidateSource("given_sites", "your sites", _ask)
