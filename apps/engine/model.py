"""The values that pass through the crawl loop, shared by its layers: pages, links, visits,
verdicts.

Words are counted in the visible text of a page, before stop words are removed and before stemming.
A *word position* is an index into `Document.words`. A *token id* is an index into the crawl's
append-only `Vocabulary` (−1: a stop word, a number, or a word outside the length limits). A *URL
number* is a URL's index in the order of discovery, from 0; it breaks ties.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from apps.engine.kinds import DocumentKind

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_TOKEN = -1


class Serving(NamedTuple):
    """The other processes that send requests now: `own` of this machine, which have used `own_cpu`
    seconds of CPU so far, and `lent` of others, busy for the share `lent_busy` of their time."""

    own: int = 0
    lent: int = 0
    own_cpu: float = 0.0
    lent_busy: float = 0.0


@dataclass(frozen=True, slots=True)
class Spans:
    """Pieces of a page's text: piece i is words[start[i]:end[i]] and belongs to row[i].

    `row` is ascending; a row may have any number of pieces. `rows` is the number of rows.
    """

    rows: int
    row: Ints
    start: Ints
    end: Ints


@dataclass(frozen=True, slots=True)
class TokenRows:
    """Texts as token ids in text order (without dropped words), in compressed rows.

    Row i is ids[indptr[i]:indptr[i + 1]]; `indptr` has rows + 1 entries.
    """

    indptr: Longs
    ids: Ints

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def row(self, i: int) -> Ints:
        return self.ids[self.indptr[i] : self.indptr[i + 1]]

    def first(self, count: int) -> TokenRows:
        """The first rows, of which there are at least `count`."""
        return TokenRows(self.indptr[: count + 1], self.ids[: self.indptr[count]])

    @classmethod
    def of(cls, texts: Sequence[Ints]) -> TokenRows:
        """Builds rows from one array of token ids per text; ids below 0 are left out."""
        counted = [text[text >= 0] for text in texts]
        ids = np.concatenate(counted) if counted else np.empty(0, np.int32)
        lengths = np.array([*map(len, counted)], np.int64)
        return cls(_borders(lengths), ids.astype(np.int32, copy=False))

    @classmethod
    def one(cls, text: Ints) -> TokenRows:
        """A single row of one text's token ids; those below 0 are left out."""
        counted = text[text >= 0]
        return cls(np.array([0, len(counted)], np.int64), counted)

    @classmethod
    def joined(cls, blocks: Sequence[TokenRows]) -> TokenRows:
        """The rows of several blocks, in their order."""
        start, borders = 0, [np.zeros(1, np.int64)]
        for block in blocks:
            borders.append(block.indptr[1:] + start)
            start += len(block.ids)
        return cls(np.concatenate(borders), np.concatenate([block.ids for block in blocks]))

    @classmethod
    def split(cls, tokens: Ints, lengths: Sequence[int]) -> TokenRows:
        """Divides token ids into texts of so many words each."""
        is_token = tokens >= 0
        return cls(_borders(is_token)[_borders(np.array(lengths, np.int64))], tokens[is_token])

    @classmethod
    def gather(cls, tokens: Ints, spans: Spans) -> TokenRows:
        """Collects the tokens of each row's pieces; `tokens` are aligned with the page's words."""
        # Pieces overlap, so that words without a token are dropped before, not after.
        is_token = tokens >= 0
        before = _borders(is_token)
        end = before[spans.end]
        lengths = end - before[spans.start]
        borders = _borders(lengths)
        positions = np.arange(borders[-1]) + (end - borders[1:]).repeat(lengths)
        pieces = spans.row.searchsorted(np.arange(spans.rows + 1))
        return cls(borders[pieces], tokens[is_token][positions])


def _borders(lengths: Longs | NDArray[np.bool_]) -> Longs:
    """0 and the running sums: the start of each piece of these lengths, and the end of the last."""
    borders = np.zeros(len(lengths) + 1, np.int64)
    lengths.cumsum(out=borders[1:])
    return borders


