"""Lists that an analyst can add to a topic: what each is for, what is there, what can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, Literal

from apps.topics.models import Topic

Tone = Literal["ok", "quiet", "warn", "bad"]
SHOWN_LINES = 10


class BadList(Exception):
    """A list was not taken; the text is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Added:
    """What became of an added list, as a sentence and its tone."""

    words: str
    tone: Tone = "ok"


@dataclass(frozen=True, slots=True)
class InputRow:
    """A list with what there is of it: `said` in words with their `tone`; `bad_lines` are the
    first lines not taken, with their number and why, `untaken` how many there are in all."""

    list: InputList
    said: tuple[str, ...]
    tone: Tone
    removable: bool = False
    scannable: bool = False
    bad_lines: tuple[tuple[int, str, str], ...] = ()
    untaken: int = 0

    @property
    def further(self) -> int:
        """How many lines not taken are not shown."""
        return self.untaken - len(self.bad_lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class InputList:
    """One kind of list: `accepts` says what a file of it holds, empty where none can be added;
    `in_form` that it can be typed; `for_owner` that it serves all topics of the owner, who alone
    may change it. `nothing` is said where there is none."""

    id: str
    title: str
    purpose: str
    accepts: str = ""
    in_form: bool = False
    for_owner: bool = False
    nothing: str = "None."

    def row(self, topic: Topic) -> InputRow | None:
        """What the topic has of it; None where it can have none."""
        raise NotImplementedError

    def add(self, topic: Topic, name: str, data: IO[bytes]) -> Added:
        """Takes a file in place of what there is. Raises BadList, with nothing changed."""
        raise NotImplementedError

    def remove(self, topic: Topic) -> None:
        """Removes it. Crawls that were started with it keep it."""
        raise NotImplementedError

    def serves_other_topics(self, topic: Topic) -> bool:
        """Whether what would be removed is not the topic's alone."""
        return False
