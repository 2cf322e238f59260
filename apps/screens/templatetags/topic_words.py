"""The state of an example, for its row in a table."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

from apps.topics.messages import SOURCES, fetch_words
from apps.topics.models import Example

register = template.Library()


@dataclass(frozen=True, slots=True)
class ExampleState:
    """Icon, word and tone of an example's fetch; its use and its source."""

    icon: str
    tone: str
    word: str
    role: str
    source: str
    redirected: bool


@register.simple_tag
def example_state(example: Example) -> ExampleState:
    """The state of one example."""
    redirected = example.final_url not in ("", example.url)
    icon, tone, word = _fetch(example, redirected)
    return ExampleState(
        icon,
        tone,
        word,
        role="not used" if example.fetch == Example.Fetch.FAILED else _role(example),
        source="" if example.source == Example.Source.NAMED else _source(example),
        redirected=redirected,
    )


def _fetch(example: Example, redirected: bool) -> tuple[str, str, str]:
    if example.fetch == Example.Fetch.WAITING:
        return "clock", "quiet", "waiting"
    if example.fetch == Example.Fetch.FETCHED:
        return ("arrow", "quiet", "redirected") if redirected else ("check", "ok", "fetched")
    is_refused = example.failure in ("robots", "robots_unreachable", "noindex")
    icon, tone = ("warn", "warn") if is_refused else ("cross", "bad")
    return icon, tone, fetch_words(example.failure)


def _role(example: Example) -> str:
    if example.role == Example.Role.TRAIN:
        return "train" if example.weight == 1 else f"train, weight {example.weight:g}"
    return "judge, topic" if example.relevant else "judge, not"


def _source(example: Example) -> str:
    source = Example.Source(example.source)
    return "" if source is Example.Source.NAMED else SOURCES[source]
