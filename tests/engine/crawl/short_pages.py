"""Honest sites of short pages, and hostile places to stand beside them. All on one host."""

from __future__ import annotations

import random
from collections.abc import Iterator

from apps.engine.answers import Answer

HOST = "http://site.test"
SHORT = 400
FIRST = "Anna Bela Carl Dora Emil Fina Gert Hana Ivan Jana".split()
LAST = "Abel Brand Cerny Dreyer Ellis Fiala Graf Horak Ito Jonas".split()
CLUBS = "Rovers City United Albion Wanderers County Rangers Athletic Orient Villa".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December"
HONEST = ("gauges", "people", "results")
TRAPS = (
    "calendar",
    "days",
    "missing",
    "scattered",
    "session",
    "relative",
    "echo",
    "facets",
    "queries",
)


def draw(*seed: object) -> random.Random:
    return random.Random(repr(seed))


def mark(*seed: object) -> str:
    """A made-up mark of six letters and digits, one in seven without a digit."""
    return "".join(draw(*seed).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=6))


class ShortPages:
    """400 short pages of the honest kinds, in a chain with two neighbours each, with traps beside
    them."""

    hosts = frozenset({"site.test"})

    def __init__(self, *kinds: str) -> None:
        self.kinds = [kind for kind in kinds if kind in HONEST]
        self.traps = [kind for kind in kinds if kind in TRAPS]
        each = SHORT // len(self.kinds)
        self._paths = [self._path(kind, i) for kind in self.kinds for i in range(each)]
        self._number = {path: i for i, path in enumerate(self._paths)}
        self.honest = {HOST + path for path in self._paths}

    @property
    def seed(self) -> str:
        return HOST + self._paths[0]

    def urls(self) -> Iterator[str]:
        return iter(sorted(self.honest))

    def labels(self, url: str) -> tuple[str, ...]:
        return ()

    def get(self, url: str) -> Answer:
        path, _, query = url.removeprefix(HOST).partition("?")
        if path in self._number:
            html = self._short(self._number[path], path, query)
        else:
            kind = path.split("/")[1]
            page = {
                "a": self._calendar,
                "shop": self._facets,
                "item": self._missing,
                "rel": self._relative,
                "tree": self._echo,
                "q": self._queries,
            }.get(kind)
            if page is None:
                return Answer(url, url, status=404, failure="http_404")
            html = page(path, query)
        return Answer(url, url, 200, (("Content-Type", "text/html"),), html.encode())

    def _path(self, kind: str, i: int) -> str:
        if kind == "people":
            return f"/people/{FIRST[i % 10]}-{LAST[i // 10 % 10]}-{'abcd'[i // 100]}".lower()
        return {"gauges": f"/gauge/{i}", "results": f"/results/2024/{i % 12 + 1}/{i}"}[kind]

    def _short(self, i: int, path: str, query: str) -> str:
        kind = self.kinds[i * len(self.kinds) // len(self._paths)]
        some = draw(kind, i)
        if kind == "gauges":
            text = (
                f"Gauge {i}. Level {some.randrange(80, 600)} cm, flow {some.randrange(900)} "
                "litres a second. Measured today."
            )
        elif kind == "people":
            text = f"{FIRST[i % 10]} {LAST[i // 10 % 10]}. Room {some.randrange(40)}. Lecturer."
        else:
            home, away = some.sample(CLUBS, 2)
            text = f"Final score: {home} {some.randrange(5)} – {some.randrange(5)} {away}"
        visit = f"?visit={some.randrange(10**9)}{query[-1:]}" if "session" in self.traps else ""
        links = [self._paths[n] + visit for n in (i - 1, i + 1) if 0 <= n < len(self._paths)]
        return _page(text, links + self._ways_in(i))

    def _ways_in(self, i: int) -> list[str]:
        ways = {
            "calendar": "/a/b/c/2024/5/",
            "days": "/a/days/x/2024/5/",
            "missing": "/item/k3j9x2",
            "scattered": f"/item/{mark('in', i)}",
            "relative": "/rel/a/",
            "echo": "/tree/",
            "facets": "/shop?color=red",
            "queries": "/q/find?page=1",
        }
        return [ways[trap] for trap in self.traps if trap in ways]

    def _calendar(self, path: str, query: str) -> str:
        """Months, or months and days, before and after without end."""
        *root, year, month = path.strip("/").split("/")[:5]
        day = path.strip("/").split("/")[5:]
        calendar, y, m = "/" + "/".join(root), int(year), int(month)
        if day:
            weekday = WEEKDAYS[(y * 372 + m * 31 + int(day[0])) % 7]
            text = f"{weekday} {day[0]} {MONTHS.split()[m - 1]} {y}. No events."
            return _page(
                text, [f"{calendar}/{y}/{m}/", f"{calendar}/{y}/{m}/{int(day[0]) % 31 + 1}"]
            )
        links = [
            f"{calendar}/{y + m // 12}/{m % 12 + 1}/",
            f"{calendar}/{y - (m == 1)}/{(m - 2) % 12 + 1}/",
        ]
        if "days" in root:
            links += [f"{calendar}/{y}/{m}/{d}" for d in range(1, 32)]
        days = " ".join(str(d) for d in range(1, 32))
        return _page(f"{MONTHS.split()[m - 1]} {y} {days}", links)

    def _missing(self, path: str, query: str) -> str:
        """What is not there, with five other marks that are not there either."""
        others = [mark(path, n) for n in range(5)]
        text = f"The page {path.rpartition('/')[2]} was not found. Try {' '.join(others)}"
        return _page(text, [f"/item/{other}" for other in others])

    def _relative(self, path: str, query: str) -> str:
        return _page("a relative link that was meant otherwise", ["a/", "b/", "c/"])

    def _echo(self, path: str, query: str) -> str:
        below = ["".join(draw(path, n).choices("abcdefghij", k=5)) for n in range(2)]
        return _page(f"Index of {path} {' '.join(below)}", [f"{path}{name}/" for name in below])

    def _facets(self, path: str, query: str) -> str:
        chosen = dict(pair.split("=") for pair in query.split("&"))
        options = {
            "color": "red green blue grey",
            "size": "s m l xl",
            "sort": "asc desc",
            "page": "1 2 3 4 5 6 7 8 9",
        }
        links = [
            "/shop?" + "&".join(f"{k}={v}" for k, v in {**chosen, name: value}.items())
            for name, values in options.items()
            for value in values.split()
        ]
        products = " ".join(f"article{n} {n * 7}" for n in draw(query).sample(range(30), 8))
        return _page(f"{query.replace('&', ' ')} {products}", links)

    def _queries(self, path: str, query: str) -> str:
        page = int(query.rpartition("=")[2])
        return _page(f"Page {page}. No more results.", [f"/q/find?page={page + 1}"])


def _page(text: str, links: list[str]) -> str:
    anchors = " ".join(f"<a href='{link}'>go</a>" for link in links)
    return f"<title>A site of short pages</title><p>{text}</p>{anchors}"
