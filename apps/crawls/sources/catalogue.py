"""Every source of pages; the first one for a web is its default."""

from __future__ import annotations

from collections.abc import Sequence

from apps.crawls.sources.live_web import LIVE_WEB
from apps.crawls.sources.recorded_web import RECORDED_WEB
from apps.crawls.sources.served_web import SERVED_WEB
from apps.crawls.sources.source import Source
from apps.webs.models import Web

SOURCES: tuple[Source, ...] = (LIVE_WEB, RECORDED_WEB, SERVED_WEB)


def sources_for(web: Web | None) -> Sequence[Source]:
    """The sources of a web's pages; None is the live Web."""
    is_live = web is None or not web.is_recorded
    return [source for source in SOURCES if source.is_live == is_live]


def source_of(web: Web | None, over: str | None = None) -> Source:
    """The source named by `over`, by default the first. Raises LookupError if the web's pages are
    not available in that way."""
    for source in sources_for(web):
        if over in (None, source.over):
            return source
    raise LookupError(over)


def overs() -> tuple[str, ...]:
    """The names of the sources."""
    return tuple(dict.fromkeys(source.over for source in SOURCES))
