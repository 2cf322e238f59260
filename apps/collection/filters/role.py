"""The filter by a page's role in its topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from apps.collection.filters.filter import Condition, Field
from apps.collection.filters.values import CountedValues
from apps.collection.scope import Scope


class Role(StrEnum):
    """A page's role in its topic; a column of Entry."""

    TARGET = "target"
    SEED = "seed"
    EXAMPLE = "example"


WORDS = {Role.TARGET: "target found", Role.SEED: "seed", Role.EXAMPLE: "example"}
UNKNOWN = "is not a role; give target, seed or example"


class RoleFilter(CountedValues[Role]):
    """By the page's role in the topic; one of several is enough."""

    id = "role"
    title = "Role"
    sentence = "The page’s role in the topic: target, seed or example."
    unknown = UNKNOWN
    fields = (Field("role", "target, seed or example."),)
    columns = tuple(Role)

    def parse(self, text: str) -> Role | None:
        return read_role(text)

    def words(self, key: Role, scope: Scope) -> str:
        return WORDS[key]

    def condition(self, value: tuple[Role, ...], scope: Scope) -> Condition:
        return Condition(" OR ".join(f"e.{role}" for role in value))

    def values_of(self, row: tuple[Any, ...], scope: Scope) -> Iterable[Role]:
        return roles_of(row)

    def offered(
        self, value: tuple[Role, ...], counts: Mapping[Role, int], scope: Scope
    ) -> Iterable[Role]:
        return Role


def read_role(text: str) -> Role | None:
    """The role of that name, or None."""
    return next((role for role in Role if role == text), None)


def roles_of(row: tuple[Any, ...]) -> list[Role]:
    """The roles of pages with these columns, in the order of Role."""
    return [role for role, has in zip(Role, row, strict=True) if has]


ROLE = RoleFilter()
