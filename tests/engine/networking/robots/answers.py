"""Answers to requests for robots.txt."""

from __future__ import annotations

from apps.engine.answers import Answer

AGENT = "Crawlsite/1.0 (+https://example.org/about)"
HOST = "http://host.test"


def answered(
    body: str | bytes = "", status: int | None = 200, failure: str | None = None
) -> Answer:
    data = body.encode() if isinstance(body, str) else body
    return Answer(f"{HOST}/robots.txt", f"{HOST}/robots.txt", status, body=data, failure=failure)
