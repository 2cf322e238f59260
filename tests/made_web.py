"""A small made web for tests: two subjects, several hosts, links that mostly keep to theirs."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Set
from functools import lru_cache

from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.engine.topics import Example, Topic

BREAD = "dough flour yeast oven loaf crust starter knead proof bake rye wheat".split()
STARS = "orbit comet planet lens galaxy nebula eclipse meteor dwarf quasar lunar solar".split()
PLAIN = "people often speak about things that happen when they come home and sit down".split()


class MadeWeb:
    """`pages` pages on `hosts` hosts; page i is about bread where i is divisible by 4."""

    def __init__(self, pages: int = 200, hosts: int = 8, seed: int = 1) -> None:
        self.hosts: Set[str] = {f"h{i}.test" for i in range(hosts)}
        self.count = pages
        self._seed = seed
        self._n_hosts = hosts
        self._number = {self.url(i): i for i in range(pages)}
        # A page is asked for again and again, a large web only once.
        self._page_again = lru_cache(1024)(self._page)
        self.example = lru_cache(1024)(self._make_example)

    def url(self, i: int) -> str:
        return f"http://h{i // 4 % self._n_hosts}.test/p/{i}.html"

    def urls(self) -> Iterator[str]:
        yield from self._number

    def labels(self, url: str) -> tuple[str, ...]:
        return ("bread",) if self._number.get(url, 1) % 4 == 0 else ("stars",)

    def get(self, url: str) -> Answer:
        host = url.split("/")[2]
        if host not in self.hosts:
            return Answer(url, url, failure="dns")
        if url.endswith("/robots.txt"):
            return self._text(url, "User-agent: *\nDisallow: /p/13.html\n")
        if url.endswith("/old"):
            target = self.url(int(url.split("/")[-2]))
            return Answer(url, url, status=301, headers=(("Location", target),))
        if url not in self._number:
            return Answer(url, url, status=404, failure="http_404")
        return self._page_again(url, self._number[url])

    def _text(self, url: str, text: str) -> Answer:
        return Answer(url, url, 200, (("Content-Type", "text/plain"),), text.encode())

    def _page(self, url: str, i: int) -> Answer:
        draw = random.Random(self._seed * 1_000_003 + i)
        words = BREAD if i % 4 == 0 else STARS

        def prose(n: int) -> str:
            return " ".join(draw.choice(words if draw.random() < 0.4 else PLAIN) for _ in range(n))

        parts = [f"<title>{prose(4)}</title>"]
        for _ in range(8):
            near = draw.random() < 0.6
            other = (
                draw.randrange(self.count // 4) * 4
                if near == (i % 4 == 0)
                else draw.randrange(self.count)
            )
            href = self.url(other)
            if draw.random() < 0.05:
                href = f"http://h{other % self._n_hosts}.test/{other}/old"
            elif draw.random() < 0.04:
                href = f"/gone/{other}"
            anchor = " ".join(draw.choice(BREAD if other % 4 == 0 else STARS) for _ in range(2))
            parts.append(f"<p>{prose(25)} <a href='{href}'>{anchor}</a> {prose(10)}</p>")
        html = f"<html><body>{''.join(parts)}</body></html>"
        return Answer(url, url, 200, (("Content-Type", "text/html; charset=utf-8"),), html.encode())

    def json_lines(self) -> str:
        """The whole web as a file of JSON lines."""
        return "\n".join(
            json.dumps(
                {"url": url, "html": self.get(url).body.decode(), "topics": self.labels(url)}
            )
            for url in self.urls()
        )

    def document(self, i: int) -> Document:
        return parse(read(self, self.url(i)))

    def _make_example(self, i: int) -> Example:
        return Example(self.url(i), self.document(i), relevant=i % 4 == 0)


def bread_topic(web: MadeWeb, seeds: int = 4) -> Topic:
    """Bread: 10 + 20 examples to train on, as many others to judge by, 10 targets."""
    bread = list(range(web.count - 4, 0, -4))
    stars = [i for i in range(web.count - 1, 0, -1) if i % 4]
    return Topic(
        name="bread",
        language="en",
        keywords=("bread", "dough", "flour"),
        seeds=tuple(web.url(i) for i in range(seeds)),
        training=tuple(web.example(i) for i in bread[:10] + stars[:20]),
        evaluation=tuple(web.example(i) for i in bread[10:20] + stars[20:40]),
        targets=frozenset(web.url(i) for i in bread[-12:-2]),
        inlinks={web.url(i): (i * 7) % 40 for i in bread[:20]},
    )
