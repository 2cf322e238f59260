"""The log of requests besides those of pages and failures, and of each robots.txt read."""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import urlsplit

from apps.engine.answers import Answer, SentHop
from apps.engine.codes import Failure, SentFor
from apps.engine.events import RobotsReading, SideRequest
from apps.engine.urls import origin

MOST_ROBOTS = 100 * 1024
"""The bytes of a robots.txt that are stored; its rules are read further."""


class RequestLog:
    """The requests sent since the last batch, except those logged as pages or failures."""

    def __init__(self) -> None:
        self._requests: list[SideRequest] = []
        self._readings: list[RobotsReading] = []

    def note_fetch(self, answer: Answer) -> None:
        """Notes the requests of a fetch of several, or of none."""
        for hop in answer.sent or ():
            self._requests.append(SideRequest(SentFor.PAGE, hop))

    def note_robots(self, url: str, answer: Answer) -> None:
        """Notes what was read of a robots.txt."""
        body = answer.body if answer.failure in (None, Failure.EMPTY) else b""
        reading = RobotsReading(
            origin(url),
            answer.fetched_at,
            answer.status,
            answer.failure or "",
            sha256(body).hexdigest() if body else "",
            body[:MOST_ROBOTS],
            len(body),
        )
        self._readings.append(reading)

    def note_site_file(self, answer: Answer) -> None:
        """Notes the requests for a robots.txt or another file about the site."""
        is_robots = urlsplit(answer.url).path == "/robots.txt"
        self._note(SentFor.ROBOTS if is_robots else SentFor.SITE_FILE, answer)

    def note_probe(self, answer: Answer) -> None:
        """Notes a test of whether a host can be reached."""
        self._note(SentFor.PROBE, answer)

    def note_cut(self, url: str, at: float) -> None:
        """Notes a request that was broken off while the crawl paused or ended."""
        hop = SentHop(url, at, failure=Failure.INTERRUPTED)
        self._requests.append(SideRequest(SentFor.PAGE, hop))

    def _note(self, purpose: SentFor, answer: Answer) -> None:
        self._requests += [SideRequest(purpose, hop) for hop in answer.sent_hops]

    def drain(self) -> tuple[tuple[SideRequest, ...], tuple[RobotsReading, ...]]:
        """Returns what was noted, and forgets it."""
        requests, self._requests = tuple(self._requests), []
        readings, self._readings = tuple(self._readings), []
        return requests, readings
