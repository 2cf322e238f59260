"""The links of the demo web, drawn once for the whole web.

Status locality (SL §3.1) comes from a Gaussian copula: a link draws the status of its target near
the status of its source, and somewhat above, so that the in-links of popular pages follow a
power law and yet a page of high status links to many others.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from apps.demo.plan import NO_TOPIC, Floats, Ints, PageKind, WebPlan

LOCALITY = 0.82
"""Correlation of the status of source and target in freely drawn links; menus and lists dilute
it."""

CLIMB_ON_TOPIC, CLIMB_ELSEWHERE = 0.0, 0.9
"""By how many standard deviations a link aims above the status of its source. Pages of the same
topic link to each other fairly evenly; popular pages get their links from elsewhere, so a crawl
that leaves its topic may reach higher status."""

FEW, MANY = 4, 65
"""Links in the text of the pages with the least and the most brokerage, with duplicates."""


class LinkRole(IntEnum):
    """Where on a page a link is. If two links share a target the smaller role wins."""

    MENU = 0
    LIST = 1
    TEXT = 2
    RELATED = 3
    FOOTER = 4


@dataclass(frozen=True, slots=True)
class Graph:
    """Distinct links; those of page u are at start[u]:start[u + 1]."""

    start: Ints
    target: Ints
    role: Ints

    @property
    def source(self) -> Ints:
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def inlinks(self) -> Ints:
        """How many other pages link to each page."""
        return np.bincount(self.target, minlength=len(self.start) - 1)


class _Pools:
    """Groups of pages, each sorted by status, to draw from at a quantile."""

    def __init__(self, pages: Ints, group: Ints, groups: int, rank: Floats) -> None:
        order = np.lexsort((rank[pages], group))
        self.pages = pages[order]
        self.size = np.bincount(group, minlength=groups)
        self.start = np.cumsum(self.size) - self.size

    def draw(self, group: Ints, quantile: Floats) -> Ints:
        """A page of each group at that quantile; −1 for an empty group."""
        size = self.size[group]
        offset = np.minimum((quantile * size).astype(np.int64), np.maximum(size - 1, 0))
        drawn = self.pages[np.minimum(self.start[group] + offset, len(self.pages) - 1)]
        return np.where(size > 0, drawn, -1)


def draw_graph(plan: WebPlan, rng: np.random.Generator) -> Graph:
    """The links of a planned web. Every page can be reached from the home page of its host."""
    parts = [
        *_menus(plan, rng),
        _lists(plan, rng),
        *_texts(plan, rng),
        _neighbours(plan, rng),
    ]
    source = np.concatenate([part[0] for part in parts])
    target = np.concatenate([part[1] for part in parts])
    role = np.concatenate([np.full(len(part[0]), part[2]) for part in parts])
    kept = (target >= 0) & (source != target)
    return _distinct(source[kept], target[kept], role[kept], len(plan))


def _distinct(source: Ints, target: Ints, role: Ints, pages: int) -> Graph:
    order = np.lexsort((role, target, source))
    source, target, role = source[order], target[order], role[order]
    new = np.ones(len(source), np.bool_)
    new[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    start = np.zeros(pages + 1, np.int64)
    np.cumsum(np.bincount(source[new], minlength=pages), out=start[1:])
    return Graph(start, target[new], role[new])


Part = tuple[Ints, Ints, LinkRole]


def _menus(plan: WebPlan, rng: np.random.Generator) -> list[Part]:
    """Links home, to the page's own section and to one more section of its host."""
    pages = np.flatnonzero(plan.kind != PageKind.HOME)
    other = _any_section(plan.sections[plan.host[pages]], rng)
    own = plan.sections[plan.host[pages], plan.topic[pages]]
    draw = rng.random((3, len(pages)))
    return [
        (pages[draw[0] < 0.9], plan.host[pages][draw[0] < 0.9], LinkRole.MENU),
        (pages[draw[1] < 0.9], own[draw[1] < 0.9], LinkRole.MENU),
        (pages[draw[2] < 0.6], other[draw[2] < 0.6], LinkRole.MENU),
    ]


def _any_section(held: Ints, rng: np.random.Generator) -> Ints:
    """A section of each row that has pages; −1 if none has."""
    columns = np.argmax(rng.random(held.shape) * (held >= 0), axis=1)
    targets: Ints = held[np.arange(len(held)), columns]
    return targets


