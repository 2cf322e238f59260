"""The filter that excludes roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from apps.collection.filters.filter import Condition, Field, Parameters
from apps.collection.filters.panels import CheckBox, Hidden
from apps.collection.filters.role import UNKNOWN, Role, read_role, roles_of
from apps.collection.filters.values import CountedValues
from apps.collection.scope import Scope

KNOWN = (Role.SEED, Role.EXAMPLE)
"""The pages that were known before the crawl began."""
SHORT = {"without_seeds": (Role.SEED,), "without_known": KNOWN}
"""One check box may stand for several roles."""


class Without(CountedValues[Role]):
    """By roles that the page must not have."""

    id = "without"
    title = "Without"
    sentence = (
        "Excludes targets, seeds or examples. Without seeds and examples you see what the crawl"
        " has found by itself."
    )
    unknown = UNKNOWN
    fields = (Field("without", "Roles to exclude."),)
    columns = tuple(Role)

    def parse(self, text: str) -> Role | None:
        return read_role(text)

    def chip(self, key: Role, scope: Scope) -> str:
        return f"without {key}s"

    def read(self, query: Parameters) -> tuple[Role, ...]:
        short = [roles for name, roles in SHORT.items() if query.get(name, "") == "1"]
        return tuple(dict.fromkeys([*super().read(query), *(r for roles in short for r in roles)]))

    def condition(self, value: tuple[Role, ...], scope: Scope) -> Condition:
        return Condition(" AND ".join(f"NOT e.{role}" for role in value))

    def values_of(self, row: tuple[Any, ...], scope: Scope) -> Iterable[Role]:
        return roles_of(row)

    def holds(self, value: tuple[Role, ...], row: tuple[Any, ...], scope: Scope) -> bool:
        return not super().holds(value, row, scope)

    def panel(  # type: ignore[override]
        self, value: tuple[Role, ...], counts: Mapping[Any, int], scope: Scope
    ) -> Hidden:
        return Hidden(tuple(self.pairs(value)))

    def in_download(self, value: tuple[Role, ...], counts: Mapping[Any, int]) -> CheckBox:
        return CheckBox("without_known", "Without seeds and examples", {*KNOWN} <= {*value})

    def kept(self, value: tuple[Role, ...]) -> tuple[Role, ...]:
        known = {*KNOWN} <= {*value}
        return tuple(role for role in value if not (known and role in KNOWN))


WITHOUT = Without()
