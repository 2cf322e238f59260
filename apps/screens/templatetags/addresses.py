"""Addresses of collected pages in lists."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def after_host(url: str) -> str:
    """The part after the host: `/reports/2023?page=2`; empty for a bare host."""
    rest = url.partition("://")[2].partition("/")[2]
    return f"/{rest}" if rest else ""


@register.filter
def web_only(url: str) -> str:
    """The address if it is http or https; else empty, so that no link is made."""
    return url if url.startswith(("http://", "https://")) else ""
