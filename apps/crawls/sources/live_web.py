"""Pages of the live Web."""

from __future__ import annotations

from django.conf import settings

from apps.crawls.sources.source import Source, http_fetcher

LIVE_WEB = Source(
    id="live_web",
    over="http",
    is_live=True,
    title="Live web",
    sentence="Pages are fetched from the hosts of the Web, with pauses.",
    offer="fetch it over HTTP",
    words=lambda web: "Live web",
    politeness={"delay": 2.0, "concurrent": 32},
    make_fetcher=lambda web, opened, asking: http_fetcher(None, asking, agents=settings.AGENTS),
    is_reached_from_elsewhere=True,
)
