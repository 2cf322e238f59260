"""The unit of the list, one per row: a host, a registered domain or a platform's user."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q

from apps.hosts.models import HostGrouping
from apps.search.filter import Field, Filter, Parameters


class HostUnit(Filter[str]):
    """Filters by what a row is; one row a host unless another unit is named."""

    id = "unit"
    title = "Row"
    sentence = (
        "What a row is: a host, a registered domain with all of its hosts, or what one user"
        " of a platform has of it."
    )
    unknown = "is not a unit; give host, domain or user"
    fields = (Field("unit", "host, domain or user.", str | None),)
    example = "unit=domain"
    nothing = HostGrouping.HOST.value

    def read(self, query: Parameters) -> str:
        unit = query.get("unit", "")
        return unit if unit in HostGrouping.values else self.nothing

    def pairs(self, value: str) -> Iterator[tuple[str, str]]:
        yield "unit", value

    def understands(self, field: str, text: str) -> bool:
        return text in HostGrouping.values

    def condition(self, value: str) -> Q:
        return Q(unit=value)

    def chips(self, value: str) -> Iterator[tuple[str, str]]:
        return iter(())


UNIT = HostUnit()
