"""A digest as plain text that reads well, and its title."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from apps.figures.quantities import number_of

SIGNS = {"new": "+", "changed": "~", "gone": "−"}
WORDS = {"new": "New", "changed": "Changed", "gone": "Gone"}


def watch_address(topic: int, base: str | None = None) -> str:
    """Where a topic's watch is shown, under the site's own address or under `base`."""
    return f"{settings.ADDRESS if base is None else base}/topics/{topic}/watch/"


def title_of(content: Mapping[str, Any]) -> str:
    """`Heat pumps: 2 in “grants”; 3 new, 1 changed, 2 gone`."""
    if content["visit"] is None:
        return f"{content['topic_name']}: {_month_words(content)} in a month"
    matched = [
        f"{each['count']:,} in “{each['name']}”"
        for each in content.get("searches", ())
        if not each["problem"]
    ]
    news = _count_news(content["counts"])
    return (
        f"{content['topic_name']}: {'; '.join([', '.join(matched), news] if matched else [news])}"
    )


def text_of(content: Mapping[str, Any], base: str | None = None) -> str:
    """The whole digest, a line of its own for each thing."""
    lines = _news(content, base) if content["visit"] is not None else _sign_of_life(content, base)
    return "\n".join(lines) + "\n"


def _news(content: Mapping[str, Any], base: str | None) -> Iterator[str]:
    counts = content["counts"]
    yield content["topic_name"]
    yield (
        f"Visit {content['visit']}, {_moment(content)}: {_count_news(counts)}."
        f" {number_of(counts['same'], 'page')} the same, {counts['not_reached']:,} not reached."
    )
    for matched in content.get("searches", ()):
        if matched["problem"]:
            yield ""
            yield f"The search “{matched['name']}” could not be asked: {matched['problem']}"
        yield from _section(f"In “{matched['name']}”", matched["count"], matched["pages"])
    for state, word in WORDS.items():
        pages = [page for page in content["pages"] if page["state"] == state]
        yield from _section(word, counts[state], pages)
    yield ""
    yield "All of it, and what has changed word for word:"
    yield watch_address(content["topic"], base)


def _section(word: str, count: int, pages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not pages:
        return
    yield ""
    yield f"{word} ({count:,})"
    for page in pages:
        yield ""
        yield f"{SIGNS[page['state']]} {page['title']}"
        yield f"  {page['url']}"
        if page["line"] and page["line"] != page["title"]:
            yield f"  {page['line']}"
    if count > len(pages):
        yield ""
        yield f"  and {count - len(pages):,} more"


def _sign_of_life(content: Mapping[str, Any], base: str | None) -> Iterator[str]:
    yield content["topic_name"]
    yield (
        f"{_month_words(content).capitalize()} in the 30 days up to {_moment(content)}:"
        f" {number_of(content['visits'], 'visit')};"
        f" {number_of(content['watched'], 'page')} watched."
    )
    if news := _count_news(content["counts"]):
        yield f"The visits brought {news}, none of which your watched searches match."
    if content["failed"]:
        yield f"{number_of(content['failed'], 'visit')} failed."
    if content["problem"]:
        yield content["problem"]
    if not content["visits"]:
        yield "The watch was not at work: see whether the site was running."
    yield ""
    yield "The watch, where you can switch this monthly message off:"
    yield watch_address(content["topic"], base)


def _month_words(content: Mapping[str, Any]) -> str:
    """`nothing new`, if a visit was there to see it."""
    counts = content["counts"]
    has_seen = any(counts[state] for state in (*WORDS, "same"))
    if not has_seen and (content["failed"] == content["visits"] or counts["not_reached"]):
        return "no page was seen"
    return "nothing that you watch for" if _count_news(counts) else "nothing new"


def _count_news(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{counts[state]:,} {state}" for state in WORDS if counts[state])


def _moment(content: Mapping[str, Any]) -> str:
    """`Tuesday 24 November 2026, 02:19 (Europe/Berlin)`."""
    at = datetime.fromisoformat(content["at"]).astimezone(ZoneInfo(content["time_zone"]))
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M} ({content['time_zone']})"
