"""The vocabulary of the engine: frozen values that pass between its layers.

Words are counted over the visible text of a page before stop words are dropped and before
stemming; a *word position* is an index into `Document.words`. A *token id* is an index into the
crawl's append-only `Vocabulary` (−1: a stop word, a number, a word out of the length limits).
A *URL number* is the order in which a crawl discovered a URL, from 0; it breaks ties.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Headers = tuple[tuple[str, str], ...]

NO_TOKEN = -1


class State(StrEnum):
    """States of a crawl."""

    DRAFT = "draft"
    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    FINISHED = "finished"
    FAILED = "failed"


class StopReason(StrEnum):
    """Why a crawl is where it is. Every crawl past draft has one."""

    WAITING_FOR_A_WORKER = "waiting_for_a_worker"
    LEARNING = "learning"
    BUDGET_REACHED = "budget_reached"
    REQUEST_LIMIT = "request_limit"
    HOURS_REACHED = "hours_reached"
    FRONTIER_EMPTY = "frontier_empty"
    PAUSED_BY_USER = "paused_by_user"
    STOPPED_BY_USER = "stopped_by_user"
    DISK_FULL = "disk_full"
    NO_NETWORK = "no_network"
    ALL_HOSTS_BLOCKED = "all_hosts_blocked"
    NO_SEEDS = "no_seeds"
    WEB_NOT_SERVED = "web_not_served"
    NEEDS_MISSING = "needs_missing"
    ENGINE_ERROR = "engine_error"


class Need(StrEnum):
    """What a strategy may need of a topic before it can start."""

    KEYWORDS = "keywords"
    EXAMPLES = "examples"
    INLINKS = "inlinks"
    BACKLINKS = "backlinks"
    CORPUS = "corpus"
    BACKGROUND = "background"
    TAXONOMY = "taxonomy"
    CRAWL = "crawl"


class Failure(StrEnum):
    """Kinds of requests that gave no page. An HTTP answer of 4xx or 5xx is `http_<status>`."""

    BAD_URL = "bad_url"
    DNS = "dns"
    CONNECT = "connect"
    INTERRUPTED = "interrupted"
    TLS = "tls"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    ADDRESS_REFUSED = "address_refused"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    REDIRECT_TO_KNOWN = "redirect_to_known"
    REDIRECT_OUT_OF_SCOPE = "redirect_out_of_scope"
    ROBOTS = "robots"
    ROBOTS_UNREACHABLE = "robots_unreachable"
    NOT_TEXT = "not_text"
    NOINDEX = "noindex"
    BLOCK_PAGE = "block_page"
    TOO_COMPLEX = "too_complex"
    EMPTY = "empty"


REFUSED_BY_RULE = frozenset({
    Failure.ROBOTS, Failure.NOINDEX, Failure.NOT_TEXT, Failure.ADDRESS_REFUSED,
    Failure.REDIRECT_TO_KNOWN, Failure.REDIRECT_OUT_OF_SCOPE,
})
"""Kinds of requests that gave no page though nothing went wrong: they are no fetch errors."""


class Exclusion(StrEnum):
    """Why a discovered URL does not wait in the frontier (the first rule that applies)."""

    SCHEME = "scheme"
    HOST_DENIED = "host_denied"
    HOST_NOT_ALLOWED = "host_not_allowed"
    PATTERN = "pattern"
    EXTENSION = "extension"
    DEPTH = "depth"
    HOST_LIMIT = "host_limit"
    TRAP = "trap"
    REJECTED_BY_STRATEGY = "rejected_by_strategy"
    FRONTIER_CAP = "frontier_cap"
    ALIAS = "alias"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one URL, all redirects followed.

    `url` is the canonical URL that was asked, `final_url` the canonical URL that answered, `hops`
    the canonical URLs in between. `body` is decoded of its content encoding and capped
    (`truncated`). Where no usable answer came, `failure` is a `Failure` value or `http_<status>`.
    `fetched_at` is Unix seconds, `seconds` the time the request took, `retry_after` seconds.
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

    def header(self, name: str) -> str | None:
        """The first header of that name, compared without case."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)


