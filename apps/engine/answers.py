"""Responses to the requests of a crawl."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from apps.engine.kinds import DocumentKind
from apps.engine.model import Document

Headers = tuple[tuple[str, str], ...]


class PackedRecord(NamedTuple):
    """An answer as one compressed record of the page store, and the digest of its body."""

    data: bytes
    digest: str


class Converted(NamedTuple):
    """A document as a page: its HTML in UTF-8, its kind, and how many pages it has (0 if its format
    has none). `is_cut`: a limit struck, and the rest is missing. Of kind `page` it is a page as its
    scripts have made it."""

    kind: DocumentKind
    html: bytes
    pages: int = 0
    is_cut: bool = False


class SentHop(NamedTuple):
    """One request of a fetch: `at` in Unix seconds; `size` is that of the body in bytes, as it was
    sent. Without an answer `status` is None and `failure` says why."""

    url: str
    at: float
    status: int | None = None
    size: int = 0
    failure: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the request for a URL, after all redirects.

    `url` is the canonical URL requested, `final_url` the canonical URL that answered, `hops` the
    canonical URLs in between. `body` is without its content encoding and cut to the maximum size
    (`truncated`). Without a usable answer, `failure` is a `Failure` value or `http_<status>`.
    `document` is the parsed page if the fetcher has it; the body may then be empty. `packed` is the
    answer's record if the fetcher has packed it; the body may then be in it alone
    (`page_store.records.with_body`). `converted` is the page that was made of a document.
    `fetched_at` is in Unix seconds, `seconds` the duration of the last request until its answer was
    read or had failed, `retry_after` in seconds. `size` is that of the body in bytes, as it was
    sent. `sent` are the requests of the fetch; None means one, answered by this.
    """

    url: str
    final_url: str
    status: int | None = None
    headers: Headers = ()
    body: bytes = b""
    hops: tuple[str, ...] = ()
    failure: str | None = None
    detail: str = ""
    truncated: bool = False
    fetched_at: float = 0.0
    seconds: float = 0.0
    retry_after: float | None = None
    document: Document | None = None
    packed: PackedRecord | None = None
    converted: Converted | None = None
    size: int = 0
    sent: tuple[SentHop, ...] | None = None

    @property
    def sent_hops(self) -> tuple[SentHop, ...]:
        """The requests of the fetch, in their order."""
        if self.sent is not None:
            return self.sent
        at, failure = self.fetched_at, self.failure
        return (SentHop(self.final_url, at, self.status, self.size, failure, self.retry_after),)

    def header(self, name: str) -> str | None:
        """The first header of that name, ignoring case."""
        return header_of(self.headers, name)

    def as_page(self) -> Answer:
        """The answer with a page as its body: what a document was converted to."""
        if self.converted is None:
            return self
        return replace(self, headers=_PAGE_HEADERS, body=self.converted.html, packed=None)


_PAGE_HEADERS = (("Content-Type", "text/html; charset=utf-8"),)


def header_of(headers: Headers, name: str) -> str | None:
    """The first header of that name, ignoring case."""
    wanted = name.lower()
    return next((value for key, value in headers if key.lower() == wanted), None)
