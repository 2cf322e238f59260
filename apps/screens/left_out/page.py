"""The template context of what a crawl did not take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import QueryDict

from apps.crawls.certificates import allowed_hosts
from apps.crawls.commands.catalogue import EVENT_KINDS
from apps.crawls.commands.undo import Done, undoable, waiting
from apps.crawls.left_out.reasons import (
    BOT_WALL,
    CERTIFICATE,
    HOST_OUT,
    JAVASCRIPT,
    PATTERN,
    REASONS,
    ROBOTS,
    UNANSWERED,
    LeftOutReason,
)
from apps.crawls.left_out.remedies import REMEDIES
from apps.crawls.left_out.rows import AddressChoice, best_first, entries, left_out_rows
from apps.crawls.left_out.summary import (
    WORTH_A_LOOK,
    HostCount,
    LeftOutSummary,
    ReasonCount,
    by_host,
    summarise,
)
from apps.crawls.models import Crawl, FailedRequest
from apps.engine.errors import UnknownStrategy
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.explains import Explains
from apps.screens.live.event_rows import words
from apps.screens.live.state_badge import state_badge
from apps.topics.definition.lines import storable

SHOWN = 100
HOSTS_SHOWN = 20
LEAST = ("0.9", "0.7", "0.5", "0.3")
VIEWS = {"reason": "By reason", "host": "By host", "priority": "By priority"}
WITH_HOSTS = (ROBOTS, JAVASCRIPT, HOST_OUT, BOT_WALL, CERTIFICATE, UNANSWERED)
"""Reasons whose row lists hosts before addresses."""


@dataclass(frozen=True, slots=True)
class Remedied:
    """The last remedy for a reason, in words; `key` undoes it and is empty if it cannot be undone.
    It `waits` until the crawl's next start."""

    words: str
    key: str
    waits: bool


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """A reason on the screen: its numbers, the button of its remedy, and what was done last."""

    count: ReasonCount
    button: str
    beside: str
    remedied: Remedied | None


def context(crawl: Crawl, asked: QueryDict, may_change: bool) -> dict[str, Any]:
    """The page as `asked`: view `by`, part `q`, `least` priority, and the reason that is `open`."""
    choice = choice_of(asked)
    summary = summarise([crawl], choice)
    labels = _labels(crawl, summary)
    return {
        "crawl": crawl,
        "badge": state_badge(crawl),
        "worth": _worth_a_minute(summary, labels),
        "priority": priority_word([crawl]),
        "may_change": may_change,
        **turned(summary, _rows(crawl, summary.reasons, labels), choice, asked, VIEWS),
        **_details(crawl, choice, asked),
    }


def choice_of(asked: QueryDict) -> AddressChoice:
    """The addresses that the page is asked for."""
    return AddressChoice(part=storable(asked.get("q", "")).strip(), least=_least(asked))


def view_of(asked: QueryDict, views: Mapping[str, str]) -> str:
    """How the page is turned."""
    view = asked.get("by", "")
    return view if view in views else "reason"


def opened_of(asked: QueryDict) -> LeftOutReason | None:
    """The reason that is open."""
    return REASONS.get(asked.get("open", ""))


def turned(
    summary: LeftOutSummary,
    reason_rows: Sequence[ReasonRow],
    choice: AddressChoice,
    asked: QueryDict,
    views: Mapping[str, str],
) -> dict[str, Any]:
    """The summary with its rows, and the links that turn and narrow it."""
    kept = {"q": choice.part, "least": asked.get("least", "")}
    opened, groups = opened_of(asked), list(summary.groups())
    rows = {row.count.reason.id: row for row in reason_rows}
    return {
        "left_out": summary,
        "bar": [("taken", summary.taken), *((g.value, n) for g, n, _ in groups)],
        "groups": [(g, n, [rows[c.reason.id] for c in counts]) for g, n, counts in groups],
        "view": view_of(asked, views),
        "views": [(name, title, _query(kept, by=name)) for name, title in views.items()],
        "choice": choice,
        "least": LEAST,
        "query": _query(kept),
        "reason_query": _query(kept, by="reason"),
        "opened": opened,
        "open_query": _query(kept, open=opened.id if opened else ""),
    }


