"""The filter by host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.search.filter import Field
from apps.search.panels import CheckBoxes
from apps.search.values import MostFrequent


class HostFilter(MostFrequent[str]):
    """Filters by the host that a page was fetched from, in the column `host`."""

    id = "host"
    title = "Host"
    sentence = "The hosts that the page was fetched from; those with the most pages are listed."
    unknown = "is not a host"
    fields = (Field("host", "Hosts, or addresses on them."),)
    example = "host=a.test&host=b.test"
    column = "host"
    offers = 8
    most = 50

    def parse(self, text: str) -> str | None:
        """The host that was typed, or the host of a whole address."""
        host = text.strip().lower().partition("://")[-1 if "://" in text else 0].split("/")[0]
        return host[:255] or None

    def panel(self, value: tuple[str, ...], counts: Mapping[Any, int]) -> CheckBoxes | None:
        panel = super().panel(value, counts)
        return panel and replace(panel, another="another host")


HOST = HostFilter()
