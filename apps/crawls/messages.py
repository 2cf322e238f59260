"""The words a person reads for the engine's codes: what happened, and what to do about it.

Templates are filled from a crawl's row and its `reason_details`. A test holds every code of the
engine against this catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.crawls.models import Crawl
from apps.crawls.selectors import place_in_queue
from apps.engine import errors
from apps.engine.model import Exclusion, Failure, Need, State, StopReason


@dataclass(frozen=True, slots=True)
class Standing:
    """A crawl's state in words: `reason` is a sentence, `action` the next thing to do."""

    state: str
    reason: str
    action: str
    action_label: str


NAMED_SEEDS = 3

REASONS: dict[StopReason, tuple[str, str, str]] = {
    StopReason.WAITING_FOR_A_WORKER: ("waiting for a worker; it starts by itself", "", ""),
    StopReason.LEARNING: ("learning as it goes", "pause", "Pause"),
    StopReason.BUDGET_REACHED: (
        "budget reached: {pages:,} of {budget:,} pages; {waiting:,} links still wait.",
        "budget", "Raise budget"),
    StopReason.REQUEST_LIMIT: (
        "request limit reached: {requests:,} requests gave {pages:,} pages. "
        "Look at the fetch errors; raise the budget to go on.", "budget", "Raise budget"),
    StopReason.FRONTIER_EMPTY: (
        "queue empty after {pages:,} pages. Add seeds or widen the scope.", "seeds", "Add seeds"),
    StopReason.PAUSED_BY_USER: (
        "by you at page {pages:,}. Nothing is fetched; the queue is kept.", "resume", "Continue"),
    StopReason.STOPPED_BY_USER: (
        "stopped by you at page {pages:,}. Can be continued.", "resume", "Continue"),
    StopReason.DISK_FULL: (
        "disk nearly full. Free some space, then continue.", "resume", "Check again"),
    StopReason.NO_NETWORK: (
        "no network: no host could be reached. Continue when it is back.", "resume", "Continue"),
    StopReason.WEB_NOT_SERVED: (
        "the server of {web} does not answer. Start `manage.py serve_web {web}`, then continue.",
        "resume", "Try again"),
    StopReason.ALL_HOSTS_BLOCKED: (
        "every host with waiting links refuses us, asked for a long pause or is left out. "
        "The pages fetched are kept.", "resume", "Try again"),
    StopReason.NO_SEEDS: (
        "no seed gave a page{failed_seeds}. Add seeds that can be fetched.", "seeds", "Add seeds"),
    StopReason.NEEDS_MISSING: (
        "the strategy needs {need_words}, which the topic lacks. Add them, or choose another "
        "strategy.", "topic", "Open the topic"),
    StopReason.ENGINE_ERROR: (
        "a fault of ours stopped it ({code}: {detail}). Its pages are kept; continue to try "
        "again.", "resume", "Try again"),
}

NEEDS: dict[Need, str] = {
    Need.KEYWORDS: "keywords",
    Need.EXAMPLES: "positive and negative examples",
    Need.INLINKS: "in-link counts for some positive examples",
    Need.BACKLINKS: "pages that link to the examples",
    Need.CORPUS: "a corpus of unlabelled pages",
    Need.TAXONOMY: "a taxonomy of topics",
    Need.CRAWL: "an earlier crawl",
}

NEEDS_IN_SHORT: dict[Need, str] = NEEDS | {
    Need.EXAMPLES: "examples",
    Need.INLINKS: "in-link counts",
    Need.BACKLINKS: "back-link pages",
    Need.CORPUS: "corpus",
    Need.TAXONOMY: "taxonomy",
}

FAILURES: dict[Failure, str] = {
    Failure.BAD_URL: "no web address",
    Failure.DNS: "host unknown",
    Failure.CONNECT: "no connection",
    Failure.TLS: "certificate not valid",
    Failure.TIMEOUT: "timed out",
    Failure.PROTOCOL: "answer not understood",
    Failure.ADDRESS_REFUSED: "private address, refused",
    Failure.TOO_MANY_REDIRECTS: "too many redirects",
    Failure.REDIRECT_TO_KNOWN: "redirects to a page already fetched",
    Failure.REDIRECT_OUT_OF_SCOPE: "redirects out of scope",
    Failure.ROBOTS: "robots.txt says no",
    Failure.ROBOTS_UNREACHABLE: "robots.txt cannot be read",
    Failure.NOT_TEXT: "not text",
    Failure.NOINDEX: "asks not to be indexed",
    Failure.BLOCK_PAGE: "block page",
    Failure.EMPTY: "empty",
}

