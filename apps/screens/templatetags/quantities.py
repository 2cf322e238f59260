"""`quantities` as template filters, and the dots of a verdict."""

from __future__ import annotations

import re
from datetime import datetime

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from apps.crawls.messages import EXCLUSIONS
from apps.crawls.models import Crawl, HostRecord
from apps.engine.codes import Exclusion
from apps.figures import quantities
from apps.webs.messages import failure_words

register = template.Library()

for _name in (
    "count",
    "share",
    "score",
    "priority",
    "signed",
    "speed",
    "duration",
    "roughly",
    "address",
):
    register.filter(_name, getattr(quantities, _name))


@register.filter
def width(value: float | None) -> str:
    """A share as a CSS width."""
    return f"{100 * min(1.0, max(0.0, value or 0.0)):.1f}%"


@register.filter
def powers(formula: str) -> SafeString:
    """`τ^α·σ^(1−α)` with its exponents raised."""
    raised = re.sub(r"\^(?:\(([^()]*)\)|(\w+))", r"<sup>\1\2</sup>", conditional_escape(formula))
    return mark_safe(raised)  # everything else is escaped


@register.filter
def dots(votes: int | None, of: int | None) -> list[bool]:
    """One boolean a vote, the votes in favour first."""
    return [i < (votes or 0) for i in range(of or 0)]


@register.filter
def failure(kind: str) -> str:
    """A kind of failed request in words."""
    return failure_words(kind)


@register.filter
def exclusion(reason: str) -> str:
    """The rule that excluded links, in words."""
    return EXCLUSIONS[Exclusion(reason)]


@register.filter
def error_list(errors: dict[str, int]) -> str:
    """The two most frequent kinds of a host: `21 × 404 not found, 3 × timed out`."""
    most = sorted(errors.items(), key=lambda pair: -pair[1])[:2]
    return ", ".join(f"{number} × {failure_words(kind)}" for kind, number in most) or "none"


@register.filter
def harvest(record: HostRecord, crawl: Crawl) -> float | None:
    """The share of a host's judged pages that are relevant; None without any."""
    judged = record.count_judged(crawl)
    return record.relevant / judged if judged else None


@register.filter
def next_allowed(record: HostRecord, now: datetime) -> str:
    """When the host may be requested next: now, in so many seconds, or never."""
    if record.excluded:
        return "excluded"
    wait = (record.next_allowed - now).total_seconds() if record.next_allowed else 0.0
    if wait <= 0:
        return "now"
    return f"{wait:.1f} s" if wait < 60 else quantities.roughly(wait)


@register.filter
def reason(code: str) -> str:
    """A stop reason as two or three words: `budget_reached` → `budget reached`."""
    return code.replace("_", " ")


@register.filter
def absolute(value: float) -> float:
    """The absolute value."""
    return abs(value)


@register.filter
def plain(value: float) -> str:
    """A bound in its usual notation: `0.25`, `100`, `1e+06`."""
    return f"{value:g}"
