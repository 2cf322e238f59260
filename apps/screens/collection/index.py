"""The list of collections: rows, order, and how many pages of each match a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from apps.accounts.requests import SignedInRequest
from apps.collection.listing import CollectionListing, CollectionListSearch
from apps.collection.overview import Collected, collections
from apps.collection.search import search_crawl, search_topic
from apps.collection.selectors import count
from apps.screens.collection.saved import saved_rows
from apps.topics.selectors import editable_topics

WIDTH, HEIGHT = 64, 14


@dataclass(frozen=True, slots=True)
class CollectionSummary:
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
    def relevant(self) -> float | None:
        """The share of its judged pages that are relevant; None without any."""
        return self.held.relevant / self.held.judged if self.held.judged else None

    @property
    def recall(self) -> float | None:
        """The share of the targets that were found; None without targets."""
        held = self.held
        return min(1.0, held.target_pages / held.targets) if held.targets else None

    @property
    def crawls(self) -> str:
        """`crawls #4–7, #30`."""
        numbers = runs([crawl.pk for crawl in self.held.crawls])
        return f"crawl{'s' if len(self.held.crawls) > 1 else ''} {numbers}"


REMOVED = "removed-search"
"""The key in a session of the saved search that was removed last."""


def home(
    request: SignedInRequest, refused: Mapping[int, tuple[str, str]] | None = None
) -> HttpResponse:
    """The visible collections, by topic, and crawls that were shared alone, with the person's saved
    searches, of which names may be `refused` (see `saved_rows`); redirects to a topic if it is the
    only one and no search is saved."""
    search = CollectionListSearch.read(request.GET, {"user": request.user})
    misread = search.misread(request.GET)
    asked = replace(search, words="") if any(each.field == "q" for each in misread) else search
    listing = CollectionListing(request.user, asked)
    page = listing.page(request.GET.get("page"))
    held = collections(request.user, list(page))
    searches = saved_rows(request.user, refused)
    is_alone = len(held) == 1 and held[0].readable and held[0].fetched and not searches
    if is_alone and not request.GET:
        return redirect(_address(held[0]))
    editable = editable_topics(request.user).filter(pk__in=list(page))
    mine = set(editable.values_list("pk", flat=True))
    return render(
        request,
        "collection/home.html",
        {
            "rows": [_row(request.user, e, asked.words, e.topic.pk in mine) for e in held],
            "words": search.words,
            "misread": misread,
            "listing": listing,
            "page": page,
            "searches": searches,
            "removed": request.session.get(REMOVED) if "removed" in request.GET else None,
            **listing.contents,
        },
    )


def _row(user: User, held: Collected, words: str, mine: bool) -> CollectionSummary:
    matching = _matching(user, held, words) if words else None
    points = _points(held.newness)
    return CollectionSummary(
        held,
        _address(held),
        " ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        points[-1] if points else (0.0, 0.0),
        matching,
        mine,
    )


def _matching(user: User, held: Collected, words: str) -> int:
    """How many pages of the collection have the words."""
    if not held.fetched:
        return 0
    query = QueryDict(urlencode({"q": words}))
    if held.readable:
        return count(search_topic(user, held.topic.pk, query)).pages
    return count(search_crawl(user, held.crawls[-1].pk, query)).pages


def _points(newness: Sequence[float]) -> list[tuple[float, float]]:
    """The points of the shares, 1 at the top; a single one becomes a horizontal line."""
    shares = [*newness, *newness] if len(newness) == 1 else newness
    step = WIDTH / max(1, len(shares) - 1)
    return [(i * step, 2 + (HEIGHT - 2) * (1 - share)) for i, share in enumerate(shares)]


def _address(held: Collected) -> str:
    if held.readable:
        return reverse("collection:list", args=[held.topic.pk])
    return reverse("collection:crawl", args=[held.crawls[-1].pk])


def runs(numbers: Sequence[int]) -> str:
    """`#4–7, #30` for 4, 5, 6, 7 and 30; a run of two is written in full."""
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number == groups[-1][-1] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return ", ".join(
        f"#{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(f"#{n}" for n in run)
        for run in groups
    )
