"""The pages of a crawl that a person should label first: some drawn at random, to measure, then
those that teach most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from apps.crawls.labels.counted import CountedLabel, count_labels, in_force
from apps.crawls.labels.precision import learns_from_labels, measuring_pages
from apps.crawls.labels.skipped import skipped_pages
from apps.crawls.models import Crawl, FrontierEntry, Label, Page
from apps.crawls.packing import unpack_numbers
from apps.engine.crawl.relearning.proposing import Candidate, propose, spread
from apps.engine.intelligence.cold_start.cold_start import BASES

GOAL = 40
UNLIKELY = 0.35
"""Below this chance a page is probably not on the topic."""
FIRST_AFTER = 50
SHOWN = 10
EVERY = 10
NEWEST = 100
AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Proposal:
    """A page, why it is asked (`kind`), the crawler's own chance that it is on the topic, if it has
    one, how many waiting links it has, and how many pages of its host are labelled."""

    page: Page
    kind: Label.Purpose
    chance: float | None
    moves: int
    of_host: int


@dataclass(frozen=True, slots=True)
class LabelQueue:
    """The proposed pages, those that measure first, then the best, and the labels given so far.
    `is_due` is False before the crawl has enough pages."""

    proposals: tuple[Proposal, ...]
    yes: int
    no: int
    is_due: bool

    @property
    def labelled(self) -> int:
        return self.yes + self.no

    @property
    def any_likely(self) -> bool:
        """Whether the crawler takes one of the proposed pages to be possibly on the topic."""
        return any(
            each.kind == Label.Purpose.MEASURING or (each.chance or 0.0) >= UNLIKELY
            for each in self.proposals
        )

    @property
    def goal_share(self) -> float:
        """The share of the goal that is reached."""
        return min(1.0, self.labelled / GOAL)


def label_queue(
    crawl: Crawl, most: int = SHOWN, counted: Mapping[int, CountedLabel] | None = None
) -> LabelQueue | None:
    """The queue of a crawl; None if labels do not change how its strategy ranks. `counted` are its
    `count_labels`, if they have been read.

    Some pages that look relevant are drawn at random, for their answers measure precision; the
    others teach: of the newest 100 pages without a label or a skip, as of every tenth page,
    none that the topic knows already as an example, a target or for judging. The judges' verdicts
    are not read by those that teach: they depend on the crawler's own view alone.
    """
    if not learns_from_labels(crawl):
        return None
    counted = count_labels(crawl) if counted is None else counted
    values = [label.relevant for label in counted.values()]
    labelled = set(in_force(crawl).values_list("seq", flat=True))
    is_due = crawl.pages >= FIRST_AFTER
    proposals = _questions(crawl, labelled, most) if is_due and most else ()
    return LabelQueue(tuple(proposals), values.count(True), values.count(False), is_due)


def kind_of(crawl: Crawl, seq: int) -> Label.Purpose:
    """Which question a label of the page answers at present."""
    queue = label_queue(crawl)
    kinds = {each.page.seq: each.kind for each in queue.proposals} if queue else {}
    return kinds.get(seq, Label.Purpose.PICKED)


def _questions(crawl: Crawl, labelled: set[int], most: int) -> list[Proposal]:
    """The questions that measure, then those that teach."""
    examples, out = _example_urls(crawl), labelled | skipped_pages(crawl)
    drawn = measuring_pages(crawl, out, examples)[:most]
    moves = waiting_links(crawl, {page.seq for page in drawn})
    # Not by `labelled`: of 500 numbers PostgreSQL expects so many pages that it reads all.
    of_labels = crawl.pages_fetched.filter(seq__in=in_force(crawl).values("seq"))
    hosts = Counter(of_labels.values_list("host", flat=True))
    measuring = [
        Proposal(
            page, Label.Purpose.MEASURING, page.topicality, moves.get(page.seq, 0), hosts[page.host]
        )
        for page in drawn
    ]
    out |= {page.seq for page in drawn}
    return measuring + _proposals(crawl, out, examples, hosts, most - len(drawn))


def _proposals(
    crawl: Crawl, out: set[int], examples: set[str], hosts: Mapping[str, int], most: int
) -> list[Proposal]:
    """The pages proposed for labelling, without those in `out` and the addresses of `examples`;
    `hosts` has the labelled pages of each host."""
    last = crawl.pages - crawl.pages % EVERY
    pages = crawl.pages_fetched.filter(seq__lte=last, topicality__isnull=False, seed=False)
    newest = pages.exclude(seq__in=out).order_by("-seq")[:NEWEST]
    chances = {
        seq: tau
        for seq, tau, *urls in newest.values_list("seq", "topicality", "url", "final_url")
        if tau is not None and examples.isdisjoint(urls)
    }
    moves = waiting_links(crawl, chances)
    candidates = [Candidate(seq, chances[seq], count) for seq, count in moves.items()]
    best = (spread if begins_with_words(crawl) else propose)(candidates, most)
    rows = {page.seq: page for page in crawl.pages_fetched.filter(seq__in=[b.page for b in best])}
    return [
        Proposal(row, Label.Purpose.TEACHING, each.chance, each.moves, hosts.get(row.host, 0))
        for each in best
        for row in [rows[each.page]]
    ]


def begins_with_words(crawl: Crawl) -> bool:
    """Whether the crawl is guided by its topic's words and what it taught itself by them."""
    telemetry = crawl.pages_fetched.order_by("-seq").values_list("telemetry", flat=True).first()
    basis = (telemetry or {}).get("basis")
    return basis is not None and BASES[int(basis)] != "examples"


def _example_urls(crawl: Crawl) -> set[str]:
    """Those of the topic's examples, for judging too, and of its targets."""
    examples = crawl.topic.examples.order_by().values_list("url", "final_url")
    targets = crawl.topic.targets.order_by().values_list("url", flat=True)
    return {*targets, *(url for pair in examples for url in pair)}


def links_moved(crawl: Crawl, seqs: Collection[int]) -> int:
    """How many different waiting URLs the pages link to together."""
    return len(set().union(*_waiting_targets(crawl, seqs).values()))


def waiting_links(crawl: Crawl, seqs: Collection[int]) -> dict[int, int]:
    """How many different waiting URLs each page links to."""
    return {seq: len(links) for seq, links in _waiting_targets(crawl, seqs).items()}


def _waiting_targets(crawl: Crawl, seqs: Collection[int]) -> dict[int, set[int]]:
    """The waiting URLs, by number, that each page links to."""
    rows = crawl.outlinks.filter(seq__in=list(seqs)).values_list("seq", "targets")
    targets = {seq: set(unpack_numbers(packed).tolist()) for seq, packed in rows}
    numbers = sorted(set().union(*targets.values())) if targets else []
    waiting: set[int] = set()
    for start in range(0, len(numbers), AT_ONCE):
        entries = crawl.frontier.filter(
            number__in=numbers[start : start + AT_ONCE], state=FrontierEntry.State.WAITING
        )
        waiting.update(entries.values_list("number", flat=True))
    return {seq: waiting & links for seq, links in targets.items()}
