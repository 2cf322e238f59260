"""Two commands that undo each other: one excludes a thing, the other includes it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apps.crawls.commands.command import (
    Command,
    EventKind,
    Payload,
    Person,
    Undo,
    unless_running,
)
from apps.crawls.models import Crawl
from apps.engine.crawl.steering import Steering

Verb = Callable[[Crawl, str, Person], None]


@dataclass(frozen=True, slots=True)
class ExclusionRule:
    """A kind of thing that can be excluded; `key` names it in the payload of the events.

    `exclude` and `include` ask for the change and raise CrawlRefused. `is_excluded` tests the
    crawl's row; `words` follow the title of an event.
    """

    key: str
    exclude: Verb
    include: Verb
    is_excluded: Callable[[Crawl, str], bool]
    words: Callable[[str], str]

    def command(
        self,
        *,
        excludes: bool,
        name: str,
        title: str,
        does: str,
        value: str,
        event: str,
        steer: Callable[[Steering, str], None],
    ) -> Command:
        """One of the two commands, with its kind of event; `steer` is the change in the engine."""
        verb, opposite = (self.exclude, self.include) if excludes else (self.include, self.exclude)

        def act(crawl: Crawl, value: str, by: Person) -> str:
            verb(crawl, value, by)
            return unless_running(crawl)

        undo = Undo(
            about=lambda payload: (self.key, self._of(payload)),
            stands=lambda crawl, p: self.is_excluded(crawl, self._of(p)) is excludes,
            carry_out=lambda crawl, p, by: opposite(crawl, self._of(p), by),
        )
        kind = EventKind(
            name,
            event,
            lambda payload: self.words(self._of(payload)),
            apply=lambda steering, p: steer(steering, self._of(p)),
            undo=undo,
        )
        return Command(name, title, does, act, value, (kind,))

    def _of(self, payload: Payload) -> str:
        return str(payload[self.key])
