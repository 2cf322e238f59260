"""Template tags of what a crawl left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template

from apps.crawls.left_out.reasons import reason_of

register = template.Library()

WIDE = 1000


@register.inclusion_tag("left_out/share_bar.html")
def share_bar(parts: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """A bar of the parts (name, number) in order, with a legend; those of nothing are left out."""
    total = sum(number for _, number in parts) or 1
    shown, start = [], 0.0
    for tone, (name, number) in enumerate(parts):
        width = WIDE * number / total
        if number:
            shown.append((name, number, round(start, 1), round(width, 1), tone))
        start += width
    return {"parts": shown, "wide": WIDE}


@register.filter
def left_out_reason(code: str) -> str:
    """The id of the reason that covers an exclusion or a kind of failure."""
    return reason_of(code).id


@register.filter
def at(values: Mapping[str, str] | None, key: str) -> str:
    """The value of a key, empty without one."""
    return (values or {}).get(key, "")
