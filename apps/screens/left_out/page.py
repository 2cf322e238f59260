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
from apps.crawls.models import Crawl
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
    """What was done about a reason last, in words; `key` undoes it, and is empty if nothing can.
    `waits` for the crawl's next start."""

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
    choice = AddressChoice(part=storable(asked.get("q", "")).strip(), least=_least(asked))
    summary = summarise(crawl, choice)
    view = asked.get("by") if asked.get("by") in VIEWS else "reason"
    opened = REASONS.get(asked.get("open", ""))
    kept = {"q": choice.part, "least": asked.get("least", "")}
    groups, labels = list(summary.groups()), _labels(crawl, summary)
    rows = {row.count.reason.id: row for row in _rows(crawl, summary.reasons, labels)}
    return {
        "crawl": crawl,
        "badge": state_badge(crawl),
        "left_out": summary,
        "worth": _worth_a_minute(summary, labels),
        "bar": [("taken", summary.taken), *((g.value, n) for g, n, _ in groups)],
        "groups": [(g, n, [rows[c.reason.id] for c in counts]) for g, n, counts in groups],
        "view": view,
        "views": [(name, title, _query(kept, by=name)) for name, title in VIEWS.items()],
        "priority": _priority_word(crawl),
        "choice": choice,
        "least": LEAST,
        "query": _query(kept),
        "reason_query": _query(kept, by="reason"),
        "opened": opened,
        "open_query": _query(kept, open=opened.id if opened else ""),
        "may_change": may_change,
        **_details(crawl, choice, view, opened, asked.get("page")),
    }


def _details(
    crawl: Crawl,
    choice: AddressChoice,
    view: str | None,
    opened: LeftOutReason | None,
    page: str | None,
) -> dict[str, Any]:
    """The rows of the opened reason, of all hosts, or of all addresses by priority."""
    if view == "host":
        return {"hosts": by_host(crawl, choice, SHOWN)}
    if view == "reason" and opened is None:
        return {}
    within = replace(choice, reason=opened if view == "reason" else None)
    rows = Paginator(best_first(entries(crawl, within)), SHOWN).get_page(page)
    more: dict[str, Any] = {"page": rows, "addresses": left_out_rows(crawl, list(rows))}
    if opened in WITH_HOSTS:
        more["hosts"] = by_host(crawl, within, HOSTS_SHOWN)
    if opened is CERTIFICATE:
        more["faults"] = _faults(crawl, more["hosts"])
        more["allowed"] = allowed_hosts(crawl.topic)
    if opened is PATTERN:
        more["patterns"] = crawl.scope.get("deny_patterns", [])
    return more


def _faults(crawl: Crawl, hosts: list[HostCount]) -> Mapping[str, str]:
    """What is wrong with the certificates of these hosts, in words."""
    failed = crawl.failed_requests.filter(
        kind__in=CERTIFICATE.codes, host__in=[each.host for each in hosts]
    )
    return dict(failed.order_by("request").values_list("host", "detail"))


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


def _priority_word(crawl: Crawl) -> str:
    """What the strategy's priorities are called: a chance, if they are one."""
    try:
        chosen = strategy(crawl.strategy)
    except UnknownStrategy:
        return "priority"
    is_chance = issubclass(chosen, Explains) and chosen.sums_to == "a chance"
    return "chance" if is_chance else "priority"


def _least(asked: QueryDict) -> float:
    least = asked.get("least", "")
    return float(least) if least in LEAST else 0.0


def _query(kept: Mapping[str, str], **more: str) -> str:
    return urlencode({name: value for name, value in {**kept, **more}.items() if value})
