"""The web that a source reads."""

from __future__ import annotations

from django.contrib.auth.models import User

from apps.schemas.refused import Refused
from apps.webs.models import Web
from apps.webs.selectors import recorded_webs


def web_of(owner: User, key: int | None) -> Web | None:
    """A recorded web that the owner may use; None for the live Web. Raises Refused."""
    if key is None:
        return None
    web = recorded_webs(owner).filter(pk=key).first()
    if web is None:
        raise Refused("web", "There is no recorded web of this number that you may use.")
    return web


def web_words(key: int | None) -> str:
    """The name of a web in a sentence."""
    if key is None:
        return "the live Web"
    return Web.objects.filter(pk=key).values_list("name", flat=True).first() or "a deleted web"
