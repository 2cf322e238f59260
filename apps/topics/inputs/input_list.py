"""Lists that an analyst can add to a topic: purpose, content, and actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, Literal

from apps.topics.models import Topic

Tone = Literal["ok", "quiet", "warn", "bad"]
SHOWN_LINES = 10


@dataclass(frozen=True, slots=True)
class Added:
    """The outcome of adding a list, as a sentence and its tone."""

    words: str
    tone: Tone = "ok"


@dataclass(frozen=True, slots=True)
class InputRow:
    """A list with its content: `contents` in words with their `tone`; `bad_lines` are the first
    lines not accepted, with number and reason, `untaken` how many there are in all."""

    list: InputList
    contents: tuple[str, ...]
    tone: Tone
    removable: bool = False
    scannable: bool = False
    bad_lines: tuple[tuple[int, str, str], ...] = ()
    untaken: int = 0

    @property
    def further(self) -> int:
        """How many lines not accepted are not shown."""
        return self.untaken - len(self.bad_lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class InputList:
    """One kind of list: `accepts` describes its file, empty if none can be added; `in_form` if
    it can be typed; `for_owner` if it applies to all topics of the owner, who alone may
    change it. `nothing` is the text if there is none."""

    id: str
    title: str
    purpose: str
    accepts: str = ""
    in_form: bool = False
    for_owner: bool = False
    nothing: str = "None."

    def row(self, topic: Topic) -> InputRow | None:
        """The topic's row of this input, or None if it cannot have one."""
        raise NotImplementedError

    def add(self, topic: Topic, name: str, data: IO[bytes]) -> Added:
        """Replaces the list by a file. Raises BadList, with nothing changed."""
        raise NotImplementedError

    def remove(self, topic: Topic) -> None:
        """Removes it. Crawls that were started with it keep it."""
        raise NotImplementedError

    def serves_other_topics(self, topic: Topic) -> bool:
        """Whether other topics use the list too."""
        return False
