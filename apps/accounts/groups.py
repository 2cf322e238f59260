"""Groups of people to share with; administrators of the site keep them."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from apps.schemas.input import is_printable
from apps.schemas.refused import Refused


class GroupRefused(Refused):
    """A group cannot be made or changed like this."""


def groups() -> QuerySet[Group]:
    """Every group with its members, by name."""
    return Group.objects.prefetch_related("user_set").order_by("name")


def make_group(name: str) -> Group:
    """A new group without members.

    Raises GroupRefused if the name is empty, too long or taken. It may not be the name of a person
    either: a share names one or the other.
    """
    name = name.strip()
    if not name or not is_printable(name):
        raise GroupRefused("group", "Give the group a name without control characters.")
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
    """Adds the account of that name to the group. Raises GroupRefused."""
    person = get_user_model().objects.filter(username=name.strip()).first()
    if person is None:
        raise GroupRefused("member", f"There is no account named {name.strip()[:100]}.")
    group.user_set.add(person)


def remove_member(group: Group, pk: int) -> None:
    """Removes an account from the group; it loses access to what is shared with the group at
    once."""
    group.user_set.remove(*get_user_model().objects.filter(pk=pk))
