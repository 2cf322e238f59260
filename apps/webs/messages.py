"""Failed requests and errors of the engine in words."""

from __future__ import annotations

from apps.engine import errors
from apps.engine.codes import Failure
from apps.stored_files.errors import StoreDown

FAILURES: dict[Failure, str] = {
    Failure.BAD_URL: "not a web address",
    Failure.DNS: "host unknown",
    Failure.CONNECT: "no connection",
    Failure.INTERRUPTED: "connection broke off",
    Failure.TLS: "no secure connection",
    Failure.CERTIFICATE: "certificate not valid",
    Failure.TIMEOUT: "timed out",
    Failure.PROTOCOL: "not a valid HTTP answer",
    Failure.ADDRESS_REFUSED: "private address, refused",
    Failure.TOO_MANY_REDIRECTS: "too many redirects",
    Failure.REDIRECT_TO_KNOWN: "redirects to a page already fetched",
    Failure.REDIRECT_OUT_OF_SCOPE: "redirects out of scope",
    Failure.ROBOTS: "disallowed by robots.txt",
    Failure.ROBOTS_UNREACHABLE: "robots.txt cannot be read",
    Failure.NOT_TEXT: "not text",
    Failure.ENCRYPTED: "encrypted document",
    Failure.BROKEN_DOCUMENT: "broken document",
    Failure.TOO_LARGE: "document too large",
    Failure.NOINDEX: "asks not to be indexed",
    Failure.RESERVED: "a use is reserved",
    Failure.OTHER_LANGUAGE: "in another language",
    Failure.DUPLICATE: "another address of a page already fetched",
    Failure.BLOCK_PAGE: "test for robots",
    Failure.TOO_COMPLEX: "too complex",
    Failure.EMPTY: "empty",
    Failure.SITE_LIST: "sitemap or feed, read for its addresses",
    Failure.NO_SITE_LIST: "no sitemap or feed at the address",
    Failure.NOT_MODIFIED: "unchanged since the last visit",
}

ERRORS: dict[str, str] = {
    errors.EngineError.code: "The engine stopped: {detail}.",
    errors.BadURL.code: "{detail} is not a web address. An address looks like"
    " https://www.example.org/page.",
    errors.BadParameter.code: "{detail}.",
    errors.UnknownStrategy.code: "{detail}. `crawlsite strategies` lists them.",
    errors.NeedsMissing.code: "The topic lacks something the strategy needs: {detail}.",
    errors.AddressRefused.code: "{detail} is a private address, which crawls do not fetch.",
    errors.BadLine.code: "{detail}.",
    errors.BadWebFile.code: "The file cannot be read as a web: {detail}.",
    errors.BadCheckpoint.code: "The checkpoint cannot be read: {detail}.",
    StoreDown.code: "{detail}.",
    errors.ReplayDiverged.code: "The crawl could not be brought back exactly: {detail}.",
}


def failure_words(kind: str) -> str:
    """A kind of failed request in words."""
    if kind.startswith("http_"):
        status = kind.removeprefix("http_")
        return {
            "404": "404 not found",
            "403": "403 forbidden",
            "410": "410 gone",
            "429": "429 too many requests",
        }.get(status, f"status {status}")
    return FAILURES[Failure(kind)]


def error_words(error: errors.EngineError) -> str:
    """An engine error as a sentence."""
    sentence = ERRORS[error.code].format(detail=error.detail)
    return sentence[0].upper() + sentence[1:]
