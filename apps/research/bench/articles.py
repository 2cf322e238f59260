"""A web of articles like those of encyclopaedias and newspapers, in several scripts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from urllib.parse import quote

from apps.engine.answers import Answer
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.engine.topics import Example, Topic

SCRIPTS: dict[str, tuple[str, str]] = {
    "latin": ("abcdefghijklmnopqrstuvwxyz", " "),
    "cyrillic": ("абвгдежзийклмнопрстуфхцчшыья", " "),
    "greek": ("αβγδεζηθικλμνξοπρστυφχψω", " "),
    "arabic": ("ابتثجحخدذرزسشصضطظعغفقكلمنهوي", " "),
    "devanagari": ("कखगघचछजझटठडढतथदधनपफबभमयरलवशसह", " "),
    "han": ("".join(map(chr, range(0x4E00, 0x5200))), ""),
    "japanese": (
        "".join(map(chr, range(0x3042, 0x3094))) + "".join(map(chr, range(0x4E00, 0x4F00))),
        "",
    ),
    "thai": ("กขคงจฉชซญฐณดตถทนบปผพฟภมยรลวศษสหอ", ""),
}
"""The letters of each script, and what stands between its words."""
MOSTLY = ("latin",) * 10 + ("cyrillic", "greek", "arabic", "devanagari", "han", "japanese", "thai")
PAGES, HOSTS = 100_000, 200
TERMS, TOPIC_TERMS = 6_000, 60
PARAGRAPHS, WORDS, MENU = 20, 31, 11
ON_TOPIC = 5
"""Every fifth page is on the topic."""


class ArticleWeb:
    """Pages of about 26 kB with 51 links and 620 words, in the proportions of `MOSTLY` or all in
    one script; each is written when it is asked for. Every host has a script of its own."""

    def __init__(self, script: str | None = None, pages: int = PAGES, hosts: int = HOSTS) -> None:
        self.hosts = frozenset(f"h{host}.test" for host in range(hosts))
        self.count = pages
        self._n_hosts = hosts
        self._script = script

    def script(self, page: int) -> str:
        """The name of a page's script."""
        return self._script or MOSTLY[page % self._n_hosts % len(MOSTLY)]

    def url(self, page: int) -> str:
        title = _terms(self.script(page))[page % TERMS]
        return f"http://h{page % self._n_hosts}.test/wiki/{quote(title)}_{page}"

    def urls(self) -> Iterator[str]:
        return map(self.url, range(self.count))

    def page_at(self, url: str) -> str | None:
        return url

    def labels(self, url: str) -> tuple[str, ...]:
        return ()

    def get(self, url: str) -> Answer:
        number = url.rpartition("_")[2]
        if not number.isdigit() or int(number) >= self.count:
            return Answer(url, url, status=404, failure="http_404")
        body = self._page(int(number)).encode()
        return Answer(url, url, 200, (("Content-Type", "text/html; charset=utf-8"),), body)

    def _page(self, page: int) -> str:
        draw, script = random.Random(page), self.script(page)
        words = _draw_words(draw, script, PARAGRAPHS * WORDS, page % ON_TOPIC == 0)
        menu = (page % self._n_hosts + self._n_hosts * n for n in range(1, MENU + 1))
        links = "".join(f"<li class='item'>{self._link(to, words[:1])}</li>\n" for to in menu)
        parts = "".join(
            self._paragraph(
                n,
                words[n * WORDS : (n + 1) * WORDS],
                self._target(draw, page),
                self._target(draw, page),
                SCRIPTS[script][1],
            )
            for n in range(PARAGRAPHS)
        )
        title = SCRIPTS[script][1].join(words[:3])
        return (
            f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'><title>{title}</title>\n{_HEAD}"
            f"</head>\n<body class='page'><nav><ul class='menu'>\n{links}</ul></nav>\n"
            f"<main id='content'><h1>{title}</h1>\n{parts}</main>\n{_FOOT}</body></html>\n"
        )

    def _paragraph(self, number: int, words: list[str], one: int, other: int, space: str) -> str:
        return (
            f'<h3 class="heading" id="section-{number}"><span>{space.join(words[:2])}</span>'
            f'</h3>\n<p class="paragraph wide" data-number="{number}">{space.join(words[2:10])} '
            f"{self._link(one, words[10:12])} {space.join(words[12:20])}, <b>{words[20]}</b> "
            f"{space.join(words[21:26])} {self._link(other, words[26:27])} "
            f'{space.join(words[27:])}. <sup class="reference"><i>[{number}]</i></sup></p>\n'
            f'<div class="figure"><img class="thumb" src="/images/{number}.jpg" alt="" width="220"'
            f' height="140" loading="lazy"></div>\n{_BOX}'
        )

    def _target(self, draw: random.Random, page: int) -> int:
        """Two links of three lead to the same host, and those of pages on the topic mostly to such
        pages."""
        to = draw.randrange(self.count)
        if draw.random() < 0.67:
            to = (to // self._n_hosts * self._n_hosts + page % self._n_hosts) % self.count
        elif page % ON_TOPIC == 0 and draw.random() < 0.6:
            to -= to % ON_TOPIC
        return to

    def _link(self, to: int, words: list[str]) -> str:
        host, _, path = self.url(to).removeprefix("http://").partition("/")
        return (
            f'<a href="http://{host}/{path}" class="link" title="{path[5:25]}">'
            f"{SCRIPTS[self.script(to)][1].join(words)}</a>"
        )


@cache
def _terms(script: str) -> list[str]:
    draw = random.Random(script)
    letters, space = SCRIPTS[script]
    sizes = (4, 11) if space else (2, 4)
    return ["".join(draw.choices(letters, k=draw.randrange(*sizes))) for _ in range(TERMS)]


@cache
def _weights() -> list[float]:
    """Words are as frequent as in texts (Zipf)."""
    return list(accumulate(1 / (rank + 3) for rank in range(TERMS)))


def _draw_words(draw: random.Random, script: str, number: int, on_topic: bool) -> list[str]:
    terms = _terms(script)
    words = draw.choices(terms, cum_weights=_weights(), k=number)
    if on_topic:
        for at in range(0, number, 3):
            words[at] = terms[-1 - draw.randrange(TOPIC_TERMS)]
    return words


_STYLE = "".join(f".part-{n} > .item{{margin:{n}px;color:#{n:06x}}}\n" for n in range(25))
_CODE = "".join(f"window.parts.push({{id:{n},name:'part {n}',loaded:false}});\n" for n in range(20))
_HEAD = (
    "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
    "<link rel='stylesheet' href='/static/all.css'><link rel='icon' href='/favicon.ico'>\n"
    f"<style>{_STYLE}</style>\n<script>window.parts = [];\n{_CODE}</script>\n"
    "<script src='/static/all.js' defer></script>\n"
)
_ROW = (
    "<tr class='row odd' style='vertical-align:top'><th scope='row' class='label'>–</th>"
    "<td class='value number' data-sort='0'><span class='unit'>·</span></td></tr>\n"
)
_BOX = f"<table class='box wide' role='presentation'><tbody>\n{2 * _ROW}</tbody></table>\n"
_FOOT = (
    "<footer><p>All rights reserved.</p><!-- made in 12 ms --></footer>\n<script>go();</script>\n"
)


def article_topic(web: ArticleWeb, examples: int = 30) -> Topic:
    """The topic of every fifth page: examples to train on and as many to judge by, in all of the
    web's scripts."""

    def draw(first: int, relevant: bool, number: int) -> tuple[Example, ...]:
        urls = [web.url((first + n) * ON_TOPIC + (0 if relevant else 2)) for n in range(number)]
        return tuple(Example(url, parse(read(web, url)), relevant) for url in urls)

    keywords = _terms(web.script(0))[-1 : -1 - 10 : -1]
    return Topic(
        name="articles",
        language="en",
        keywords=tuple(keywords),
        seeds=tuple(web.url(n * ON_TOPIC) for n in range(20)),
        training=(*draw(500, True, examples), *draw(500, False, 2 * examples)),
        evaluation=(*draw(900, True, examples), *draw(900, False, examples)),
        targets=frozenset(),
    )
