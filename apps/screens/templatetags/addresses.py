"""Addresses of collected pages as a list shows them."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def after_host(url: str) -> str:
    """What follows the host: `/reports/2023?page=2`; nothing for a bare host."""
    rest = url.partition("://")[2].partition("/")[2]
    return f"/{rest}" if rest else ""


@register.filter
def web_only(url: str) -> str:
    """The address if a browser may be sent there; an empty one for any other scheme."""
    return url if url.startswith(("http://", "https://")) else ""
