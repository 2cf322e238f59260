"""A web archive's CDX index that an administrator names: addresses that hold the words, on the
given hosts and those that they link to."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial

from django.conf import settings

from apps.begin.models import CandidatePage
from apps.begin.sources.endpoint import EndpointProblem, get_json, host_of
from apps.begin.sources.given_sites import GIVEN_SITES
from apps.begin.sources.source import CandidateSource, OfferedPage, SourceRequest
from apps.engine.urls import host

HOSTS = 8
ADDRESSES = 10
SHORTEST = 4
PAUSE = 2.0
SETTING = "CRAWLSITE_WEB_ARCHIVE"


def _ask(search: SourceRequest) -> Iterator[OfferedPage]:
    held = [word for word in search.words if len(word) >= SHORTEST]
    if not held:
        return
    for name in _hosts(search):
        if not search.heartbeat():
            return
        asked = f"{name}: {' '.join(held)}"
        send = partial(addresses, name, held, PAUSE)
        urls = search.query(WEB_ARCHIVE.id, asked, settings.WEB_ARCHIVE, send)
        yield from (OfferedPage(url, "web archive index") for url in urls)


def _hosts(search: SourceRequest) -> list[str]:
    """The given hosts, then those that their pages link to most often."""
    pages = search.draft.candidates.filter(
        source=GIVEN_SITES.id, fetch=CandidatePage.FetchState.FETCHED
    )
    given = list(dict.fromkeys(page.host for page in pages))
    linked = Counter(host(url) for page in pages for url, _ in page.links)
    return list(dict.fromkeys([*given, *(name for name, _ in linked.most_common())]))[:HOSTS]


def addresses(name: str, held: list[str], pause: float) -> list[str]:
    """The addresses of a host that hold one of the words, after a pause. Raises EndpointProblem."""
    time.sleep(pause)
    any_word = "|".join(re.escape(word) for word in held)
    params = {
        "url": name,
        "matchType": "host",
        "output": "json",
        "fl": "original",
        "filter": f"original:(?i).*({any_word}).*",
        "collapse": "urlkey",
        "limit": str(ADDRESSES),
    }
    rows = get_json(settings.WEB_ARCHIVE, params, SETTING)
    if not isinstance(rows, list):
        raise EndpointProblem(f"{host_of(settings.WEB_ARCHIVE)} answered without a list.")
    cells = (row[0] for row in rows[1:] if isinstance(row, list) and row)
    return [cell for cell in cells if isinstance(cell, str)]


WEB_ARCHIVE = CandidateSource(
    "web_archive",
    "web archive index",
    _ask,
    is_set_up=lambda: bool(settings.WEB_ARCHIVE),
    missing=f"none set up; an administrator names a CDX index in {SETTING}",
    sends_words_to=lambda: host_of(settings.WEB_ARCHIVE),
)
