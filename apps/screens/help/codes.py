"""The meaning of every code of the engine for an analyst, and what to do about it.

The short words on the screens are those of `crawls.messages`; these are the explanations. A test
compares these tables with the codes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.crawls.inputs.needs import strategy_needs
from apps.crawls.messages import EXCLUSIONS, REASONS
from apps.engine.codes import Exclusion, Failure, State, StopReason
from apps.webs.messages import FAILURES


@dataclass(frozen=True, slots=True)
class Code:
    """A code with its words on the screens and its meaning."""

    id: str
    words: str
    meaning: str


STATES: dict[State, str] = {
    State.DRAFT: "Set up and not started. Nothing is fetched; the topic is frozen as it is when"
    " you start.",
    State.QUEUED: "Waits for a worker. As many crawls run at once as there are workers; the others"
    " start automatically when one is free.",
    State.RUNNING: "Fetches pages. You may close the browser; it goes on.",
    State.PAUSED: "Nothing is fetched; the frontier and what was learned are kept. The reason says "
    "who or what paused it.",
    State.STOPPING: "Finishes the requests under way, a few seconds at most.",
    State.FINISHED: "Has ended, for the reason given. It can be continued with a larger budget, "
    "more seeds or a wider scope.",
    State.FAILED: "Could not go on. Its pages are kept; the reason says what to correct.",
}

_REASONS: dict[StopReason, str] = {
    StopReason.WAITING_FOR_A_WORKER: "All workers are busy with other crawls.",
    StopReason.LEARNING: "All is well.",
    StopReason.BUDGET_REACHED: "The crawl has fetched as many pages as you asked for. If the "
    "recent harvest rate is still high, a larger budget is worth it.",
    StopReason.REQUEST_LIMIT: "So many requests failed that the limit on requests came before "
    "the budget. The list of fetch errors says which hosts and why.",
    StopReason.HOURS_REACHED: "The crawl has been at work for as long as you allowed; pauses do "
    "not count.",
    StopReason.RECALL_ESTIMATE_REACHED: "The crawl has found the share of the topic’s targets that "
    "you asked for, which estimates its recall if the targets are a fair sample of the relevant "
    "pages. Of a topic without targets it has found as much, in 95 of 100 cases, of the relevant "
    "pages within reach.",
    StopReason.LITTLE_LEFT: "The next 1,000 requests should add fewer relevant pages than you "
    "asked for. The estimate continues the rate at which relevant pages have become rarer; a site "
    "that nothing leads to yet cannot be foreseen.",
    StopReason.FRONTIER_EMPTY: "No link waits any more: everything reachable within the scope "
    "has been fetched, or the strategy rejected the rest.",
    StopReason.PAUSED_BY_USER: "You, or another person who may edit the topic, pressed Pause.",
    StopReason.STOPPED_BY_USER: "You, or another person who may edit the topic, pressed Stop.",
    StopReason.DISK_FULL: "The disk has too little free space to store pages safely.",
    StopReason.STORE_DOWN: "The store of files (CRAWLSITE_S3_BUCKET) did not answer or refused. "
    "Pages that were not in it yet are in the database.",
    StopReason.NO_NETWORK: "Requests to many hosts failed at once, so this machine is most "
    "likely off the network. Pages are not counted as failed for that.",
    StopReason.WEB_NOT_SERVED: "The crawl fetches a recorded web over HTTP, and the server of "
    "that web is not running.",
    StopReason.ALL_HOSTS_BLOCKED: "Every host that still has links refuses requests, asks for a "
    "long pause, or was excluded.",
    StopReason.NO_SEEDS: "No seed could be fetched, so "
    "there is nothing to start from. Fetch errors name each with its cause.",
    StopReason.NEEDS_MISSING: "The strategy learns from something that the topic does not have.",
    StopReason.NO_COUNTED_TARGETS: "Every target of the topic lies in its background, which is "
    "drawn without regard to labels: such targets are not counted, so recall would have none.",
    StopReason.PAGES_UNREADABLE: "Stored pages that the crawl starts from are gone or damaged: "
    "those of a recorded web, of the topic’s examples or of its background.",
    StopReason.ENGINE_ERROR: "An error of the program. Please report it with the words shown.",
}

_FAILURES: dict[Failure, str] = {
    Failure.BAD_URL: "The link is not a web address.",
    Failure.DNS: "No host has this name: the link is old or mistyped. On a recorded web: the "
    "host is not part of it.",
    Failure.CONNECT: "The host exists but accepts no connection.",
    Failure.INTERRUPTED: "The connection broke before the answer was complete. The request is "
    "repeated after a pause, twice unless you chose otherwise.",
    Failure.TLS: "The host and the crawler could not agree on a secure connection.",
    Failure.CERTIFICATE: "The host’s certificate is expired, for another name or signed by nobody "
    "who is trusted: its detail names the flaw. Its pages are not fetched.",
    Failure.TIMEOUT: "The answer was not complete within the deadline. Hosts that are often slow "
    "get fewer requests.",
    Failure.PROTOCOL: "What came back is not HTTP.",
    Failure.ADDRESS_REFUSED: "The name leads to this machine or a private network, where crawls "
    "may not go unless an administrator allows it.",
    Failure.TOO_MANY_REDIRECTS: "The address redirects too many times.",
    Failure.REDIRECT_TO_KNOWN: "The address redirects to a page that the crawl already has. "
    "Harmless.",
    Failure.REDIRECT_OUT_OF_SCOPE: "The address redirects to one outside your scope.",
    Failure.ROBOTS: "The host’s robots.txt disallows this address for crawlers.",
    Failure.ROBOTS_UNREACHABLE: "The host’s robots.txt could not be read because of an error of "
    "the host; until it can, nothing of the host is fetched.",
    Failure.NOT_TEXT: "A picture, an archive or another file without text that could be read, "
    "whatever the host calls it. PDF and office documents are read, unless the crawl leaves them "
    "out.",
    Failure.ENCRYPTED: "A document that opens only with a password.",
    Failure.BROKEN_DOCUMENT: "The host calls it a document, and its bytes are none, or it is "
    "damaged, as its detail explains.",
    Failure.TOO_LARGE: "A document of more than 20 MiB. Part of a document cannot be read.",
    Failure.NOINDEX: "The page asks not to be indexed, so it is not collected. Its links are "
    "followed, unless it asks for the opposite too.",
    Failure.RESERVED: "The page, its headers or a file of its site reserve a use, which the crawl "
    "was asked to obey: it is not collected. Its detail has the sign as written.",
    Failure.OTHER_LANGUAGE: "The text is clearly in none of the languages of the scope: it is "
    "not collected, but its links are followed. Its detail has the code of its language.",
    Failure.DUPLICATE: "The page names another address as its own, and the crawl has that page "
    "already, from a mirror of the site or in another form. Harmless.",
    Failure.TOO_COMPLEX: "The page has so much markup that it could not be read within a minute,"
    " or the document took more time or memory than one may.",
    Failure.BLOCK_PAGE: "The host sent a test for robots or a refusal instead of the page. It "
    "gets further requests after longer and longer pauses; ten such answers in a row block it for "
    "an hour.",
    Failure.EMPTY: "The answer is empty.",
    Failure.SITE_LIST: "The address has a sitemap or a feed. Its entries wait as links of the "
    "site’s front page; the list counts as a request only.",
    Failure.NO_SITE_LIST: "The site has no sitemap at the usual address, or no feed where its "
    "pages name one. Harmless.",
    Failure.NOT_MODIFIED: "The site answered that the page is as it was at the last visit of the "
    "watch, without sending it again.",
}

_EXCLUSIONS: dict[Exclusion, str] = {
    Exclusion.SCHEME: "Links to mail addresses, files and programs.",
    Exclusion.HOST_DENIED: "The scope excludes the host.",
    Exclusion.HOST_NOT_ALLOWED: "The scope names the hosts to follow, and this is not one of them.",
    Exclusion.PATTERN: "The address matches a pattern that you excluded.",
    Exclusion.EXTENSION: "The address has a file extension of pictures, films, archives or the"
    " like; of documents too if the crawl leaves them out.",
    Exclusion.DEPTH: "It is more links away from the nearest seed than the scope allows.",
    Exclusion.HOST_LIMIT: "The crawl has fetched as many pages of this host as the scope allows.",
    Exclusion.TRAP: "This part of the host produces new addresses without end and nothing "
    "new with them: a calendar, filters of a shop, session marks, paths that repeat themselves. "
    "It is set aside with an event marked T, where it can be included again.",
    Exclusion.REJECTED_BY_STRATEGY: "The strategy found no sign that the link is worth "
    "following. Only some strategies reject.",
    Exclusion.FRONTIER_CAP: "As many links wait as the scope allows. A better link replaces the"
    " weakest one, which returns when there is room.",
    Exclusion.ALIAS: "Another address turned out to be the same page.",
    Exclusion.PATTERN_NOT_ALLOWED: "The address matches none of the patterns under Only addresses "
    "like.",
    Exclusion.HOST_OUT: "The host is out among the hosts of the topic.",
    Exclusion.HOST_NOT_IN: "The crawl keeps to the hosts of the topic that are in, or to these and"
    " one link beyond.",
    Exclusion.NOT_DUE: "The crawl is a visit of a watch, which had the address before and "
    "requests it at another visit, when it is due.",
}

HTTP = Code(
    "http_404",
    "404 not found, 403 forbidden, 429 too many requests, status 500 …",
    "The host answered with an error of that number. Numbers from 400 on are about the address, "
    "from 500 on about the host; after 429 and 503 the crawl pauses for the host as long as it"
    " asks.",
)


def states() -> list[Code]:
    """Every state of a crawl."""
    return [Code(state, state.value, STATES[state]) for state in State]


def reasons() -> list[Code]:
    """Every reason for a crawl's state, with the sentence of its page."""
    return [Code(r, _without_values(REASONS[r][0]), _REASONS[r]) for r in StopReason]


def failures() -> list[Code]:
    """Every kind of request that yields no page."""
    return [*(Code(f, FAILURES[f], _FAILURES[f]) for f in Failure), HTTP]


def exclusions() -> list[Code]:
    """Every rule that excludes a discovered address."""
    return [Code(e, EXCLUSIONS[e], _EXCLUSIONS[e]) for e in Exclusion]


def needs() -> list[Code]:
    """Every need of a strategy."""
    return [Code(n, need.words, need.sentence) for n, need in strategy_needs().items()]


def _without_values(words: str) -> str:
    """A template's sentence with dots in place of a crawl's values."""
    return re.sub(r"\{[^}]*\}", "…", words)
