"""Pages that people labelled differently, pages already settled, and pages for both to label."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from apps.agreement.answers import PageAnswers
from apps.agreement.asking import ASKED_AT_ONCE
from apps.crawls.labels.counted import CountingRule
from apps.crawls.labels.proposals import waiting_links
from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.topics.annotation import hides_others
from apps.topics.models import Topic


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A page that people label differently, and how many waiting links it has."""

    page: PageAnswers
    moves: int


@dataclass(frozen=True, slots=True)
class CountedPages:
    """The numbers of labelled pages with a label that counts and without one."""

    count: int
    left_out: int


def pages_to_see(topic: Topic, pages: Sequence[PageAnswers], person: User) -> list[PageAnswers]:
    """The labelled pages whose labels a person sees: all, or those that they have labelled, if they
    hide others' labels."""
    if not hides_others(topic, person):
        return list(pages)
    return [page for page in pages if person.pk in page.labels]


def disagreements(pages: Iterable[PageAnswers], reader: User | None = None) -> list[Disagreement]:
    """The pages not settled yet, in crawls visible to the reader: those that move most waiting
    links first, then the latest."""
    differing = [page for page in pages if page.differs and page.settlement is None]
    moves = _links_moved(differing, reader)
    queue = [Disagreement(page, moves[page.address]) for page in differing]
    return sorted(queue, key=lambda each: (-each.moves, -each.page.at.timestamp()))


def settled_pages(pages: Iterable[PageAnswers]) -> list[PageAnswers]:
    """The pages that people settled, the latest first."""
    settled = [page for page in pages if page.settlement is not None]
    return sorted(settled, key=lambda page: page.settlement.at, reverse=True)  # type: ignore[union-attr]


def pages_to_share(pages: Iterable[PageAnswers], person: User) -> list[PageAnswers]:
    """Pages that others have labelled and the person has not, drawn at random; twenty at most."""
    others = [page for page in pages if person.pk not in page.labels and page.settlement is None]
    draws = random.Random(person.pk)
    keys = {page.address: draws.random() for page in sorted(others, key=lambda p: p.address)}
    return sorted(others, key=lambda page: keys[page.address])[:ASKED_AT_ONCE]


def counted_pages(topic: Topic, pages: Iterable[PageAnswers]) -> CountedPages:
    """How many labelled pages train by the topic's rule, and how many do not."""
    rule = CountingRule.of(topic)
    counted = [page.value_by(rule) is not None for page in pages]
    return CountedPages(sum(counted), len(counted) - sum(counted))


def _links_moved(pages: Iterable[PageAnswers], reader: User | None) -> dict[int, int]:
    """The most waiting links of each page in any crawl in which it is labelled."""
    seqs: dict[int, dict[int, int]] = defaultdict(dict)
    most: dict[int, int] = {}
    for page in pages:
        most[page.address] = 0
        for label in page.labels.values():
            seqs[label.crawl_id][label.seq] = page.address
    crawls = visible_crawls(reader) if reader else Crawl.objects.all()
    for crawl in crawls.filter(pk__in=seqs):
        for seq, links in waiting_links(crawl, seqs[crawl.pk]).items():
            address = seqs[crawl.pk][seq]
            most[address] = max(most[address], links)
    return most
