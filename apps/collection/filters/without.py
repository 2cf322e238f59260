"""The filter that excludes roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from apps.collection.filters.role import UNKNOWN, Role, read_role, roles_of
from apps.search.filter import Field, Parameters
from apps.search.panels import CheckBox, Hidden
from apps.search.values import CountedValues, any_of

GIVEN = (Role.SEED, Role.EXAMPLE)
"""The pages given before the crawl began."""
SHORT = {"without_seeds": (Role.SEED,), "without_known": GIVEN}
"""One check box may stand for several roles."""


class Without(CountedValues[Role]):
    """Filters by roles that the page must not have."""

    id = "without"
    title = "Without"
    sentence = (
        "Excludes targets, seeds or examples. Without seeds and examples you see what the crawl"
        " has reached by itself."
    )
    unknown = UNKNOWN
    fields = (Field("without", "Roles to exclude."),)
    example = "without=seed"
    columns = tuple(Role)

    def parse(self, text: str) -> Role | None:
        return read_role(text)

    def chip(self, key: Role) -> str:
        return f"without {key}s"

    def read(self, query: Parameters) -> tuple[Role, ...]:
        short = [roles for name, roles in SHORT.items() if query.get(name, "") == "1"]
        return tuple(dict.fromkeys([*super().read(query), *(r for roles in short for r in roles)]))

    def condition(self, value: tuple[Role, ...]) -> Q:
        return ~any_of(Q(**{role: True}) for role in value)

    def values_of(self, row: tuple[Any, ...]) -> Iterable[Role]:
        return roles_of(row)

    def holds(self, value: tuple[Role, ...], row: tuple[Any, ...]) -> bool:
        return not super().holds(value, row)

    def panel(  # type: ignore[override]
        self, value: tuple[Role, ...], counts: Mapping[Any, int]
    ) -> Hidden:
        return Hidden(tuple(self.pairs(value)))

    def in_download(self, value: tuple[Role, ...], counts: Mapping[Any, int]) -> CheckBox:
        return CheckBox("without_known", "without seeds and examples", {*GIVEN} <= {*value})

    def beside_download(self, value: tuple[Role, ...]) -> tuple[Role, ...]:
        both = {*GIVEN} <= {*value}
        return tuple(role for role in value if not (both and role in GIVEN))


WITHOUT = Without()
