"""δ, the mean topicality that the adaptive strategies aim at."""

from __future__ import annotations

from apps.crawls.commands.command import (
    Command,
    EventKind,
    Payload,
    Person,
    Undo,
    ask,
    unless_running,
)
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl

KIND = "delta"


def parse(text: str) -> float:
    """A share from 0 to 1. Raises CrawlRefused."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise CrawlRefused(KIND, "δ lies between 0 and 1.")
    return value


def change_delta(crawl: Crawl, value: float, by: Person = None) -> None:
    """Sets δ from the next page on. Raises CrawlRefused if the strategy has none."""
    if KIND not in crawl.parameters:
        raise CrawlRefused(KIND, "This strategy has no δ.")
    payload = {"value": value, "before": crawl.parameters[KIND]}
    ask(crawl, KIND, payload, by, parameters={**crawl.parameters, KIND: value})


def _act(crawl: Crawl, value: str, by: Person) -> str:
    change_delta(crawl, parse(value), by)
    return unless_running(crawl)


def _words(payload: Payload) -> str:
    before = payload.get("before")
    start = "" if before is None else f"from {before:.2f} "
    return f"{start}to {payload['value']:.2f}"


DELTA = Command(
    name=KIND,
    title="Change δ",
    does="Sets the mean topicality that an adaptive strategy aims at.",
    act=_act,
    value="δ from 0 to 1",
    events=(
        EventKind(
            KIND,
            "δ changed",
            _words,
            letter="δ",
            apply=lambda steering, p: steering.adjust(KIND, p["value"]),
            undo=Undo(
                about=lambda payload: KIND,
                stands=lambda crawl, p: "before" in p and crawl.parameters.get(KIND) == p["value"],
                carry_out=lambda crawl, p, by: change_delta(crawl, p["before"], by),
            ),
        ),
    ),
)
