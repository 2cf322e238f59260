"""The share box of an owner."""

from __future__ import annotations

from typing import Any

from django import template

from apps.screens.sharing.box import share_box as box_of

register = template.Library()


@register.inclusion_tag("sharing/box.html", takes_context=True)
def share_box(context: Any, thing: Any) -> dict[str, Any]:
    """The box of a topic, crawl, web or directory; empty for everybody but its owner."""
    request = context["request"]
    mine = thing.owner_id == request.user.pk
    return {"box": box_of(thing) if mine else None, "csrf_token": context.get("csrf_token")}