def _details(crawl: Crawl, choice: AddressChoice, asked: QueryDict) -> dict[str, Any]:
    """The rows of the opened reason, of all hosts, or of all addresses by priority."""
    view, opened = view_of(asked, VIEWS), opened_of(asked)
    if view == "host":
        return {"hosts": by_host([crawl], choice, SHOWN)}
    if view == "reason" and opened is None:
        return {}
    more = addresses([crawl], replace(choice, reason=opened if view == "reason" else None), asked)
    if opened is CERTIFICATE:
        more["allowed"] = allowed_hosts(crawl.topic)
    if opened is PATTERN:
        more["patterns"] = crawl.scope.get("deny_patterns", [])
    return more


def addresses(crawls: Sequence[Crawl], choice: AddressChoice, asked: QueryDict) -> dict[str, Any]:
    """A page of the addresses of a reason or of all, with the hosts where a reason is about
    these."""
    rows = Paginator(best_first(entries(crawls, choice)), SHOWN).get_page(asked.get("page"))
    more: dict[str, Any] = {"page": rows, "addresses": left_out_rows(list(rows))}
    if choice.reason in WITH_HOSTS:
        more["hosts"] = by_host(crawls, choice, HOSTS_SHOWN)
    if choice.reason is CERTIFICATE:
        more["faults"] = _faults(crawls, more["hosts"])
    return more


def _faults(crawls: Sequence[Crawl], hosts: list[HostCount]) -> Mapping[str, str]:
    """The faults of the certificates of these hosts, in words."""
    failed = FailedRequest.objects.filter(
        crawl__in=crawls, kind__in=CERTIFICATE.codes, host__in=[each.host for each in hosts]
    )
    return dict(failed.order_by("at").values_list("host", "detail"))


def _labels(crawl: Crawl, summary: LeftOutSummary) -> dict[str, str]:
    """The words of each remedy's button, by the id of the reason; empty if nothing can be done."""
    return {
        count.reason.id: REMEDIES[count.reason.id].label(crawl, count)
        for count in summary.reasons
        if count.reason.id in REMEDIES
    }


def _worth_a_minute(summary: LeftOutSummary, labels: Mapping[str, str]) -> list[ReasonCount]:
    """The reasons that something can be done about and whose best address promises most."""
    return [
        count
        for count in summary.reasons
        if count.best >= WORTH_A_LOOK and labels.get(count.reason.id)
    ]


def _rows(
    crawl: Crawl, counts: Sequence[ReasonCount], labels: Mapping[str, str]
) -> list[ReasonRow]:
    asked = [Done.of_change(change) for change in waiting(crawl)]
    events = [Done.of_event(event) for event in crawl.events.order_by("-seq")[:SHOWN]]
    keys = undoable(crawl, [*asked, *events], EVENT_KINDS)
    return [_row(count, labels, asked, events, keys) for count in counts]


def _row(
    count: ReasonCount,
    labels: Mapping[str, str],
    asked: list[Done],
    events: list[Done],
    keys: frozenset[str],
) -> ReasonRow:
    remedy = REMEDIES.get(count.reason.id)
    if remedy is None:
        return ReasonRow(count, "", "", None)
    waits = [done for done in asked if done.kind in remedy.kinds]
    done = [*waits, *(each for each in events if each.kind in remedy.kinds and each.key in keys)]
    last = None
    if done and _concerns(done[0], count):
        title, more = words(done[0].kind, done[0].payload)
        key = done[0].key if done[0].key in keys else ""
        last = Remedied(f"{title}: {more}" if more else title, key, bool(waits))
    button = "" if last and last.waits else labels[count.reason.id]
    return ReasonRow(count, button, remedy.beside if button else "", last)


def _concerns(done: Done, count: ReasonCount) -> bool:
    """Whether a change is about this reason: some kinds of change serve several."""
    rule, kinds = done.payload.get("rule"), done.payload.get("kinds")
    if done.kind == "put_back":
        return rule in count.reason.codes
    return kinds is None or bool(set(kinds) & set(count.kinds))


def priority_word(crawls: Sequence[Crawl]) -> str:
    """The name of the strategies' priorities: `chance` if all are probabilities."""
    return "chance" if crawls and all(map(_is_chance, crawls)) else "priority"


def _is_chance(crawl: Crawl) -> bool:
    try:
        chosen = strategy(crawl.strategy)
    except UnknownStrategy:
        return False
    return issubclass(chosen, Explains) and chosen.sums_to == "a chance"


def _least(asked: QueryDict) -> float:
    least = asked.get("least", "")
    return float(least) if least in LEAST else 0.0


def _query(kept: Mapping[str, str], **more: str) -> str:
    return urlencode({name: value for name, value in {**kept, **more}.items() if value})
