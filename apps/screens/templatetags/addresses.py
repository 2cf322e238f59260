"""Addresses of collected pages in lists."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.figures.quantities import address

register = template.Library()

END = 16
"""Characters at the end of an address that are shown however narrow its column is."""


@register.filter
def after_host(url: str) -> str:
    """The part after the host: `/reports/2023?page=2`; empty for a bare host."""
    rest = url.partition("://")[2].partition("/")[2]
    return f"/{rest}" if rest else ""


@register.filter
def web_only(url: str) -> str:
    """The address if it is http or https; else empty, so that no link is made."""
    return url if url.startswith(("http://", "https://")) else ""


@register.simple_tag
def cut(url: str) -> SafeString:
    """The address in two spans, of which the first gives way where there is no room: addresses of
    a host mostly differ at their ends."""
    words = address(url)
    begin, end = (words[:-END], words[-END:]) if len(words) > 2 * END else (words, "")
    return format_html('<span class="begin">{}</span><span>{}</span>', begin, end)
