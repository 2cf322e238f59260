"""The options of a reproduction, and its progress messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Report = Callable[[str], None]
"""Called with a short line whenever a step begins."""


@dataclass(frozen=True, slots=True)
class Options:
    """`pages` limits each crawl (None: the table's own limit); empty tuples select everything."""

    web_name: str = ""
    pages: int | None = None
    categories: tuple[str, ...] = ()
    universities: tuple[str, ...] = ()
    crawlers: tuple[str, ...] = ()
