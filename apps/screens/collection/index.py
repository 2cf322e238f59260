"""The list of collections: rows, order, and how many pages of each match a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from apps.collection.filters.query import Filters, read_filters
from apps.collection.overview import Collected, collections
from apps.collection.scope import crawl_scope, topic_scope
from apps.collection.selectors import count
from apps.screens.collection.saved import saved_rows
from apps.topics.selectors import editable_topics

WIDTH, HEIGHT = 64, 14


class Order(StrEnum):
    """The order of the collections."""

    LATEST = "latest"
    NAME = "name"
    PAGES = "pages"


WORDS = {Order.LATEST: "Latest page", Order.NAME: "Name", Order.PAGES: "Most pages"}


@dataclass(frozen=True, slots=True)
class Row:
    """One collection; `line` are the points of its newness for an SVG polyline, `last` the newest;
    `matching` is how many of its pages have the search words, None without words; `mine` whether
    the person may start crawls of the topic."""

    held: Collected
    address: str
    line: str
    last: tuple[float, float]
    matching: int | None
    mine: bool

    @property
    def newest(self) -> float | None:
        """The share of the newest crawl's pages that no earlier crawl had fetched."""
        return self.held.newness[-1] if self.held.newness else None

    @property
    def relevant(self) -> float:
        return self.held.relevant / max(1, self.held.pages)

    @property
    def recall(self) -> float:
        return min(1.0, self.held.found / max(1, self.held.targets))

    @property
    def crawls(self) -> str:
        """`crawls #4–7, #30`."""
        numbers = runs([crawl.pk for crawl in self.held.crawls])
        return f"crawl{'s' if len(self.held.crawls) > 1 else ''} {numbers}"


REMOVED = "removed-search"
"""The key in a session of the saved search that was removed last."""


def home(
    request: HttpRequest, refused: Mapping[int, tuple[str, str]] | None = None
) -> HttpResponse:
    """The visible collections, by topic, and crawls that were shared alone, with the person's saved
    searches, of which names may be `refused` (see `saved_rows`); redirects to a topic if it is the
    only one and no search is saved."""
    held = collections(request.user)
    searches = saved_rows(request.user, refused)
    is_alone = len(held) == 1 and held[0].readable and held[0].fetched and not searches
    if is_alone and not request.GET:
        return redirect(_address(held[0]))
    words = read_filters(request.GET).words
    order = next((o for o in Order if o == request.GET.get("order", "")), Order.LATEST)
    mine = set(editable_topics(request.user).values_list("pk", flat=True))
    rows = [
        _row(request.user, each, words, each.topic.pk in mine) for each in ordered(held, order)
    ]
    return render(request, "collection/home.html", {
        "rows": [row for row in rows if row.matching != 0],
        "words": words,
        "order": order,
        "orders": [
            (words_of, _query(words, each), each is order) for each, words_of in WORDS.items()
        ],
        "searches": searches,
        "removed": request.session.get(REMOVED) if "removed" in request.GET else None,
        **_totals(held),
    })


def ordered(held: Sequence[Collected], order: Order) -> list[Collected]:
    """Sorted by `order`; collections without pages come last."""
    keys: dict[Order, Any] = {
        Order.LATEST: lambda each: -each.latest.timestamp() if each.latest else 0.0,
        Order.NAME: lambda each: each.topic.name.lower(),
        Order.PAGES: lambda each: -each.pages,
    }
    return sorted(held, key=keys[order])


def _row(user: AbstractUser, held: Collected, words: str, mine: bool) -> Row:
    matching = _matching(user, held, words) if words else None
    points = _points(held.newness)
    return Row(
        held, _address(held), " ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        points[-1] if points else (0.0, 0.0), matching,
        mine,
    )


def _matching(user: AbstractUser, held: Collected, words: str) -> int:
    """How many pages of the collection have the words."""
    if not held.fetched:
        return 0
    scope = topic_scope(user, held.topic.pk) if held.readable else crawl_scope(
        user, held.crawls[-1].pk
    )
    return count(scope, Filters(words=words)).found


def _points(newness: Sequence[float]) -> list[tuple[float, float]]:
    """The points of the shares, 1 at the top; a single one becomes a horizontal line."""
    shares = [*newness, *newness] if len(newness) == 1 else newness
    step = WIDTH / max(1, len(shares) - 1)
    return [(i * step, 2 + (HEIGHT - 2) * (1 - share)) for i, share in enumerate(shares)]


def _address(held: Collected) -> str:
    if held.readable:
        return reverse("collection:list", args=[held.topic.pk])
    return reverse("collection:crawl", args=[held.crawls[-1].pk])


def _query(words: str, order: Order) -> str:
    return urlencode({"q": words, "order": order} if words else {"order": order})


def _totals(held: Sequence[Collected]) -> dict[str, int]:
    return {
        "topics": sum(bool(each.fetched) for each in held),
        "pages": sum(each.pages for each in held),
        "fetched": sum(each.fetched for each in held),
        "crawls": sum(len(each.crawls) for each in held),
    }


def runs(numbers: Sequence[int]) -> str:
    """`#4–7, #30` for 4, 5, 6, 7 and 30; a run of two is written in full."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(
        f"#{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(f"#{n}" for n in run)
        for run in found
    )