@dataclass(frozen=True, slots=True)
class Spans:
    """Pieces of text of one page: piece i is words[start[i]:end[i]] and belongs to row[i].

    `row` ascends; a row may have several pieces or none. `rows` is the number of rows.
    """

    rows: int
    row: Ints
    start: Ints
    end: Ints


@dataclass(frozen=True, slots=True)
class TokenRows:
    """Texts as token ids in text order (dropped words left out), in compressed rows.

    Row i is ids[indptr[i]:indptr[i + 1]]; `indptr` has rows + 1 entries.
    """

    indptr: Longs
    ids: Ints

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def row(self, i: int) -> Ints:
        return self.ids[self.indptr[i] : self.indptr[i + 1]]

    @classmethod
    def of(cls, texts: Sequence[Ints]) -> TokenRows:
        """From one array of token ids a text; ids below 0 are left out."""
        kept = [text[text >= 0] for text in texts]
        indptr = np.zeros(len(kept) + 1, np.int64)
        np.cumsum([len(text) for text in kept], out=indptr[1:])
        ids = np.concatenate(kept) if kept else np.empty(0, np.int32)
        return cls(indptr, ids.astype(np.int32, copy=False))

    @classmethod
    def gather(cls, tokens: Ints, spans: Spans) -> TokenRows:
        """The tokens of each row's pieces, `tokens` being aligned with the page's words."""
        lengths = (spans.end - spans.start).astype(np.int64)
        total = int(lengths.sum())
        offsets = np.repeat(spans.start - np.cumsum(lengths) + lengths, lengths)
        ids = tokens[np.arange(total) + offsets]
        owners = np.repeat(spans.row, lengths)
        kept = ids >= 0
        counts = np.bincount(owners[kept], minlength=spans.rows)
        indptr = np.zeros(spans.rows + 1, np.int64)
        np.cumsum(counts, out=indptr[1:])
        return cls(indptr, ids[kept])


