"""A made web that changes by a script: new pages on and off the topic, edits, deletions, moves,
and noise that is no change."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime
from functools import cached_property

DAY = timedelta(days=1)
BREAD = "dough flour yeast oven loaf crust starter knead proof bake rye wheat bread".split()
STARS = "orbit comet planet lens galaxy nebula eclipse meteor dwarf quasar lunar solar".split()
PLAIN = (
    "people often speak about things that happen when they come home and sit down with friends"
    " who bring news from town while rain falls outside and somebody opens a window"
).split()
ADS = "insurance holiday cruise mattress broadband trainers sofa phone".split()
PARAGRAPHS, WORDS = 6, 32
LATEST = 12
OF_ARCHIVE = 40
ROBOTS = "User-agent: *\nAllow: /\n"


@dataclass(frozen=True, slots=True)
class WebScript:
    """How large the web is and how much happens in it: `new` pages a day of either kind, `lively`
    pages that are edited every few days among others that hardly ever are."""

    hosts: int = 12
    pages: int = 1_200
    on_topic: float = 0.25
    new: float = 8.0
    days: int = 30
    lively: float = 0.08
    deleted: float = 0.03
    moved: float = 0.03
    seed: int = 1


@dataclass(frozen=True, slots=True)
class ScriptedPage:
    """A page and what happens to it; moments are days since the start."""

    number: int
    host: int
    on_topic: bool
    born: float
    edits: tuple[float, ...] = ()
    deleted: float | None = None
    moved: float | None = None
    soft: bool = False

    def version(self, day: float) -> int:
        """How often it has been edited by then."""
        return sum(edit <= day for edit in self.edits)

    def lives(self, day: float) -> bool:
        """Whether it is there then."""
        return self.born <= day and (self.deleted is None or day < self.deleted)


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """An answer of the scripted web."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(eq=False)
class ChangingWeb:
    """The web at the moment `now`, which whoever simulates sets. `requests` counts those for pages
    and lists, without robots.txt."""

    shape: WebScript
    start: datetime
    now: datetime = field(init=False)
    requests: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.now = self.start

    @property
    def day(self) -> float:
        """Days since the start."""
        return (self.now - self.start) / DAY

    @cached_property
    def pages(self) -> tuple[ScriptedPage, ...]:
        """All pages that there are or will be."""
        draw, shape = random.Random(self.shape.seed), self.shape
        births = [(-1.0, draw.random() < shape.on_topic) for _ in range(shape.pages)]
        for on_topic in (True, False):
            day = 0.0
            while (day := day + draw.expovariate(shape.new)) < shape.days:
                births.append((day, on_topic))
        return tuple(self._script(number, *birth, draw) for number, birth in enumerate(births))

    def _script(
        self, number: int, born: float, on_topic: bool, draw: random.Random
    ) -> ScriptedPage:
        shape = self.shape
        is_new = born >= 0
        every = draw.choice((2.0, 3.0, 5.0)) if draw.random() < shape.lively else 200.0
        edits, day = [], max(born, 0.0)
        while (day := day + draw.expovariate(1 / every)) < shape.days:
            edits.append(day)
        fate = draw.random()
        deleted = draw.uniform(1, shape.days) if fate < shape.deleted and not is_new else None
        will_move = shape.deleted <= fate < shape.deleted + shape.moved and not is_new
        return ScriptedPage(
            number=number,
            host=draw.randrange(shape.hosts),
            on_topic=on_topic,
            born=born,
            edits=tuple(edit for edit in edits if deleted is None or edit < deleted),
            deleted=deleted,
            moved=draw.uniform(1, shape.days) if will_move else None,
            soft=draw.random() < 0.3,
        )

    # Addresses ---------------------------------------------------------------------------------

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(f"h{i}.test" for i in range(self.shape.hosts))

    def url(self, page: ScriptedPage) -> str:
        """The address of a page until it moves."""
        return f"http://h{page.host}.test/p/{page.number}.html"

    @cached_property
    def by_url(self) -> Mapping[str, ScriptedPage]:
        """The pages by their first addresses, and by those to which they move."""
        first = {self.url(page): page for page in self.pages}
        return first | {_moved(self.url(page)): page for page in self.pages if page.moved}

    def living(self) -> Iterator[ScriptedPage]:
        """The pages that are there now."""
        return (page for page in self.pages if page.lives(self.day))

    def address(self, page: ScriptedPage) -> str:
        """Where a page is now."""
        url = self.url(page)
        return _moved(url) if page.moved is not None and page.moved <= self.day else url

    # Answers -----------------------------------------------------------------------------------

    def answer(self, host: str, path: str, conditions: Mapping[str, str]) -> ScriptedAnswer:
        """The answer to a request now."""
        if path == "/robots.txt":
            return ScriptedAnswer(200, ROBOTS.encode(), (("Content-Type", "text/plain"),))
        self.requests += 1
        number = int(host.removeprefix("h").removesuffix(".test"))
        if path == "/":
            return _html(self._front(number))
        if path.startswith("/archive/"):
            return self._archive(number, path)
        if path == "/feed.xml" and number % 3 != 2:
            return _xml(self._feed(number))
        if path == "/sitemap.xml" and number % 3 != 1:
            return _xml(self._sitemap(number))
        page = self.by_url.get(f"http://{host}{path}")
        if page is None or page.born > self.day:
            return ScriptedAnswer(404)
        return self._page(page, path, conditions)

    def _page(self, page: ScriptedPage, path: str, conditions: Mapping[str, str]) -> ScriptedAnswer:
        if not page.lives(self.day):
            to_start = (("Location", f"http://h{page.host}.test/"),)
            return ScriptedAnswer(302, headers=to_start) if page.soft else ScriptedAnswer(410)
        address = self.address(page)
        if not address.endswith(path):
            return (
                ScriptedAnswer(301, headers=(("Location", address),))
                if page.moved
                else ScriptedAnswer(404)
            )
        if page.host % 2:
            return _html(self._markup(page, with_noise=True))
        modified = format_datetime(self.start + self._edited(page) * DAY, usegmt=False)
        tag = f'"{page.number}-{page.version(self.day)}"'
        if conditions.get("if-none-match") == tag:
            return ScriptedAnswer(304)
        return _html(
            self._markup(page, with_noise=False), ("ETag", tag), ("Last-Modified", modified)
        )

    def _edited(self, page: ScriptedPage) -> float:
        return max((edit for edit in page.edits if edit <= self.day), default=page.born)

    def main_text(self, page: ScriptedPage, day: float) -> list[str]:
        """The paragraphs of a page then."""
        version = page.version(day)
        # Each edit writes another paragraph anew.
        revision = [version // PARAGRAPHS + (i < version % PARAGRAPHS) for i in range(PARAGRAPHS)]
        return [_prose(self.shape.seed, page, i, revision[i]) for i in range(PARAGRAPHS)]

    def _markup(self, page: ScriptedPage, with_noise: bool) -> str:
        text = "".join(f"<p>{p}</p>" for p in self.main_text(page, self.day))
        title = " ".join(_prose(self.shape.seed, page, 0, 0).split()[:4])
        menu = "".join(f'<li><a href="{href}">{name}</a></li>' for href, name in MENU)
        stamp, aside, foot = "", "", "<p>About this site</p>"
        if with_noise:
            draw = random.Random(f"{self.now.isoformat()} {page.number} {self.requests}")
            stamp = f"<p>Today is {self.now:%A, %d %B %Y}, {self.now:%H:%M}</p>"
            aside = f"<p>Advertisement</p><p>Best {draw.choice(ADS)} offers now</p>"
            foot = f"<p>Visitors: {draw.randrange(10_000, 99_999)}</p>{foot}"
        return (
            f"<html><head><title>{title}</title></head><body><nav><ul>{menu}</ul></nav>{stamp}"
            f"<main><article><h1>{title}</h1>{text}</article></main>"
            f"<aside>{aside}</aside><footer>{foot}</footer></body></html>"
        )

    # Lists -------------------------------------------------------------------------------------

    def _of_host(self, number: int) -> list[ScriptedPage]:
        """The pages of a host that are there now, the newest first."""
        pages = [page for page in self.living() if page.host == number]
        return sorted(pages, key=lambda page: (-page.born, -page.number))

    def _front(self, number: int) -> str:
        pages = self._of_host(number)
        archives = range((len(pages) - 1) // OF_ARCHIVE + 1)
        others = "".join(
            f'<a href="http://h{i}.test/">site {i}</a> ' for i in range(self.shape.hosts)
        )
        links = "".join(f'<p><a href="/archive/{i}.html">archive {i}</a></p>' for i in archives)
        feed = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
        head = f"<title>site {number}</title>{feed if number % 3 != 2 else ''}"
        body = f"{self._items(pages[:LATEST])}{links}{others}"
        return f"<html><head>{head}</head><body>{body}</body></html>"

    def _archive(self, number: int, path: str) -> ScriptedAnswer:
        pages = sorted(self._of_host(number), key=lambda page: page.number)
        name = path.removeprefix("/archive/").removesuffix(".html")
        first = int(name) * OF_ARCHIVE if name.isdigit() else len(pages)
        if first >= len(pages):
            return ScriptedAnswer(404)
        items = self._items(pages[first : first + OF_ARCHIVE])
        return _html(f"<html><head><title>archive</title></head><body>{items}</body></html>")

    def _items(self, pages: list[ScriptedPage]) -> str:
        return "".join(
            f'<p><a href="{self.address(page)}">{self._anchor(page)}</a></p>' for page in pages
        )

    def _anchor(self, page: ScriptedPage) -> str:
        draw = random.Random(f"anchor {self.shape.seed} {page.number}")
        return " ".join(draw.choice(BREAD if page.on_topic else STARS) for _ in range(3))

    def _feed(self, number: int) -> str:
        items = "".join(
            f"<item><title>{self._anchor(page)}</title><link>{self.address(page)}</link>"
            f"<pubDate>{format_datetime(self.start + page.born * DAY)}</pubDate></item>"
            for page in self._of_host(number)[:LATEST]
        )
        return f'<rss version="2.0"><channel><title>site {number}</title>{items}</channel></rss>'

    def _sitemap(self, number: int) -> str:
        """Every second one dates all of its pages today; the others date each by its last edit."""
        wrong = number % 2 == 0
        dates = {
            page: self.now if wrong else self.start + max(self._edited(page), 0) * DAY
            for page in self._of_host(number)
        }
        items = "".join(
            f"<url><loc>{self.address(page)}</loc><lastmod>{date:%Y-%m-%d}</lastmod></url>"
            for page, date in dates.items()
        )
        return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{items}</urlset>'


MENU = (("/", "Home"), ("/archive/0.html", "Archive"))


def _moved(url: str) -> str:
    return url.replace("/p/", "/moved/")


def _prose(seed: int, page: ScriptedPage, paragraph: int, revision: int) -> str:
    draw = random.Random(f"{seed} {page.number} {paragraph} {revision}")
    words = BREAD if page.on_topic else STARS
    text = [draw.choice(words if draw.random() < 0.4 else PLAIN) for _ in range(WORDS)]
    return " ".join(text).capitalize() + "."


def _html(markup: str, *headers: tuple[str, str]) -> ScriptedAnswer:
    kind = ("Content-Type", "text/html; charset=utf-8")
    return ScriptedAnswer(200, markup.encode(), (kind, *headers))


def _xml(markup: str) -> ScriptedAnswer:
    return ScriptedAnswer(200, markup.encode(), (("Content-Type", "application/xml"),))
