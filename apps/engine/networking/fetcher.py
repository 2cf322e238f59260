"""Fetching one URL: the interface of fetchers."""

from __future__ import annotations

from typing import Protocol

from apps.engine.answers import Answer
from apps.engine.model import Serving
from apps.engine.networking.redirects import Gate


class Fetcher(Protocol):
    """Fetches URLs from the network or from a store."""

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that other processes have spent on the fetches."""

    @property
    def agents(self) -> Serving:
        """The other processes that fetch now."""

    async def fetch(
        self, url: str, gate: Gate | None = None, *, any_type: bool = False, spelling: str = ""
    ) -> Answer:
        """The answer after all redirects; network errors are failures in it and never raised.

        `spelling` is the address of the URL as it is requested, if it differs; a recorded web goes
        by the URL. `gate` is called with each address before it is requested, those of redirects
        included, and once more with one whose request was handed out and lost. If it returns a
        failure kind, the fetch ends with that failure, and `final_url` is the refused URL.
        With `any_type`, empty and non-text bodies are valid answers too (robots.txt).
        """

    async def close(self) -> None:
        """Closes all connections; no fetch may follow."""
