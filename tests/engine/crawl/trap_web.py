"""Honest pages next to endless ones, all on one host."""

from __future__ import annotations

import random
from urllib.parse import parse_qsl

from apps.engine.answers import Answer

HOST = "http://site.test"
HONEST = 60
MONTHS = "January February March April May June July August September October November December"
COLOURS, SIZES, SORTS = ("red", "green", "blue", "grey"), ("s", "m", "l", "xl"), ("asc", "desc")


def words(seed: int, count: int) -> str:
    draw = random.Random(seed)
    return " ".join("".join(draw.choices("abcdefghijklmnop", k=6)) for _ in range(count))


class TrapWeb:
    """`traps` names those that honest pages link to. Every page has the same menu."""

    hosts = frozenset({"site.test"})

    def __init__(self, *traps: str) -> None:
        self._traps = traps
        self.honest = {f"{HOST}/p/{i}.html" for i in range(HONEST)}

    def urls(self):
        return iter(sorted(self.honest))

    def labels(self, url: str) -> tuple[str, ...]:
        return ()

    def get(self, url: str) -> Answer:
        path, _, query = url.removeprefix(HOST).partition("?")
        kind = path.split("/")[1]
        page = {
            "p": self._honest,
            "cal": self._calendar,
            "shop": self._facets,
            "deep": self._deep,
            "loop": self._loop,
        }.get(kind, self._nothing)
        html = page(path, query)
        if html is None:
            return Answer(url, url, status=404, failure="http_404")
        return Answer(url, url, 200, (("Content-Type", "text/html"),), html.encode())

    def _page(self, text: str, links: list[str]) -> str:
        menu = "menu of the site with its usual words at the top of every page"
        anchors = " ".join(f"<a href='{link}'>go</a>" for link in links)
        return f"<title>{menu}</title><p>{text}</p>{anchors}"

    def _honest(self, path: str, query: str) -> str | None:
        number = int(path.removeprefix("/p/").removesuffix(".html"))
        if number >= HONEST:
            return None
        mark = ""
        if "session" in self._traps:
            mark = f"?visit={random.Random(path + query).randrange(10**9)}"
        links = [f"/p/{(number * step + 1) % HONEST}.html{mark}" for step in (1, 2, 3)]
        starts = {
            "calendar": "/cal/2026/11/",
            "facets": "/shop?color=red",
            "deep": "/deep/",
            "loop": "/loop/a/",
        }
        links += [starts[trap] for trap in self._traps if trap in starts]
        return self._page(words(number, 60), links)

    def _calendar(self, path: str, query: str) -> str:
        year, month = (int(part) for part in path.strip("/").split("/")[1:])
        later = f"/cal/{year + month // 12}/{month % 12 + 1}/"
        earlier = f"/cal/{year - (month == 1)}/{(month - 2) % 12 + 1}/"
        days = " ".join(str(day) for day in range(1, 31))
        return self._page(f"{MONTHS.split()[month - 1]} {year} {days}", [later, earlier])

    def _facets(self, path: str, query: str) -> str:
        chosen = dict(parse_qsl(query))
        options = [("color", value) for value in COLOURS] + [("size", value) for value in SIZES]
        options += [("sort", value) for value in SORTS] + [("page", str(n)) for n in range(9)]
        links = [
            "/shop?" + "&".join(f"{k}={v}" for k, v in {**chosen, name: value}.items())
            for name, value in options
        ]
        seen = random.Random(query).sample(range(30), 8)
        return self._page(" ".join(words(1000 + i, 3) for i in seen), links)

    def _deep(self, path: str, query: str) -> str:
        below = words(hash_of(path), 2).split()
        return self._page("a folder with folders in it", [f"{path}{word}/" for word in below])

    def _loop(self, path: str, query: str) -> str:
        return self._page("a relative link that was meant otherwise", ["a/", "b/"])

    def _nothing(self, path: str, query: str) -> str | None:
        return None


def hash_of(text: str) -> int:
    return sum(ord(letter) * 31**i for i, letter in enumerate(text)) % 10**9
