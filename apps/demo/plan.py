"""The hosts and pages of the demo web: everything but links and text.

A page is a number from 0; its properties are columns of `WebPlan`. `rank` (0 to 1) is its latent
status, drawn independently of the topic, so that a crawl can trade the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_TOPIC = -1
DEMO_TOPIC_SHARE = 0.145

HOSTS = (
    "almanac",
    "commons",
    "gazette",
    "village",
    "workshop",
    "letters",
    "orchard",
    "harbour",
    "notebook",
    "bakery",
    "observatory",
    "velo",
    "apiary",
    "foundry",
    "junction",
    "allotment",
    "kiln",
    "lagoon",
    "levain",
    "meadow",
    "refractor",
    "peloton",
    "hive",
    "typecase",
    "signalbox",
    "seedbed",
    "glaze",
    "tidepool",
    "miller",
    "cloudform",
    "granary",
    "pantry",
    "crumb",
    "gambit",
    "weatherglass",
    "rookery",
)
"""First labels of the host names, from the largest host to the smallest."""

MAIN_TOPICS = {
    "bakery": 0,
    "levain": 0,
    "miller": 0,
    "crumb": 0,
    "lagoon": 1,
    "tidepool": 1,
    "observatory": 2,
    "refractor": 2,
    "velo": 3,
    "peloton": 3,
    "apiary": 4,
    "meadow": 4,
    "hive": 4,
    "foundry": 5,
    "typecase": 5,
    "junction": 6,
    "signalbox": 6,
    "allotment": 7,
    "seedbed": 7,
    "kiln": 8,
    "glaze": 8,
    "cloudform": 9,
    "weatherglass": 9,
}
"""The topic that dominates a host, by host number; other hosts have several topics in similar
shares."""


class PageKind(IntEnum):
    """The kind of a page."""

    HOME = 0
    SECTION = 1
    ARTICLE = 2


@dataclass(frozen=True, slots=True)
class WebPlan:
    """The pages; every column has one entry for each page.

    `host` and `topic` are indices (topic −1: none), `parent` the page whose list links to this one
    (−1 for home pages), `focus` the share of its text that is on its topic. `volume`, `rarity`,
    `shallowness` and `brokerage` are in [0, 1] and follow `rank` with noise, as SL §4.2 has it of
    words, specific terms, location and out-links. A `hidden` page is reached through pages of other
    topics only. `sections[host, topic]` is a page, or −1.
    """

    kind: Ints
    host: Ints
    topic: Ints
    parent: Ints
    rank: Floats
    focus: Floats
    volume: Floats
    rarity: Floats
    shallowness: Floats
    brokerage: Floats
    hidden: NDArray[np.bool_]
    sections: Ints

    def __len__(self) -> int:
        return len(self.host)


def quantiles(values: Floats) -> Floats:
    """The quantile of each value among all of them, inside (0, 1)."""
    ranks = np.empty(len(values))
    ranks[np.argsort(values, kind="stable")] = np.arange(len(values)) + 0.5
    return ranks / len(values)


def section_sizes(pages: int, topics: int, rng: np.random.Generator) -> Ints:
    """How many pages each host has on each topic: [hosts, topics], adding up to about `pages`.

    Host sizes follow a power law and the demo topic (number 0) keeps its share of the whole: the
    table is scaled to both in turn until they agree.
    """
    shares = _interests(topics, rng)
    of_host = np.arange(1, len(HOSTS) + 1) ** -0.9
    of_topic = rng.uniform(0.8, 1.2, topics)
    of_topic[1:] *= (1 - DEMO_TOPIC_SHARE) / of_topic[1:].sum()
    of_topic[0] = DEMO_TOPIC_SHARE
    for _ in range(40):
        shares *= of_host[:, None] / of_host.sum() / shares.sum(axis=1, keepdims=True)
        shares *= of_topic / shares.sum(axis=0)
    sizes = np.floor(shares * (pages - len(HOSTS))).astype(np.int64)
    sizes[sizes < 4] = 0
    sizes[0, 1] += pages - len(HOSTS) - sizes.sum()
    return sizes


def _interests(topics: int, rng: np.random.Generator) -> Floats:
    interests = np.zeros((len(HOSTS), topics))
    for row, name in enumerate(HOSTS):
        main = MAIN_TOPICS.get(name)
        others = rng.permutation(topics)[: 6 if main is None else 3]
        interests[row, others] = rng.uniform(0.4, 1.0, len(others))
        interests[row, 0] += 0.3 if row % 2 == 0 else 0.0
        if main is not None:
            interests[row, main] = 6.0
    interests[0, 1] += 0.5
    return interests


def draw_plan(sizes: Ints, rng: np.random.Generator) -> WebPlan:
    """The pages of a web whose hosts have `sizes` pages on their topics.

    Home pages come first, then section by section; within one, pages of higher status tend to be
    nearer its front page.
    """
    host, topic, group, position = _stand(sizes)
    lead = len(sizes)
    kind = np.where(position > 0, PageKind.ARTICLE, PageKind.SECTION).astype(np.int64)
    kind[:lead] = PageKind.HOME
    status = rng.normal(size=len(host))
    status[kind != PageKind.ARTICLE] = np.abs(status[kind != PageKind.ARTICLE]) + 0.3
    first = np.where(kind == PageKind.ARTICLE, status + rng.normal(0, 0.7, len(host)), np.inf)
    status = status[np.lexsort((-first, group))]
    starts = np.flatnonzero(kind == PageKind.SECTION)
    sections = np.full(sizes.shape, -1)
    sections[host[starts], topic[starts]] = starts
    parent = np.where(position > 0, np.arange(len(host)) - position + (position - 1) // 7, host)
    parent[:lead] = -1
    return WebPlan(
        kind=kind,
        host=host,
        topic=topic,
        parent=parent,
        rank=quantiles(status),
        focus=rng.uniform(0.3, 0.95, len(host)),
        volume=_follow(status, rng),
        rarity=_follow(status, rng),
        shallowness=_follow(status, rng),
        brokerage=_follow(status, rng, 0.9),
        hidden=(kind == PageKind.ARTICLE) & (rng.random(len(host)) < 0.08),
        sections=sections,
    )


def _stand(sizes: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Host, topic, group (home pages or a section) and position in the group of every page."""
    hosts, topics = np.nonzero(sizes)
    counts = sizes[hosts, topics]
    lead = np.arange(len(sizes))
    main = np.argmax(sizes, axis=1)
    devoted = sizes[lead, main] > 0.6 * sizes.sum(axis=1)
    host = np.concatenate([lead, np.repeat(hosts, counts)])
    topic = np.concatenate([np.where(devoted, main, NO_TOPIC), np.repeat(topics, counts)])
    group = np.concatenate([lead, len(lead) + np.repeat(np.arange(len(counts)), counts)])
    position = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return host, topic, group, np.concatenate([np.zeros(len(lead), np.int64), position])


def _follow(status: Floats, rng: np.random.Generator, closeness: float = 0.8) -> Floats:
    noise = rng.normal(size=len(status))
    return quantiles(closeness * status + np.sqrt(1 - closeness**2) * noise)