def _lists(plan: WebPlan, rng: np.random.Generator) -> Part:
    """Each page in the list of its parent; a hidden one on a page of another topic.

    That page is an article of the same host and of about the same status, or the home page if the
    host has only one topic.
    """
    pages = np.flatnonzero(plan.kind != PageKind.HOME)
    source = np.where(plan.hidden[pages], _elsewhere(plan, pages, rng), plan.parent[pages])
    return source, pages, LinkRole.LIST


def _elsewhere(plan: WebPlan, pages: Ints, rng: np.random.Generator) -> Ints:
    hosts, topics = plan.sections.shape
    held = plan.sections[plan.host[pages]].copy()
    held[np.arange(len(pages)), plan.topic[pages]] = -1
    section = _any_section(held, rng)
    shown = np.flatnonzero((plan.kind == PageKind.ARTICLE) & ~plan.hidden)
    pools = _Pools(shown, plan.host[shown] * topics + plan.topic[shown], hosts * topics, plan.rank)
    group = plan.host[pages] * topics + plan.topic[section]
    near = pools.draw(group, plan.rank[pages])
    return np.where((section >= 0) & (near >= 0), near, plan.host[pages])


def _texts(plan: WebPlan, rng: np.random.Generator) -> list[Part]:
    """Links in and below the text; the share of them on the page's topic is about its focus."""
    count = np.round(FEW * (MANY / FEW) ** plan.brokerage).astype(np.int64)
    count[plan.kind != PageKind.ARTICLE] = 14
    source = np.repeat(np.arange(len(plan)), count)
    stay = rng.random(len(source)) < (1.3 * plan.focus - 0.42)[source]
    stay &= plan.topic[source] != NO_TOPIC
    near = rng.random(len(source)) < np.where(stay, 0.35, 0.6)
    quantile = _near_status(plan, source, np.where(stay, CLIMB_ON_TOPIC, CLIMB_ELSEWHERE), rng)
    target = _draw_links(plan, source, stay, near, quantile)
    same = plan.topic[target] == plan.topic[source]
    target = np.where(plan.hidden[target] & same, -1, target)
    related = rng.random(len(source)) < 0.3
    return [
        (source[~related], target[~related], LinkRole.TEXT),
        (source[related], target[related], LinkRole.RELATED),
    ]


def _draw_links(
    plan: WebPlan, source: Ints, stay: NDArray[np.bool_], near: NDArray[np.bool_], quantile: Floats
) -> Ints:
    """Targets from the pool of each link: (host and topic), topic, host, or the whole web."""
    hosts, topics = plan.sections.shape
    every = np.flatnonzero(plan.kind == PageKind.ARTICLE)
    shown = every[~plan.hidden[every]]
    host, topic = plan.host[source], plan.topic[source]
    pools = (
        (
            stay & near,
            _Pools(shown, plan.host[shown] * topics + plan.topic[shown], hosts * topics, plan.rank),
            host * topics + topic,
        ),
        (stay & ~near, _Pools(shown, plan.topic[shown], topics, plan.rank), topic),
        (~stay & near, _Pools(every, plan.host[every], hosts, plan.rank), host),
        (~stay & ~near, _Pools(every, np.zeros_like(every), 1, plan.rank), np.zeros_like(host)),
    )
    target = np.full(len(source), -1)
    for chosen, pool, group in pools:
        target[chosen] = pool.draw(group[chosen], quantile[chosen])
    return target


def _near_status(plan: WebPlan, source: Ints, climb: Floats, rng: np.random.Generator) -> Floats:
    """The quantile of status at which the target of each link is drawn (see `LOCALITY`)."""
    normal = np.sort(rng.normal(size=len(plan)))
    score = np.empty(len(plan))
    score[np.argsort(plan.rank)] = normal
    noise = np.sqrt(1 - LOCALITY**2) * rng.normal(size=len(source))
    ranks: Floats = np.searchsorted(normal, LOCALITY * score[source] + noise + climb) / len(plan)
    return ranks


def _neighbours(plan: WebPlan, rng: np.random.Generator) -> Part:
    """Home pages link to the next host and three others; one page in twelve links to a partner's
    home page."""
    hosts = len(plan.sections)
    homes = np.arange(hosts)
    pages = np.flatnonzero(rng.random(len(plan)) < 1 / 12)
    source = np.concatenate([homes, np.repeat(homes, 3), pages])
    target = np.concatenate([(homes + 1) % hosts, rng.integers(0, hosts, 3 * hosts + len(pages))])
    return source, target, LinkRole.FOOTER
