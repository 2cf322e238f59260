"""Groups of people to share with, as the administrators of a site keep them."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from apps.schemas.input import Refused


class GroupRefused(Refused):
    """A group cannot be made or changed like this."""


def groups() -> QuerySet[Group]:
    """Every group with its members, by name."""
    return Group.objects.prefetch_related("user_set").order_by("name")


def make_group(name: str) -> Group:
    """A group without members. Raises GroupRefused where the name is empty, too long or taken: a
    person and a group of one name could not be told apart where something is shared."""
    name = name.strip()
    if not name:
        raise GroupRefused("group", "Give the group a name.")
    if len(name) > 150:
        raise GroupRefused("group", "The name is too long: 150 characters at most.")
    if get_user_model().objects.filter(username=name).exists():
        raise GroupRefused("group", "There is an account of this name: choose another.")
    try:
        with transaction.atomic():
            return Group.objects.create(name=name)
    except IntegrityError:
        raise GroupRefused("group", "There is a group of this name already.") from None


def add_member(group: Group, name: str) -> None:
    """Puts the account of that name into the group. Raises GroupRefused."""
    person = get_user_model().objects.filter(username=name.strip()).first()
    if person is None:
        raise GroupRefused("member", f"There is no account named {name.strip()[:100]}.")
    group.user_set.add(person)


def remove_member(group: Group, pk: int) -> None:
    """Takes an account out of the group: what was shared with the group is gone for it at once."""
    group.user_set.remove(*get_user_model().objects.filter(pk=pk))
