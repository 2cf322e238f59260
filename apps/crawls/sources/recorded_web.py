"""Pages of a recorded web, read from this machine's disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.crawls.sources.source import Asking, Source
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.networking.webs.virtual_web import Web as EngineWeb
from apps.webs.models import Web

if TYPE_CHECKING:
    from apps.engine.networking.fetcher import Fetcher


def _fetcher(web: Web, opened: EngineWeb | None, asking: Asking) -> Fetcher:
    assert opened is not None
    return RecordedFetcher(opened, asking.max_body)


RECORDED_WEB = Source(
    id="recorded_web",
    over="record",
    is_live=False,
    title="Recorded web",
    sentence="Pages are read from this machine's disk, without pauses; no requests are sent.",
    offer="read it from this machine’s disk",
    words=lambda web: f"Recorded web {web.name}",
    politeness={"delay": 0.05, "concurrent": 4},
    fixed={"delay": 0.0},
    make_fetcher=_fetcher,
    keeps_pages=False,
)