@dataclass(frozen=True, slots=True)
class Links:
    """The out-links of a page, in columns: distinct targets, and each occurrence of them.

    `urls` are canonical and distinct, in order of first appearance. Occurrence j, in document
    order, points at urls[target[j]]; its anchor is words[anchor_start[j]:anchor_end[j]] (for an
    anchor without text its alt or title words, kept behind the visible words). `nodes[j]` is the
    lxml element, where the page was parsed in this process. `nofollow` is one flag a distinct
    target (True where every occurrence says so). `position[j]` is where the occurrence stands in
    the visible text: `anchor_start[j]`, or for an anchor without text the word that follows it;
    None where all anchors have text.
    """

    urls: tuple[str, ...]
    target: Ints
    anchor_start: Ints
    anchor_end: Ints
    nodes: tuple[Any, ...]
    nofollow: NDArray[np.bool_]
    position: Ints | None = None

    def __len__(self) -> int:
        return len(self.urls)

    def first(self, most: int) -> Links:
        """The links to the first `most` distinct targets."""
        if len(self.urls) <= most:
            return self
        kept = np.flatnonzero(self.target < most)
        return Links(
            self.urls[:most],
            self.target[kept],
            self.anchor_start[kept],
            self.anchor_end[kept],
            tuple(self.nodes[j] for j in kept.tolist()) if self.nodes else (),
            self.nofollow[:most],
            None if self.position is None else self.position[kept],
        )

    def best(self, scores: Floats) -> Floats:
        """The maximum over the occurrences of each distinct target."""
        best = np.full(len(self.urls), -np.inf)
        np.maximum.at(best, self.target, scores)
        return best


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed page.

    `words` are lower-cased: the title's, then the visible text's (`words[:visible]`, the page's
    text), then alt and title words of anchors without text. `text_start` is the position of the
    first word of the body. `tree` is the lxml root, or the `Layout` of a page that another
    process parsed; it is dropped once the page is done.
    """

    url: str
    base_url: str
    title: str
    words: list[str]
    visible: int
    text_start: int
    links: Links
    tree: Any = None
    canonical: str | None = None
    refresh: str | None = None
    noindex: bool = False
    nofollow: bool = False
    scripts: int = 0
    numbers: int = 0
    truncated: bool = False
    encoding: str = "utf-8"

    @property
    def needs_javascript(self) -> bool:
        """Fewer than 20 words and at least one script: nothing to learn from."""
        return self.visible < 20 and self.scripts > 0


@dataclass(frozen=True, slots=True)
class Visit:
    """One fetched page as a strategy sees it.

    `number` is t, counted from 1; `url_number` the URL's order of discovery; `link_numbers` the
    discovery numbers of `links.urls`. `parent` is the `url_number` of the page whose link gave the
    priority, −1 for seeds. `tokens` are aligned with `document.words`. `topicality` (τ) and
    `status` (σ) are in [0, 1] or None where unknown. `spans` are the blocks of the page's tree that
    the strategy reads as contexts, found once; None where it reads none.
    """

    number: int
    url: str
    url_number: int
    parent: int
    depth: int
    document: Document
    tokens: Ints
    link_numbers: Longs
    topicality: float | None = None
    status: float | None = None
    spans: Spans | None = None

    @property
    def links(self) -> Links:
        return self.document.links

    def page(self) -> TokenRows:
        """The page's whole text, as one row."""
        return TokenRows.of([self.tokens[: self.document.visible]])

    def rows(self, spans: Spans) -> TokenRows:
        """Link contexts, given as spans of words, as token rows."""
        return TokenRows.gather(self.tokens, spans)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the guiding models say of a page; None where they cannot say.

    `topicality` τ = P(c|u) in [0, 1], `status` σ in [0, 1], `status_log` the prediction of
    ln(1 + in-links) before the sigmoid.
    """

    topicality: float | None = None
    status: float | None = None
    status_log: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the committee says of a page: votes in favour, of how many, and the mean P(c|u)."""

    votes: int
    of: int
    probability: float

    @property
    def relevant(self) -> bool:
        return 2 * self.votes > self.of


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled page of a topic: its URL and its parsed document."""

    url: str
    document: Document
    relevant: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class CrawledPage:
    """A page of an earlier crawl, for a strategy that learns from that crawl."""

    url: str
    document: Document


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """A topic directory: pages under class names such as `/Science/Astronomy`.

    `focus` names the class that is the topic, with all classes below it.
    """

    pages: tuple[tuple[str, Document], ...]
    focus: str


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as the engine is given it.

    `training` guides the crawl; `evaluation` is for the committee alone and disjoint from it.
    `relevant_set` are further labelled pages that LC's judges alone learn from: the targets, and
    negatives drawn for them.
    `background` are unlabelled documents. `inlinks` counts in-links of URLs (any of them),
    `traffic` ranks hosts (1 is the most visited). `version` names the stored definition, so that
    models can be cached. `corpus` are documents of the topic's field, unlabelled, `backlinks` pages
    that link to examples or to `other_positives`, the positive examples of the analyst's other
    topics by their addresses (asked, answered), `earlier` the pages of an earlier crawl in their
    order (iterated over, never kept whole: they may be parsed as they are asked for), and
    `allowed_urls` the canonical URLs that a restricted crawl may fetch.
    """

    name: str
    version: str = "1"
    language: str | None = None
    keywords: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    training: tuple[Example, ...] = ()
    evaluation: tuple[Example, ...] = ()
    relevant_set: tuple[Example, ...] = ()
    targets: frozenset[str] = frozenset()
    background: tuple[Document, ...] = ()
    backlinks: tuple[Document, ...] = ()
    other_positives: tuple[tuple[str, ...], ...] = ()
    corpus: tuple[Document, ...] = ()
    taxonomy: Taxonomy | None = None
    earlier: Sequence[CrawledPage] = ()
    allowed_urls: frozenset[str] = frozenset()
    inlinks: Mapping[str, int] = field(default_factory=dict)
    traffic: Mapping[str, int] = field(default_factory=dict)
