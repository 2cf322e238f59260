"""Diversity: the number of sites in a collection (SL §7.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.measure import JudgedPage, Measure, Unit


class Diversity(Measure):
    """The number of distinct registered domains of the pages' final URLs (SL §7.3).

    The host counts if the public suffix list has no registered domain for it.
    """

    id = "diversity"
    title = "Different sites"
    unit: ClassVar[Unit] = "count"
    paper = "SL §7.3"
    curve: ClassVar[CurveSpec | None] = CurveSpec("diversity", "sites", "status")
    things: ClassVar[str] = "sites"
    accumulates: ClassVar[bool] = True

    def __init__(self) -> None:
        self.domains: set[str] = set()

    def update(self, page: JudgedPage) -> None:
        self.domains.add(page.domain)

    def value(self) -> float | int | None:
        return len(self.domains)

    def state(self) -> dict[str, Any]:
        return {"domains": sorted(self.domains)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.domains = set(state["domains"])


class PagesPerSite(Diversity):
    """The number of pages per registered domain; None before the first page."""

    id = "pages_per_site"
    title = "Pages per site"
    unit = "count"
    paper = "SL §7.3"
    less_is_better = True
    curve = None
    things = ""
    accumulates = False

    def __init__(self) -> None:
        super().__init__()
        self.pages = 0

    def update(self, page: JudgedPage) -> None:
        super().update(page)
        self.pages += 1

    def value(self) -> float | None:
        return self.pages / len(self.domains) if self.domains else None

    def state(self) -> dict[str, Any]:
        return {**super().state(), "pages": self.pages}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.pages = int(state["pages"])