@dataclass(frozen=True, slots=True)
class Links:
    """The out-links of a page in columns: distinct targets, and their occurrences.

    `urls` are canonical and distinct, in order of first appearance. Occurrence j, in document
    order, points to urls[target[j]]; its anchor is words[anchor_start[j]:anchor_end[j]] (for an
    anchor without text, its alt or title words, stored after the visible words). `nodes[j]` is the
    lxml element if the page was parsed in this process. `nofollow` has one flag per distinct
    target, True if every occurrence is nofollow. `position[j]` is the position of the occurrence in
    the visible text: `anchor_start[j]`, or for an anchor without text that of the next word;
    `position` is None if all anchors have text. `spellings` are the addresses of those targets that
    a browser requests in another spelling.
    """

    urls: tuple[str, ...]
    target: Ints
    anchor_start: Ints
    anchor_end: Ints
    nodes: tuple[Any, ...]
    nofollow: NDArray[np.bool_]
    position: Ints | None = None
    spellings: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.urls)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The targets as they are requested."""
        return tuple(self.spellings.get(url, url) for url in self.urls)

    def first(self, most: int) -> Links:
        """The links to the first `most` distinct targets."""
        if len(self.urls) <= most:
            return self
        occurrences = np.flatnonzero(self.target < most)
        return Links(
            self.urls[:most],
            self.target[occurrences],
            self.anchor_start[occurrences],
            self.anchor_end[occurrences],
            tuple(self.nodes[j] for j in occurrences.tolist()) if self.nodes else (),
            self.nofollow[:most],
            None if self.position is None else self.position[occurrences],
            self.spellings,
        )

    def best(self, scores: Floats) -> Floats:
        """The maximum over the occurrences of each distinct target."""
        if len(scores) == len(self.urls):  # each occurs once
            return scores
        best = np.full(len(self.urls), -np.inf)
        np.maximum.at(best, self.target, scores)
        return best


PageKey = tuple[int, int]


class PreparedPage(NamedTuple):
    """A page of a recorded web that was parsed before: its `key`, under which judgements of it may
    be remembered in this process, and its link contexts by the name and parameters of the
    function that computes them, or None."""

    key: PageKey
    contexts: Callable[[tuple[object, ...]], Any] = lambda key: None


class PageSizes(NamedTuple):
    """How many visible words, distinct links, links and numbers in its text a page has."""

    words: int
    targets: int
    links: int
    numbers: int


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed page.

    `words` are in lower case: those of the title and of the visible text (`words[:visible]`, the
    page's text), then alt and title words of anchors without text. `text_start` is the position of
    the first word of the body. `tree` is the lxml root, or the `Layout` of a page that another
    process parsed; it is dropped after the page is processed. `agent_robots` has the robots rules
    of meta elements for single crawlers, one `name: rules` per line. `feeds` are the addresses of
    the feeds that its link elements name. `text_mark` are the mark and
    the size of its text with all its links (`frontier.page_text`), or None. `prepared` is None
    unless the page comes from columns (`replays`). `kind` is what the page was before it was
    converted. `main` are the positions of the words of its main text in `words`, ascending, where
    classifiers are to read that alone (`parsing.main_text`), or None.
    """

    url: str
    base_url: str
    title: str
    words: Sequence[str]
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
    agent_robots: str | None = None
    feeds: tuple[str, ...] = ()
    text_mark: tuple[int, int] | None = None
    prepared: PreparedPage | None = None
    kind: DocumentKind = DocumentKind.PAGE
    main: Ints | None = None

    def prepared_context(self, *key: object) -> Any:
        """The link context of that name and these parameters if it is prepared, or None."""
        return None if self.prepared is None else self.prepared.contexts(key)

    def text_of(self, tokens: Ints) -> Ints:
        """The tokens that classifiers read, among those of `words` or of the visible ones."""
        return tokens[: self.visible] if self.main is None else tokens[self.main]

    @property
    def key(self) -> PageKey | None:
        """The key under which judgements of the page may be remembered; see `PreparedPage`."""
        return None if self.prepared is None else self.prepared.key

    @property
    def sizes(self) -> PageSizes:
        return PageSizes(self.visible, len(self.links), len(self.links.target), self.numbers)

    @property
    def needs_javascript(self) -> bool:
        """Whether the page has fewer than 20 words and at least one script."""
        return self.visible < 20 and self.scripts > 0

    @property
    def has_no_text(self) -> bool:
        """Whether it is a document without text, such as scanned paper."""
        return self.kind is not DocumentKind.PAGE and self.visible == self.text_start

    @property
    def can_be_judged(self) -> bool:
        """Whether there is a text to judge."""
        return not (self.needs_javascript or self.has_no_text)


@dataclass(frozen=True, slots=True)
class Visit:
    """A fetched page, as passed to strategies.

    `number` is t, from 1; `url_number` is the page's URL number; `link_numbers` are those of
    `links.urls`. `parent` is the `url_number` of the page whose link gave the priority, −1 for
    seeds. `tokens` are aligned with `document.words`. `topicality` (τ) and `status` (σ) are in [0,
    1], or None without a model. `spans` are the blocks of the page's tree that the strategy reads
    as contexts, or None if it reads none.
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

    @property
    def text(self) -> Ints:
        """The tokens of the page's text, or of its main text where that alone is read."""
        return self.document.text_of(self.tokens)

    def page(self) -> TokenRows:
        """The page's whole text as one row."""
        return TokenRows.one(self.text)

    def rows(self, spans: Spans) -> TokenRows:
        """Token rows of link contexts that are given as spans of words."""
        return TokenRows.gather(self.tokens, spans)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The guiding models' judgement of a page; None where they have none.

    `topicality` τ = P(c|u) and `status` σ are in [0, 1]; `status_log` is the predicted ln(1 +
    in-links), before the sigmoid.
    """

    topicality: float | None = None
    status: float | None = None
    status_log: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The committee's verdict on a page: `votes` in favour `of` all votes, and the mean P(c|u)."""

    votes: int
    of: int
    probability: float

    @classmethod
    def of_columns(
        cls, votes: int | None, of: int | None, probability: float | None
    ) -> Verdict | None:
        """The verdict of stored columns; None where a page has not been judged."""
        if votes is None or of is None or probability is None:
            return None
        return cls(votes, of, probability)

    @property
    def relevant(self) -> bool:
        return 2 * self.votes > self.of
