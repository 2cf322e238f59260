"""A made web with all that recorded pages may be, and a topic with all that it may have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.engine.topics import CrawledPage, Example, Taxonomy, Topic
from tests.made_web import MadeWeb, bread_topic

HTML = ("Content-Type", "text/html; charset=utf-8")
CHALLENGE = "<title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/x></script>"
REFRESH = "<meta http-equiv=refresh content='{}; url=http://h2.test/p/8.html'>"
UNLIKE = "<p>Größe, naïve façade: 北京大学 12 007 <b>half</b>way&shy;house <i></i>"


class OddWeb(MadeWeb):
    """Of every sixty pages, eighteen are odd each in its own way."""

    def _page(self, url: str, i: int) -> Answer:
        page = super()._page(url, i)
        odd = self.ODD.get(i % 60)
        return page if odd is None else odd(page)

    def get(self, url: str) -> Answer:
        # Places with a query each, of which every page leads to more.
        if url.startswith("http://h0.test/calendar?"):
            month = int(url.rpartition("=")[2])
            links = "".join(f"<a href='/calendar?month={month + k}'>{k}</a>" for k in range(1, 4))
            return Answer(url, url, 200, (HTML,), f"<p>monday tuesday {links}".encode())
        return super().get(url)

    ODD = {
        5: lambda page: add(page, REFRESH.format(0), before=True),
        6: lambda page: add(page, REFRESH.format(900), before=True),
        # 8 is in its own URL, not in that of page 5, which leads to it.
        8: lambda page: replace(page, body=b"<p>8 loaves of rye, dough and oven"),
        9: lambda page: add(page, "<meta name=robots content=nofollow>", before=True),
        10: lambda page: add(page, "<meta name=robots content=noindex>", before=True),
        11: lambda page: replace(page, headers=(HTML, ("X-Robots-Tag", "nofollow"))),
        14: lambda page: replace(page, headers=(HTML, ("X-Robots-Tag", "test: noindex"))),
        15: lambda page: add(
            page, "<link rel=canonical href=/p/4.html><base href=/deep/er/>", before=True
        ),
        17: lambda page: replace(page, body=CHALLENGE.encode()),
        18: lambda page: replace(page, body=page.body + b"<i></i>" * 11_000),
        21: lambda page: replace(
            page, status=302, headers=(HTML, ("Location", "http://h1.test/p/4.html"))
        ),
        22: lambda page: replace(page, status=503),
        23: lambda page: replace(page, body=b""),
        25: lambda page: replace(page, headers=(("Content-Type", "image/png"),)),
        26: lambda page: replace(page, headers=(("Content-Type", "text/plain"),)),
        28: lambda page: add(page, UNLIKE),
        30: lambda page: replace(
            page, hops=("http://h9.test/before",), seconds=0.25, truncated=True
        ),
        33: lambda page: add(
            page,
            "<a href='/calendar?month=1'>months</a><a href=/p/28.html>"
            "<img alt='rye bread' src=x></a><a href='mailto:x@y'>mail</a>"
            "<a href='http://gone.test/x'>gone</a>",
        ),
    }


def add(page: Answer, html: str, before: bool = False) -> Answer:
    added = html.encode()
    return replace(page, body=added + page.body if before else page.body + added)


def parsed(web: OddWeb, url: str) -> Document | None:
    """The page of an example, or None if the URL leads to none."""
    answer = read(web, url)
    return None if answer.failure else parse(answer)


def rich_topic(web: OddWeb, document=None) -> Topic:
    """The topic of bread with all inputs; its documents from `document`, else parsed."""
    document = document or (lambda url: parsed(web, url))

    def documents(numbers: Iterable[int]) -> tuple[Document, ...]:
        return tuple(parsed for i in numbers if (parsed := document(web.url(i))) is not None)

    def examples(plain: tuple[Example, ...]) -> tuple[Example, ...]:
        pairs = ((example, document(example.url)) for example in plain)
        return tuple(replace(example, document=parsed) for example, parsed in pairs if parsed)

    plain = bread_topic(web)
    training = examples(plain.training)
    return replace(
        plain,
        training=training,
        evaluation=examples(plain.evaluation),
        seeds=(web.url(0), web.url(3), web.url(5), web.url(33)),
        background=documents(range(1, 4)),
        corpus=documents(range(60, 73)),
        backlinks=documents(range(120, 133)),
        taxonomy=Taxonomy(
            tuple(("/Food/Bread" if e.relevant else "/Sky/Stars", e.document) for e in training),
            "/Food",
        ),
        earlier=tuple(CrawledPage(page.url, page) for page in documents(range(180, 236))),
        inlinks={web.url(i): (i * 7) % 40 for i in range(web.count)},
        traffic={"h1.test": 10, "h2.test": 2000},
    )
