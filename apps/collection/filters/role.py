"""The filter by a page's role in its topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from django.db.models import Q

from apps.search.filter import Field
from apps.search.values import CountedValues, any_of


class Role(StrEnum):
    """A page's role in its topic; a column of Entry."""

    TARGET = "target"
    SEED = "seed"
    EXAMPLE = "example"


WORDS = {Role.TARGET: "target found", Role.SEED: "seed", Role.EXAMPLE: "example"}
UNKNOWN = "is not a role; give target, seed or example"


class RoleFilter(CountedValues[Role]):
    """Filters by the page's role in the topic; one of several is enough."""

    id = "role"
    title = "Role"
    sentence = "The page’s role in the topic: target, seed or example."
    unknown = UNKNOWN
    fields = (Field("role", "target, seed or example."),)
    example = "role=target&role=seed"
    columns = tuple(Role)

    def parse(self, text: str) -> Role | None:
        return read_role(text)

    def words(self, key: Role) -> str:
        return WORDS[key]

    def condition(self, value: tuple[Role, ...]) -> Q:
        return any_of(Q(**{role: True}) for role in value)

    def values_of(self, row: tuple[Any, ...]) -> Iterable[Role]:
        return roles_of(row)

    def offered(self, value: tuple[Role, ...], counts: Mapping[Role, int]) -> Iterable[Role]:
        return Role


def read_role(text: str) -> Role | None:
    """The role of that name, or None."""
    return next((role for role in Role if role == text), None)


def roles_of(row: tuple[Any, ...]) -> list[Role]:
    """The roles of pages with these columns, in the order of Role."""
    return [role for role, has in zip(Role, row, strict=True) if has]


ROLE = RoleFilter()
