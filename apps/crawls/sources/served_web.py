"""Pages of a recorded web, fetched over HTTP from this machine's own web server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from apps.crawls.sources.source import Asking, Source, http_fetcher
from apps.engine.networking.webs.virtual_web import Web as EngineWeb
from apps.webs.models import Web
from apps.webs.serving import HOST, wait_until_served

if TYPE_CHECKING:
    from apps.engine.networking.fetcher import Fetcher

# The server of a web may be starting at the same time as the workers.
SERVER_SECONDS = 20.0


def _refusal(web: Web) -> str:
    if web.served_port is not None:
        return ""
    return f"{web.name} is not served: start `crawlsite serve_web {web.name}` first."


def _fetcher(web: Web, opened: EngineWeb | None, asking: Asking) -> Fetcher:
    from apps.engine.networking.connections import Served

    assert opened is not None
    served = Served(frozenset(opened.hosts), HOST, web.served_port or 0)
    return http_fetcher(served, asking, agents=settings.AGENTS)


# It answers at once and has few hosts: with many requests under way, one for each host, a crawl
# would have to take the hosts in turn, whatever its links are worth.
SERVED_WEB = Source(
    id="served_web",
    over="http",
    is_live=False,
    title="Served web",
    sentence="Pages of a recorded web are fetched over HTTP from this machine's own web server.",
    offer="fetch it over HTTP from this machine’s own web server, with pauses",
    words=lambda web: f"Web {web.name} over HTTP",
    politeness={"delay": 0.05, "concurrent": 4},
    make_fetcher=_fetcher,
    refusal=_refusal,
    wait=lambda web: wait_until_served(web, SERVER_SECONDS),
)
