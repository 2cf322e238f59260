"""Messages between a crawl and its rendering process, and the limits on rendering."""

from __future__ import annotations

from typing import NamedTuple

from apps.engine.answers import Headers

DEADLINE_SECONDS = 150.0
"""After so long for a page the process is killed."""
LOADING_SECONDS = 120.0
"""A page may load for so long, the pauses of its hosts included."""
IDLE_SECONDS = 10.0
"""A page that neither ends nor asks for anything is taken as it is after so long."""
QUIET_SECONDS = 0.8
"""A page that has loaded and asked for nothing for so long is complete."""
MOST_REQUESTS = 30
"""Requests of one page."""
MOST_HTML = 5 * 2**20
MEMORY_BYTES = 3 * 2**29
"""Of Chromium and its driver together; beyond it the process ends."""
PAGES_A_BROWSER = 50


class RenderOrder(NamedTuple):
    """A page to render, as it was fetched; `memory` is how many bytes that may take."""

    url: str
    status: int
    headers: Headers
    body: bytes
    user_agent: str
    chromium: str
    memory: int = MEMORY_BYTES


class RenderingCost(NamedTuple):
    """Seconds of processor time of the rendering process with Chromium, and by the clock."""

    processor: float = 0.0
    clock: float = 0.0


class PartRequest(NamedTuple):
    """A request that the page makes, by its number in the page."""

    number: int
    url: str


class PartAnswer(NamedTuple):
    """The answer to it; a status of 0 refuses it."""

    number: int
    status: int
    headers: Headers = ()
    body: bytes = b""


class RenderedPage(NamedTuple):
    """The page once its scripts have run, and how many requests it made."""

    html: bytes
    requests: int
