"""Filters of the screen of labels."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def percent_along(value: float) -> str:
    """How far along an axis from 0 to 1 a value is, in hundredths."""
    return f"{100 * min(1.0, max(0.0, value)):.1f}"
