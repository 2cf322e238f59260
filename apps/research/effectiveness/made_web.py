"""Webs made by chance, of several makes, with the subject of each page as its label.

The words are invented. A page is about one subject, partly about another one of the same field, and
partly about nothing. What distinguishes a link's target from others differs by make: texts,
anchors, addresses, hosts, or only what the linking pages are about.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Floats, Longs

FIELDS, SUBJECTS = 9, 5
"""Fields, and subjects in each."""
OWN_WORDS, FIELD_WORDS, PLAIN_WORDS = 120, 200, 1_500
SYLLABLES = (
    "ba ce di fo gu la me ni po ru sa te vi zo ka lem nor pin tas dul fer gon hil"
    " mar bres cha dro ghe kli plu sto tri"
).split()
BLIND = ("more", "read on", "here", "next page", "details")


@dataclass(frozen=True, slots=True)
class Make:
    """The parameters of a made web; shares are in [0, 1].

    `words` of a page's text and `links` in it, at the median; `own` of its words and `stays` of its
    links are on its subject, `near` of its links on its field; `blind` of the anchors are empty
    phrases; `named` of addresses have words of the page's title. A host has about `per_host` pages,
    `loyal` of them on its main subject; `inside` of the links stay on the host. `menu` links of
    each page are the same on the whole host.
    """

    pages: int
    words: int
    links: int
    own: float
    stays: float
    near: float
    blind: float
    named: float
    per_host: int
    loyal: float
    inside: float
    menu: int


MAKES: Mapping[str, Make] = MappingProxyType(
    {
        "encyclopaedia": Make(6_000, 180, 22, 0.14, 0.22, 0.30, 0.0, 1.0, 6_000, 0.0, 0.0, 6),
        "many-hosts": Make(8_000, 140, 9, 0.16, 0.30, 0.20, 0.25, 0.4, 10, 0.6, 0.35, 3),
        "portals": Make(7_000, 90, 14, 0.18, 0.26, 0.24, 0.5, 0.15, 175, 0.3, 0.7, 10),
        "notices": Make(6_000, 25, 7, 0.25, 0.12, 0.25, 0.1, 0.1, 60, 0.1, 0.5, 4),
    }
)
"""An encyclopaedia on one host; blogs and small sites on hundreds of hosts; portals with menus and
links with empty anchors; short notices that seldom link to their like."""


class MadeWeb:
    """All pages of a made web, the same for a make and a seed."""

    def __init__(self, make: Make, seed: int) -> None:
        self._make = make
        self._chance = np.random.default_rng(seed)
        self._words = _Words(self._chance)
        subjects, pages = FIELDS * SUBJECTS, make.pages
        self._hosts = max(1, pages // make.per_host)
        main = self._chance.integers(subjects, size=self._hosts)
        self._host: Longs = np.sort(self._chance.integers(self._hosts, size=pages))
        free = self._chance.choice(subjects, pages, p=_uneven(subjects, self._chance))
        loyal = self._chance.random(pages) < make.loyal
        self._subject = np.where(loyal, main[self._host], free)
        self._renown = self._chance.pareto(1.3, pages) + 0.1
        self._titles = [self._words.title(subject) for subject in self._subject.tolist()]
        self._urls = [self._url(page) for page in range(pages)]
        self._pools = self._all_pools()
        self._menus = [self._menu(host) for host in range(self._hosts)]

    def lines(self) -> Iterator[str]:
        """One JSON object a page: url, html, topics."""
        for page, url in enumerate(self._urls):
            subject = int(self._subject[page])
            label = f"field{subject // SUBJECTS}/{self._words.name(subject)}"
            yield json.dumps({"url": url, "html": self._html(page), "topics": [label]})

    def _url(self, page: int) -> str:
        host = f"h{self._host[page]}.{self._words.plain_word(int(self._host[page]))}.test"
        if self._chance.random() < self._make.named:
            return f"http://{host}/{'-'.join(self._titles[page])}-{page}"
        folder = self._words.plain_word(int(self._chance.integers(40)))
        return f"http://{host}/{folder}/{page}.html"

    def _all_pools(self) -> dict[tuple[str, int], tuple[Longs, Floats]]:
        """The pages that a link may lead to, with their shares of its chance."""
        field, every = self._subject // SUBJECTS, np.zeros(self._make.pages, np.int64)
        groups = {"subject": self._subject, "field": field, "any": every, "host": self._host}
        pools = {}
        for name, group in groups.items():
            order = np.argsort(group, kind="stable")
            starts = np.flatnonzero(np.diff(group[order], prepend=-1))
            for members in np.split(order, starts[1:]):
                renown = self._renown[members]
                pools[name, int(group[members[0]])] = members, np.cumsum(renown / renown.sum())
        return pools

    def _draw(self, name: str, group: int) -> int:
        members, shares = self._pools[name, group]
        position = int(np.searchsorted(shares, self._chance.random()))
        return int(members[min(position, len(members) - 1)])

    def _menu(self, host: int) -> list[int]:
        name = ("host", host) if ("host", host) in self._pools else ("any", 0)
        return [self._draw(*name) for _ in range(self._make.menu)]

    def _target(self, page: int) -> int:
        make, draw = self._make, self._chance.random(2)
        subject = int(self._subject[page])
        if draw[0] < make.stays:
            return self._draw("subject", subject)
        if draw[0] < make.stays + make.near:
            return self._draw("field", subject // SUBJECTS)
        if draw[1] < make.inside:
            return self._draw("host", int(self._host[page]))
        return self._draw("any", 0)

    def _html(self, page: int) -> str:
        make, chance = self._make, self._chance
        own = make.own * chance.uniform(0.4, 1.6)
        subject = int(self._subject[page])
        second = subject // SUBJECTS * SUBJECTS + int(chance.integers(SUBJECTS))
        blocks = [self._text(subject, second, own, int(make.words * chance.lognormal(0, 0.5)))]
        for _ in range(int(make.links * chance.lognormal(0, 0.6)) + 1):
            target = self._target(page)
            around = self._text(subject, int(self._subject[target]), own / 2, 16)
            blocks.append(f"{around} {self._link(target)}.")
        menu = " ".join(self._link(target) for target in self._menus[self._host[page]])
        title = " ".join(self._titles[page])
        return (
            f"<html><head><title>{title}</title></head><body><ul>{menu}</ul><h1>{title}</h1>"
            f"<p>{'</p><p>'.join(blocks)}</p></body></html>"
        )

    def _link(self, target: int) -> str:
        is_blind = self._chance.random() < self._make.blind
        words = str(self._chance.choice(BLIND)) if is_blind else " ".join(self._titles[target])
        return f"<a href='{self._urls[target]}'>{words}</a>"

    def _text(self, subject: int, second: int, own: float, count: int) -> str:
        shares = [own, own / 2, own / 2, 1 - 2 * own]
        return " ".join(self._words.draw_words(subject, second, shares, max(count, 1)))


class _Words:
    """The words of all subjects, of all fields, and plain ones; the first are the commonest."""

    def __init__(self, chance: np.random.Generator) -> None:
        self._chance = chance
        subjects = FIELDS * SUBJECTS
        count = subjects * OWN_WORDS + FIELDS * FIELD_WORDS + PLAIN_WORDS
        every = _invented(count, chance)
        own, field = subjects * OWN_WORDS, FIELDS * FIELD_WORDS
        self._own = every[:own].reshape(subjects, OWN_WORDS)
        self._field = every[own : own + field].reshape(FIELDS, FIELD_WORDS)
        self._plain = every[own + field :]

    def name(self, subject: int) -> str:
        return str(self._own[subject, 0])

    def plain_word(self, number: int) -> str:
        return str(self._plain[-1 - number % PLAIN_WORDS])

    def title(self, subject: int) -> list[str]:
        """Three words, one or two of them of the subject or its field."""
        first = self._some(self._own[subject], 1)
        second = self._some(
            self._field[subject // SUBJECTS] if self._chance.random() < 0.5 else self._plain, 1
        )
        return [*first, *second, *self._some(self._plain, 1)]

    def draw_words(self, subject: int, second: int, shares: list[float], count: int) -> list[str]:
        """Words of the subject, of the second one, of the field, and plain ones, by shares."""
        kinds = np.bincount(self._chance.choice(4, count, p=shares), minlength=4).tolist()
        lists = (
            self._own[subject],
            self._own[second],
            self._field[subject // SUBJECTS],
            self._plain,
        )
        drawn = [
            word
            for words, most in zip(lists, kinds, strict=True)
            for word in self._some(words, most)
        ]
        self._chance.shuffle(drawn)
        return drawn

    def _some(self, words: NDArray[np.str_], count: int) -> list[str]:
        """Drawn by a law of the kind of Zipf's."""
        ranks = (len(words) + 1) ** self._chance.random(count) - 1
        return [str(word) for word in words[ranks.astype(np.int64)]]


def _invented(count: int, chance: np.random.Generator) -> NDArray[np.str_]:
    """Different words of two to four syllables."""
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(chance.choice(SYLLABLES, chance.integers(2, 5)))] = None
    return np.array([*words])


def _uneven(count: int, chance: np.random.Generator) -> Floats:
    weights = chance.uniform(0.4, 1.6, count)
    shares: Floats = weights / weights.sum()
    return shares