EXCLUSIONS: dict[Exclusion, str] = {
    Exclusion.SCHEME: "not http or https",
    Exclusion.HOST_DENIED: "host left out by the scope",
    Exclusion.HOST_NOT_ALLOWED: "host not among those allowed",
    Exclusion.PATTERN: "matches a pattern left out",
    Exclusion.EXTENSION: "file type is no text",
    Exclusion.DEPTH: "too far from the seeds",
    Exclusion.HOST_LIMIT: "enough pages of that host",
    Exclusion.TRAP: "spider trap",
    Exclusion.REJECTED_BY_STRATEGY: "rejected by the strategy",
    Exclusion.FRONTIER_CAP: "queue is full",
    Exclusion.ALIAS: "same page as another address",
}

ERRORS: dict[str, str] = {
    errors.EngineError.code: "The engine stopped: {detail}.",
    errors.BadURL.code: "{detail} is no web address. Give one that begins with http:// or https://.",
    errors.BadParameter.code: "{detail}.",
    errors.UnknownStrategy.code: "{detail}. `manage.py strategies` lists them.",
    errors.NeedsMissing.code: "The topic lacks something the strategy needs: {detail}.",
    errors.AddressRefused.code: "{detail} is a private address; it is not fetched.",
    errors.BadWebFile.code: "The file cannot be read as a web: {detail}.",
    errors.BadCheckpoint.code: "The checkpoint cannot be read: {detail}.",
    errors.ReplayDiverged.code: "The crawl could not be brought back exactly: {detail}.",
}


def failure_words(kind: str) -> str:
    """A kind of failed request in words."""
    if kind.startswith("http_"):
        status = kind.removeprefix("http_")
        return {"404": "404 not found", "403": "403 forbidden", "410": "410 gone",
                "429": "429 too many requests"}.get(status, f"status {status}")
    return FAILURES[Failure(kind)]


def error_words(error: errors.EngineError) -> str:
    """An engine error as a sentence."""
    return ERRORS[error.code].format(detail=error.detail)


def standing(crawl: Crawl) -> Standing:
    """What the crawl's pill, its reason and its button say."""
    if crawl.state == State.DRAFT:
        return Standing(crawl.state, "not started.", "start", "Start")
    if crawl.state == State.STOPPING:
        return Standing(crawl.state, "finishing the requests under way; a few seconds.", "", "")
    words, action, label = REASONS[StopReason(crawl.reason)]
    if crawl.state == State.RUNNING and crawl.desired == Crawl.Desired.PAUSE:
        words, action = "pausing: finishing the requests under way.", ""
    ahead = place_in_queue(crawl)
    if crawl.state == State.QUEUED and crawl.runner:
        words = "a worker has taken it and trains its models; a few seconds"
    elif ahead:
        noun = "crawl is" if ahead == 1 else "crawls are"
        words = f"waiting for a worker: {ahead} {noun} ahead; it starts by itself"
    return Standing(crawl.state, _filled(words, crawl), action, label if action else "")


def _failed_seeds(crawl: Crawl) -> str:
    """`: http://a.test/ (host unknown), http://b.test/ (404 not found) and 3 more`."""
    last = {failed.url: failed.kind for failed in crawl.failed_requests.order_by("request")}
    said = [f"{url[:200]} ({failure_words(kind)})" for url, kind in last.items()][:NAMED_SEEDS]
    more = [f"{len(last) - len(said):,} more"] if len(last) > len(said) else []
    return ": " + " and ".join([", ".join(said), *more]) if said else ""


def _filled(words: str, crawl: Crawl) -> str:
    details = crawl.reason_details
    need = details.get("need")
    return words.format(
        pages=crawl.pages,
        budget=crawl.budget,
        waiting=crawl.waiting,
        requests=crawl.requests,
        need_words=NEEDS[Need(need)] if need else "something",
        web=details.get("web", ""),
        code=details.get("code", ""),
        detail=details.get("detail", ""),
        failed_seeds=_failed_seeds(crawl) if crawl.reason == StopReason.NO_SEEDS else "",
    )
