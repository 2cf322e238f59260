"""Writes one page of the demo web: prose on its topic, and links with words about their targets."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from html import escape
from random import Random

from apps.demo import markup
from apps.demo.addresses import BANK, host_name
from apps.demo.graph import Graph, LinkRole
from apps.demo.plan import NO_TOPIC, WebPlan
from apps.demo.prose import LEADS, SENTENCES, Palette
from apps.demo.vocabulary import TopicWords

SECOND = 0.65
"""The share of asides that are about the page's second topic."""

_BLIND_ANCHORS = ("here", "more", "this page", "read on", "the full story", "a longer article")


def generator(seed: int, name: str) -> Random:
    """A random generator that depends on the seed and the name only."""
    digest = blake2b(f"{seed} {name}".encode(), digest_size=8).digest()
    return Random(int.from_bytes(digest))


@dataclass(frozen=True, slots=True)
class Writer:
    """Holds the plan of the whole web and writes single pages of it."""

    seed: int
    plan: WebPlan
    graph: Graph
    urls: list[str]
    titles: list[str]
    fields: tuple[TopicWords, ...]
    bank: list[list[Palette]]

    def write(self, page: int) -> tuple[str, bytes]:
        """Content-Type and bytes of a page."""
        return _Desk(self, page).write()

    def style(self, page: int) -> int:
        """Hosts have a house style, from which a few pages depart."""
        host = int(self.plan.host[page])
        return (host + (page % 11 == 0) * (page % 5)) % markup.STYLES


class _Desk:
    """The writing of one page."""

    def __init__(self, writer: Writer, page: int) -> None:
        self.writer, self.page = writer, page
        self.url = writer.urls[page]
        self.style = writer.style(page)
        self.rng = generator(writer.seed, self.url)
        self.topic = int(writer.plan.topic[page])
        field = writer.fields[self.topic if self.topic != NO_TOPIC else -1]
        self.second = self._second_topic()
        self.own = Palette(field, self.rng, float(writer.plan.rarity[page]))

    def write(self) -> tuple[str, bytes]:
        graph, page = self.writer.graph, self.page
        span = slice(graph.start[page], graph.start[page + 1])
        links: dict[int, list[int]] = {role: [] for role in LinkRole}
        for target, role in zip(
            graph.target[span].tolist(), graph.role[span].tolist(), strict=True
        ):
            links[role].append(target)
        menu = [self._link(target, self._name(target)) for target in links[LinkRole.MENU]]
        copy = markup.Copy(
            title=self.writer.titles[page],
            site=self.writer.titles[int(self.writer.plan.host[page])],
            menu=menu,
            crumbs=[*menu[:2], escape(self.writer.titles[page])],
            paragraphs=self._paragraphs(links[LinkRole.TEXT]),
            listed=[self._list_entry(target) for target in links[LinkRole.LIST]],
            related=[
                self._link(target, self._anchor_text(target)) for target in links[LinkRole.RELATED]
            ],
            footer=[
                *(self._link(target, self._name(target)) for target in links[LinkRole.FOOTER]),
                *self._dead_ends(),
            ],
        )
        content_type = markup.CHARSETS[self.style][1]
        return content_type, markup.marked_up(copy, self.style, self.url, self.rng)

    def _paragraphs(self, targets: list[int]) -> list[str]:
        """Sentences, `focus` of them on the page's topic, with links strewn among them."""
        plan, page, draw = self.writer.plan, self.page, self.rng.random
        count = 8 + int(42 * float(plan.volume[page])) + int(draw() * 6)
        on_topic = 0.8 * float(plan.focus[page])
        sentences = [
            (self.own if draw() < on_topic else self._aside()).fill(SENTENCES, self.rng)
            for _ in range(count)
        ]
        for target in targets:
            sentences.insert(int(draw() * len(sentences)), self._lead(target))
        paragraphs = []
        while sentences:
            size = 3 + int(draw() * 4)
            paragraphs.append(" ".join(sentences[:size]))
            sentences = sentences[size:]
        return paragraphs

    def _second_topic(self) -> int:
        """The page's second topic, most often a neighbour of its own."""
        slugs = [field.slug for field in self.writer.fields]
        if self.topic != NO_TOPIC and self.rng.random() < 0.6:
            near = self.writer.fields[self.topic].neighbours
            return slugs.index(near[int(self.rng.random() * len(near))])
        return int(self.rng.random() * (len(slugs) - 1))

    def _aside(self) -> Palette:
        """Talk about the page's second topic or about nothing in particular."""
        topic = self.second if self.rng.random() < SECOND else -1
        return self.writer.bank[topic][int(self.rng.random() * BANK)]

    def _palette_of(self, target: int) -> Palette:
        topic = int(self.writer.plan.topic[target])
        return self.writer.bank[topic if topic != NO_TOPIC else -1][target % BANK]

    def _lead(self, target: int) -> str:
        """A sentence with a link; three in four are about the link's target."""
        announced = self.rng.random() < 0.75
        palette = self._palette_of(target) if announced else self.own
        return palette.fill(LEADS, self.rng, self._link(target, self._anchor_text(target)))

    def _list_entry(self, target: int) -> str:
        text = self._palette_of(target).fill(SENTENCES, self.rng)
        return f"{self._link(target, self._name(target))}: {text}"

    def _name(self, target: int) -> str:
        return escape(self.writer.titles[target])

    def _anchor_text(self, target: int) -> str:
        """The title, a few words of the target's topic, a picture, the URL, or an uninformative
        text."""
        draw = self.rng.random()
        if draw < 0.55:
            return self._name(target)
        if draw < 0.72:
            words = self._palette_of(target).words
            choice = int(self.rng.random() * 9)
            return f"{words['look'][choice]} {words['things'][choice]}"
        if draw < 0.78:
            return markup.picture(self.writer.titles[target], self.style)
        if draw < 0.82:
            return escape(self.writer.urls[target])
        return _BLIND_ANCHORS[int(self.rng.random() * len(_BLIND_ANCHORS))]

    def _link(self, target: int, text: str) -> str:
        url = self.writer.urls[target]
        if self.rng.random() < 0.01:
            url = moved(url, target)
        return markup.anchor(
            markup.reference(self.url, url, self.style, self.rng), text, self.style
        )

    def _dead_ends(self) -> list[str]:
        """Links that lead to no page: a log-in that robots.txt disallows, gone pages and hosts."""
        draw = self.rng.random
        number = int(draw() * 900)
        links = []
        if draw() < 0.15:
            links.append('<a rel="nofollow" href="/cgi-bin/login">Log in</a>')
        if draw() < 0.12:
            links.append(f'<a href="/gone/{number}.html">Last year’s programme</a>')
        if draw() < 0.04:
            links.append(f'<a href="http://closed{number % 7}.demo.test/">Our former site</a>')
        if draw() < 0.06:
            links.append(f'<a href="mailto:post@{host_name(0)}">Write to us</a>')
        return links


def moved(url: str, page: int) -> str:
    """A former URL of the page, which answers with a redirect."""
    return "/".join(url.split("/")[:3]) + f"/moved/{page}"
