"""Gathering pages that are probably off the topic, for a topic without negatives."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from apps.engine import urls
from apps.engine.answers import Answer
from apps.engine.parsing.document import parse
from apps.engine.urls import origin
from apps.topics.examples.fetching import FetchAll
from apps.topics.examples.loading import keep_page
from apps.topics.examples.page_store import ExampleWriter, page_store
from apps.topics.models import Example, Topic
from apps.topics.sampling import sampling_key
from apps.webs.opening import open_web

MOST = 100
HOME_PAGES = 50
# Some gathered pages may be on the topic (Elkan & Noto 2008 weight unlabelled examples).
WEIGHT = 0.5


def gather_background(topic: Topic, fetch_all: FetchAll, heartbeat: Callable[[], bool]) -> int:
    """Fetches up to 100 pages as negatives of weight 0.5; returns how many there are now.

    On the live Web they are home pages of the hosts of examples and seeds, then links drawn at
    random from the examples and those home pages. A recorded web is sampled uniformly, since pages
    that link to the topic are often on it. All draws use the topic's seed. If there are evaluation
    positives but no named evaluation negatives every second page goes to the judges.
    """
    gathering = _Gathering(topic, fetch_all, heartbeat)
    if topic.recorded_web is not None:
        urls = open_web(topic.recorded_web).urls()
        gathering.fetch(sorted(urls, key=lambda url: sampling_key(topic.random_seed, url)))
    else:
        _gather_around(topic, gathering)
    return gathering.count


def _gather_around(topic: Topic, gathering: _Gathering) -> None:
    chance = random.Random(topic.random_seed)
    homes = _home_pages(topic)
    chance.shuffle(homes)
    gathering.fetch(homes[:HOME_PAGES])
    links = sorted(set(_example_links(topic)) | gathering.links)
    chance.shuffle(links)
    gathering.fetch(_spread(links))


class _Gathering:
    """Fetches pages until there are enough; `links` are those of the stored pages."""

    def __init__(self, topic: Topic, fetch_all: FetchAll, heartbeat: Callable[[], bool]) -> None:
        self.links: set[str] = set()
        self._topic = topic
        self._fetch_all = fetch_all
        self._goes_on = heartbeat
        self._seen = _urls_of(topic)
        here = topic.examples.filter(source=Example.Source.BACKGROUND)
        self.count = here.count()
        judging = topic.examples.filter(role=Example.Role.EVALUATE)
        named = judging.filter(relevant=False, source=Example.Source.NAMED)
        self._shared = judging.filter(relevant=True).exists() and not named.exists()

    def fetch(self, wanted: Iterable[str]) -> None:
        """Fetches the new URLs, a few more than needed since some will fail."""
        new = [url for url in wanted if url not in self._seen]
        room = MOST - self.count
        if room <= 0 or not new:
            return
        with ExampleWriter(self._topic.pk) as writer:
            for url, answer in self._fetch_all(new[: 2 * room]):
                self._keep(url, answer, writer)
                if self.count >= MOST or not self._goes_on():
                    return

    def _keep(self, url: str, answer: Answer, writer: ExampleWriter) -> None:
        """Makes the page an example, unless it is unusable."""
        if answer.failure or answer.final_url in self._seen:
            return
        self._seen |= {url, answer.final_url}
        role = Example.Role.EVALUATE if self._shared and self.count % 2 else Example.Role.TRAIN
        example = Example.objects.create(
            topic=self._topic,
            url=url,
            relevant=False,
            role=role,
            weight=WEIGHT,
            source=Example.Source.BACKGROUND,
        )
        if keep_page(example, answer, writer):
            self.count += 1
            self.links |= set(parse(answer).links.urls)
        else:
            example.delete()


def _urls_of(topic: Topic) -> set[str]:
    """The URLs of examples, seeds and targets, and those they redirect to."""
    urls = set(topic.examples.values_list("url", flat=True))
    urls |= set(topic.examples.values_list("final_url", flat=True))
    urls |= set(topic.seeds.values_list("url", flat=True))
    return urls | set(topic.targets.values_list("url", flat=True))


def _home_pages(topic: Topic) -> list[str]:
    """The home page of every host of an example or a seed, in a fixed order."""
    starts = chain(
        topic.examples.values_list("url", flat=True), topic.seeds.values_list("url", flat=True)
    )
    return sorted({f"{origin(url)}/" for url in starts})


def _example_links(topic: Topic) -> Iterator[str]:
    """The links of the positive examples' pages."""
    store = page_store(topic.pk)
    rows = topic.examples.filter(fetch=Example.Fetch.FETCHED, relevant=True)
    for row in rows.only("topic", "file", "offset", "length", "digest"):
        yield from parse(store.read(row.record)).links.urls
    store.close()


def _spread(links: Iterable[str]) -> list[str]:
    """The links with one from each host first, then the second of each, so that no host
    dominates."""
    seen: dict[str, int] = {}
    ranked = []
    for url in links:
        name = urls.host(url)
        seen[name] = seen.get(name, 0) + 1
        ranked.append((seen[name], url))
    return [url for _, url in sorted(ranked, key=lambda pair: pair[0])]
