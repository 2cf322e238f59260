"""Titles and URLs of the demo web's pages."""

from __future__ import annotations

import re
from random import Random

from apps.demo.plan import HOSTS, NO_TOPIC, PageKind, WebPlan
from apps.demo.prose import TITLES, Palette
from apps.demo.vocabulary import TopicWords

BANK = 32
MEMBERS = "/members/"
"""The directory that every robots.txt of the demo web disallows."""

# Looked up twenty thousand times, at which an enumeration is slow.
_HOME, _SECTION, _ARTICLE = int(PageKind.HOME), int(PageKind.SECTION), int(PageKind.ARTICLE)
_WORDS = re.compile(r"[a-z0-9]+")
_ENDINGS = (".html", ".html", "/", ".htm", "", ".php")


def host_name(host: int) -> str:
    return f"{HOSTS[host]}.demo.test"


def draw_bank(fields: tuple[TopicWords, ...], rng: Random) -> list[list[Palette]]:
    """Palettes made in advance, `BANK` a topic, for what a page writes about other pages."""
    return [[Palette(field, rng, 0.5) for _ in range(BANK)] for field in fields]


def draw_titles(
    plan: WebPlan, bank: list[list[Palette]], fields: tuple[TopicWords, ...], rng: Random
) -> list[str]:
    """A title for each page. One in five has few words of the page's topic."""
    titles = []
    for page, (kind, topic) in enumerate(zip(plan.kind.tolist(), plan.topic.tolist(), strict=True)):
        if kind == _HOME:
            titles.append(f"The {HOSTS[page].capitalize()}")
        elif kind == _SECTION:
            titles.append(fields[topic].name)
        else:
            field = -1 if topic == NO_TOPIC or rng.random() < 0.2 else topic
            titles.append(bank[field][int(rng.random() * BANK)].fill(TITLES, rng))
    return titles


def draw_urls(
    plan: WebPlan, titles: list[str], fields: tuple[TopicWords, ...], rng: Random
) -> list[str]:
    """A distinct URL for each page, in canonical form; the less `shallowness`, the deeper."""
    taken: set[str] = set()
    urls = []
    columns = (plan.host, plan.kind, plan.topic, plan.shallowness)
    rows = zip(*(column.tolist() for column in columns), titles, strict=True)
    for page, (host, kind, topic, shallowness, title) in enumerate(rows):
        if kind == _ARTICLE:
            path = _path(page, host, fields[topic].slug, shallowness, title, rng)
        else:
            path = "/" if kind == _HOME else f"/{fields[topic].slug}/"
        url = f"http://{host_name(host)}{path}"
        while url in taken:
            url = _numbered(url, page)
        taken.add(url)
        urls.append(url)
    return urls


def _path(page: int, host: int, section: str, shallowness: float, title: str, rng: Random) -> str:
    """The path of an article, the deeper the less shallow it is."""
    year, month = 1998 + int(rng.random() * 26), 1 + int(rng.random() * 12)
    levels = (
        "",
        f"{section}/",
        f"{section}/{year}/",
        f"archive/{section}/{year}/",
        f"archive/{section}/{year}/{month:02d}/",
    )
    folder = levels[int((1 - shallowness) * 4.999)]
    if rng.random() < 0.02:
        folder = MEMBERS[1:] + folder
    ending = _ENDINGS[host % len(_ENDINGS)]
    if ending == ".php":
        return f"/{folder}show.php?id={page}"
    return f"/{folder}{slug(title)}{ending}"


def slug(title: str) -> str:
    return "-".join(_WORDS.findall(title.lower()))


def _numbered(url: str, page: int) -> str:
    """The URL with the page's number in its last segment."""
    path, dot, ending = url.rpartition(".") if url.endswith((".html", ".htm")) else (url, "", "")
    slash = "/" if path.endswith("/") else ""
    return f"{path.removesuffix('/')}-{page}{slash}{dot}{ending}"
