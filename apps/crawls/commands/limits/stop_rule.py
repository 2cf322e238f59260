"""Stop rules: limits besides the budget that people set and change while a crawl runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apps.crawls.commands.command import Command, EventKind, Payload, Person, Undo, write_down
from apps.crawls.commands.lifecycle.resume import resume
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason


@dataclass(frozen=True, slots=True)
class StopRule:
    """One limit. `name` is that of the command, of the column of Crawl and of the field of
    CrawlSettings; None there is no limit.

    `parse` reads what a person types (None: no limit) and `check` looks whether the crawl can have
    the limit; both raise CrawlRefused. `text` is the limit as typed, `describe` as in "changed to 3
    hours at work", `ends` as in "it ends after 3 hours at work". `reached` is asked at every
    commit, with the row as it was written. `question` and `example` stand on the form of the live
    page.
    """

    name: str
    title: str
    does: str
    value: str
    question: str
    example: str
    changed: str
    reason: StopReason
    parse: Callable[[str], float | None]
    check: Callable[[Crawl, float], None]
    text: Callable[[float], str]
    describe: Callable[[float], str]
    ends: Callable[[float], str]
    reached: Callable[[Crawl, float], bool]

    def limit(self, crawl: Crawl) -> float | None:
        """The limit that the row has."""
        limit: float | None = getattr(crawl, self.name)
        return limit

    def typed(self, crawl: Crawl) -> str:
        """The value as one would type it; empty if there is none."""
        limit = self.limit(crawl)
        return "" if limit is None else self.text(limit)

    def change(self, crawl: Crawl, limit: float | None, by: Person = None) -> None:
        """Another limit, or none. Raises CrawlRefused."""
        if limit is not None:
            self.check(crawl, limit)
        payload = {"value": limit, "before": self.limit(crawl)}
        write_down(crawl, self.name, payload, by, **{self.name: limit})

    def command(self) -> Command:
        """The command that changes the limit; a crawl that ended by it goes on with more."""
        return Command(
            name=self.name,
            title=self.title,
            does=self.does,
            act=self._act,
            value=self.value,
            events=(EventKind(self.name, self.changed, self._words, undo=self._undo()),),
        )

    def _act(self, crawl: Crawl, value: str, by: Person) -> str:
        self.change(crawl, self.parse(value), by)
        if crawl.state == State.FINISHED and crawl.reason == self.reason:
            resume(crawl, by)
        return ""

    def _words(self, payload: Payload) -> str:
        limit = payload["value"]
        return "lifted" if limit is None else f"to {self.describe(limit)}"

    def _undo(self) -> Undo:
        return Undo(
            about=lambda payload: self.name,
            stands=lambda crawl, p: bool(self.limit(crawl) == p["value"]),
            carry_out=lambda crawl, p, by: self.change(crawl, p["before"], by),
            fits=lambda crawl, p: p["before"] is None or not self.reached(crawl, p["before"]),
        )
