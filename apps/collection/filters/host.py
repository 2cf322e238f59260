"""The filter by host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.collection.filters.filter import Field
from apps.collection.filters.panels import CheckBoxes
from apps.collection.filters.values import MostFrequent
from apps.collection.scope import Scope


class Host(MostFrequent[str]):
    """By the host that the page was fetched from."""

    id = "host"
    title = "Host"
    sentence = "The hosts that the page was fetched from; those with the most pages are listed."
    unknown = "is not a host"
    fields = (Field("host", "Hosts, or addresses on them."),)
    column = "host"
    offers = 8
    most = 50

    def parse(self, text: str) -> str | None:
        """The host that was typed, or the host of a whole address."""
        host = text.strip().lower().partition("://")[-1 if "://" in text else 0].split("/")[0]
        return host[:255] or None

    def panel(
        self, value: tuple[str, ...], counts: Mapping[Any, int], scope: Scope
    ) -> CheckBoxes | None:
        panel = super().panel(value, counts, scope)
        return panel and replace(panel, another="another host")


HOST = Host()
