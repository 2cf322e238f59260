"""The template context of a dossier."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.contrib.auth.models import User
from django.core.paginator import Paginator

from apps.crawls.models import Page
from apps.crawls.selectors import visible_crawls
from apps.dossiers.delays import STEPS, Delays
from apps.dossiers.dossier import Dossier
from apps.dossiers.other_topics import other_topics
from apps.dossiers.plain import as_plain
from apps.dossiers.taking_down import in_force, log_of, may_take_down
from apps.figures.quantities import number_of
from apps.hosts.counting import decision_reader
from apps.screens.hosts.words import mark_of

SHOWN = 50
MOST_HASHED = 5_000
"""The requests of a dossier up to which the screen computes its hash; its JSON always has it."""
BAR_WIDTH, BAR_HEIGHT = 60, 80


@dataclass(frozen=True, slots=True)
class DelayBar:
    """A bar of the delays: where it stands and how high it is, in pixels, and its words."""

    x: int
    y: float
    height: float
    number: int
    step: str


@dataclass(frozen=True, slots=True)
class DelayRule:
    """A dashed line where a rule lies, `x` in pixels."""

    x: float
    words: str


def context(dossier: Dossier, user: User, number: str | None) -> dict[str, Any]:
    """The page with the requests of page `number`, as that person may see it."""
    hashed = len(dossier.requests) <= MOST_HASHED
    return {
        "dossier": dossier,
        "mark": mark_of(decision_reader(dossier.topic)(dossier.host)),
        "topic": dossier.topic,
        "page": Paginator(dossier.requests, SHOWN).get_page(number),
        "parts": _parts(dossier),
        "robots": dossier.robots[::-1],
        "bars": _bars(dossier.delays),
        "rules": _rules(dossier.delays),
        "chart_width": BAR_WIDTH * len(STEPS),
        "recorded": 0 if dossier.requests else _recorded_pages(dossier, user),
        "sha256": as_plain(dossier)["sha256"] if hashed else "",
    }


def _recorded_pages(dossier: Dossier, user: User) -> int:
    """How many pages of a host that was never asked the topic's crawls have from recorded webs, of
    the crawls that the person may see."""
    crawls = visible_crawls(user).filter(topic=dossier.topic).values("pk")
    return Page.objects.filter(crawl__in=crawls, host=dossier.host).count()


def take_downs(dossier: Dossier, user: User) -> dict[str, Any]:
    """Past take-downs, those that the person may do, and other topics that sent requests to the
    host."""
    return {
        "others": other_topics(dossier.topic, dossier.host, user),
        "take_downs": log_of(dossier.host, dossier.topic),
        "in_force": in_force(dossier.topic, dossier.host),
        "may_take_down": may_take_down(user, dossier.topic),
        "may_undo": user.is_superuser,
    }


def _parts(dossier: Dossier) -> str:
    """`231 pages, robots.txt 27, others 19`."""
    pages, robots = dossier.page_requests, dossier.robots_requests
    others = len(dossier.requests) - pages - robots
    words = f"{number_of(pages, 'page')}, robots.txt {robots:,}, others {others:,}"
    return f"{words}; {dossier.unanswered:,} without an answer" if dossier.unanswered else words


def _bars(delays: Delays) -> list[DelayBar]:
    most = max(delays.bars, default=0) or 1
    bars = []
    for n, number in enumerate(delays.bars):
        height = round(BAR_HEIGHT * number / most, 1)
        last = n == len(STEPS) - 1
        step = f"over {STEPS[n]:g} s" if last else f"{STEPS[n]:g}–{STEPS[n + 1]:g} s"
        bars.append(DelayBar(n * BAR_WIDTH, 16 + BAR_HEIGHT - height, height, number, step))
    return bars


def _rules(delays: Delays) -> list[DelayRule]:
    return [DelayRule(_x(rule), f"{rule:g} s") for rule in delays.rules]


def _x(seconds: float) -> float:
    """Where a number of seconds lies among the bars."""
    for n, (begin, end) in enumerate(pairwise(STEPS)):
        if seconds < end:
            return round(BAR_WIDTH * (n + (seconds - begin) / (end - begin)), 1)
    return float(BAR_WIDTH * (len(STEPS) - 1))
