"""The tabs of the administrators' pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib.auth import get_user_model

register = template.Library()


@register.inclusion_tag("accounts/tabs.html")
def administration_tabs(here: str) -> dict[str, Any]:
    """The tabs, of which `here` is the name of the present page's address."""
    return {"here": here, "people": get_user_model().objects.count()}
