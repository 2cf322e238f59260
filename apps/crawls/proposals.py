"""The pages of a crawl that a person should label first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from apps.crawls.commands.retrain import in_force
from apps.crawls.commands.skip import skipped_pages
from apps.crawls.models import Crawl, FrontierEntry, Page
from apps.crawls.packing import unpack_numbers
from apps.engine.crawl.proposing import Candidate, propose
from apps.engine.errors import EngineError
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.relearns import relearning
from apps.topics.examples.other_topics import held_back

GOAL = 30
FIRST_AFTER = 50
SHOWN = 8
EVERY = 10
NEWEST = 100
AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Proposal:
    """A page, the crawler's own chance that it is on the topic, how many waiting links it has, and
    how many pages of its host are labelled."""

    page: Page
    chance: float
    moves: int
    of_host: int


@dataclass(frozen=True, slots=True)
class LabelQueue:
    """The proposed pages, best first, and the labels given so far. `is_due` is False before the
    crawl has enough pages."""

    proposals: tuple[Proposal, ...]
    yes: int
    no: int
    is_due: bool

    @property
    def labelled(self) -> int:
        return self.yes + self.no

    @property
    def done(self) -> float:
        """The share of the goal that is reached."""
        return min(1.0, self.labelled / GOAL)


def label_queue(crawl: Crawl, most: int = SHOWN) -> LabelQueue | None:
    """The queue of a crawl; None if labels do not change how its strategy ranks.

    Proposed are those of the newest 100 pages without a label or a skip, as of every tenth page;
    none that the topic knows already as an example, a target or for judging. The judges' verdicts
    are not read: what is proposed depends on the crawler's own view alone.
    """
    if not _learns(crawl):
        return None
    said = dict(in_force(crawl).values_list("seq", "relevant"))
    yes = sum(said.values())
    is_due = crawl.pages >= FIRST_AFTER
    found = _proposals(crawl, set(said), most) if is_due and most else ()
    return LabelQueue(tuple(found), yes, len(said) - yes, is_due)


def _learns(crawl: Crawl) -> bool:
    try:
        return relearning(strategy(crawl.strategy).build(crawl.parameters)) is not None
    except EngineError:
        return False


def _proposals(crawl: Crawl, labelled: set[int], most: int) -> list[Proposal]:
    last = crawl.pages - crawl.pages % EVERY
    pages = crawl.pages_fetched.filter(seq__lte=last, topicality__isnull=False, seed=False)
    out = labelled | skipped_pages(crawl)
    newest = pages.exclude(seq__in=out).order_by("-seq")[:NEWEST]
    known = _known(crawl)
    chances = {
        seq: tau
        for seq, tau, *urls in newest.values_list("seq", "topicality", "url", "final_url")
        if known.isdisjoint(urls)
    }
    moves = _waiting_links(crawl, chances)
    best = propose((Candidate(seq, chances[seq], count) for seq, count in moves.items()), most)
    rows = {page.seq: page for page in crawl.pages_fetched.filter(seq__in=[b.page for b in best])}
    hosts = Counter(
        crawl.pages_fetched.filter(seq__in=labelled).values_list("host", flat=True)
    )
    return [
        Proposal(row, each.chance, each.moves, hosts[row.host])
        for each in best for row in [rows[each.page]]
    ]  # fmt: skip


def _known(crawl: Crawl) -> set[str]:
    examples = crawl.topic.examples.values_list("url", "final_url")
    return held_back(crawl.topic) | {url for pair in examples for url in pair}


def _waiting_links(crawl: Crawl, seqs: dict[int, float]) -> dict[int, int]:
    """How many different waiting URLs each page links to."""
    rows = crawl.outlinks.filter(seq__in=list(seqs)).values_list("seq", "targets")
    targets = {seq: set(unpack_numbers(packed).tolist()) for seq, packed in rows}
    numbers = sorted(set().union(*targets.values())) if targets else []
    waiting: set[int] = set()
    for start in range(0, len(numbers), AT_ONCE):
        entries = crawl.frontier.filter(
            number__in=numbers[start : start + AT_ONCE], state=FrontierEntry.State.WAITING
        )
        waiting.update(entries.values_list("number", flat=True))
    return {seq: len(waiting & links) for seq, links in targets.items()}
