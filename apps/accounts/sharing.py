"""Shares a person's rows with people, with groups, and with everybody who can sign in.

A model that can be shared has an `owner` and a generic relation `shares`. Only this module decides
who may see and who may change a row; selectors ask it.
"""

from __future__ import annotations

from typing import Any, Protocol

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import Model, Q, QuerySet

from apps.accounts.models import Share
from apps.schemas.refused import Refused


class ShareRefused(Refused):
    """A thing cannot be shared like this."""


class Shareable(Protocol):
    """A row with an owner that can be shared; `shares` are the people and groups it is shared
    with."""

    pk: Any
    owner_id: int | None
    shares: Any


def shared_with(
    kind: type[Model], user: User, through: str = "shares", *, to_edit: bool = False
) -> QuerySet[Any, Any]:
    """The keys of the rows of a kind that are shared with a person, as a subquery.

    `through` is the lookup from a row to the shares, its own or those of its parent; `to_edit`
    takes only those that let the person change the row.
    """
    groups = Group.objects.filter(user=user)
    reached = (
        Q(**{f"{through}__person": user})
        | Q(**{f"{through}__group__in": groups})
        | Q(**{f"{through}__everybody": True})
    )
    if to_edit:
        reached &= Q(**{f"{through}__may_edit": True})
    return kind._default_manager.filter(reached).values("pk")


def share(thing: Shareable, name: str, *, may_edit: bool = False) -> Share:
    """Shares with the person or the group of that name, or changes what they may do.

    Raises ShareRefused if nobody has that name, or the owner has it.
    """
    name = name.strip()
    if not name:
        raise ShareRefused("name", "Give the name of a person or of a group.")
    person = get_user_model().objects.filter(username=name, is_active=True).first()
    if person is not None and person.pk == thing.owner_id:
        raise ShareRefused("name", "This is the owner, who has access already.")
    if person is not None:
        return _save_share(thing, may_edit, person=person)
    group = Group.objects.filter(name=name).first()
    if group is None:
        raise ShareRefused("name", f"There is no person and no group named {name[:100]}.")
    return _save_share(thing, may_edit, group=group)


def share_with_everybody(thing: Shareable) -> Share:
    """Lets everybody who can sign in read it; nobody may change it by this share."""
    return _save_share(thing, False, everybody=True)


def unshare(thing: Shareable, pk: int) -> bool:
    """Deletes one share; False if the thing has no share with that key."""
    count, _ = thing.shares.filter(pk=pk).delete()
    return bool(count)


def shares_of(thing: Shareable) -> QuerySet[Share]:
    """The shares of a thing: everybody first, then groups, then people, by name."""
    rows: QuerySet[Share] = thing.shares.select_related("person", "group")
    return rows.order_by("-everybody", "person__username", "group__name")


def _save_share(thing: Shareable, may_edit: bool, **whom: Any) -> Share:
    with transaction.atomic():
        share: Share = thing.shares.update_or_create(**whom, defaults={"may_edit": may_edit})[0]
    return share
